"""Batches, corpora and people as they are named on the command line."""

from collections.abc import Iterable

from annotator.models import Annotator, Batch
from profiles.models import Corpus


class NotNamed(Exception):
    """Nothing is called that. Says what there is."""


def batch_named(name: str) -> Batch:
    found = Batch.objects.select_related("corpus", "guideline", "recipe").filter(name=name).first()
    if found is None:
        raise NotNamed(
            f"There is no batch “{name}”. There are: {_listed(Batch.objects.values_list('name', flat=True))}."
        )
    return found


def corpus_named(name: str) -> Corpus:
    there = Corpus.objects.ready().order_by("pk")
    found = there.filter(name=name).first()
    if found is None:
        raise NotNamed(
            f"There is no complete corpus “{name}”. There are: {_listed(there.values_list('name', flat=True))}."
        )
    return found


def corpora_named(name: str | None) -> list[Corpus]:
    """The one of that name; without a name all that are complete."""
    found = [corpus_named(name)] if name else list(Corpus.objects.ready().order_by("pk"))
    if not found:
        raise NotNamed("There is no complete corpus yet.")
    return found


def people_named(names: Iterable[str]) -> list[Annotator]:
    """By user name, in the order given."""
    asked = list(names)
    found = {person.username: person for person in Annotator.objects.filter(username__in=asked)}
    missing = [name for name in asked if name not in found]
    if missing:
        raise NotNamed(f"Nobody has the user name “{missing[0]}”.")
    return [found[name] for name in asked]


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names) or "none yet"
