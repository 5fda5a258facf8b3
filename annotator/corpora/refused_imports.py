"""Why an import left no corpus. The corpus is gone, so the reason is kept in the cache, for its page."""

from django.core.cache import cache

from profiles.models import Corpus

KEPT_FOR = 24 * 3600  # seconds
NOT_MADE = "“{name}” was not created. {reason}"


def remember_refusal(corpus_id: int, name: str, reason: str) -> None:
    cache.set(_key(corpus_id), NOT_MADE.format(name=name, reason=reason), KEPT_FOR)


def refusal_of(corpus_id: int) -> str:
    """Why there is no such corpus any more, or "" if there is one or nobody knows. No query unless there is none."""
    reason: str = cache.get(_key(corpus_id), "")
    return "" if reason and Corpus.objects.filter(pk=corpus_id).exists() else reason


def _key(corpus_id: int) -> str:
    return f"import-refused:{corpus_id}"
