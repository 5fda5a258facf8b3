"""Look up batches, corpora and people by the names given on the command line."""

from collections.abc import Iterable

from annotator.models import Annotator, Batch
from profiles.models import Corpus


class UnknownName(Exception):
    """Nothing has this name. For batches and corpora, the message lists the names that exist."""


def batch_named(name: str) -> Batch:
    batch = Batch.objects.select_related("corpus", "guideline", "recipe").filter(name=name).first()
    if batch is None:
        raise UnknownName(
            f"There is no batch called “{name}”. Batches: {_join(Batch.objects.values_list('name', flat=True))}."
        )
    return batch


def corpus_named(name: str) -> Corpus:
    corpora = Corpus.objects.ready().order_by("pk")
    corpus = corpora.filter(name=name).first()
    if corpus is None:
        raise UnknownName(
            f"There is no complete corpus called “{name}”. Corpora: {_join(corpora.values_list('name', flat=True))}."
        )
    return corpus


def any_corpus_named(name: str) -> Corpus:
    """A corpus in any state but being deleted."""
    corpora = Corpus.objects.filter(deleting_at=None).order_by("pk")
    corpus = corpora.filter(name=name).first()
    if corpus is None:
        raise UnknownName(
            f"There is no corpus called “{name}”. Corpora: {_join(corpora.values_list('name', flat=True))}."
        )
    return corpus


def corpora_named(name: str | None) -> list[Corpus]:
    """The corpus with this name, or all complete ones that are not archived without a name."""
    corpora = [corpus_named(name)] if name else list(Corpus.objects.ready().current().order_by("pk"))
    if not corpora:
        raise UnknownName("There is no complete corpus yet.")
    return corpora


def people_named(names: Iterable[str]) -> list[Annotator]:
    """The people with these user names, in the same order."""
    usernames = list(names)
    people = {person.username: person for person in Annotator.objects.filter(username__in=usernames)}
    for username in usernames:
        if username not in people:
            raise UnknownName(f"Nobody has the user name “{username}”.")
    return [people[username] for username in usernames]


def _join(names: Iterable[str]) -> str:
    return ", ".join(names) or "none yet"
