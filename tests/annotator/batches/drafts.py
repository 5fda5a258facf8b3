"""Corpora to draw from, and plans, for the tests about batches."""

from annotator.batches.drafts import draw_draft
from annotator.batches.drawing.candidates import Population, eligible_profiles
from annotator.batches.drawing.plan import Criteria, Plan
from annotator.batches.drawing.shares import Share
from annotator.batches.lifecycle import start
from annotator.models import Annotator, Batch, GuidelineVersion
from profiles.models import AttributeHint, Corpus
from tests.factories import make_corpus, make_profile, make_subreddit


def make_corpus_of(count: int, **fields) -> Corpus:
    corpus = make_corpus()
    for _ in range(count):
        make_profile(corpus=corpus, **fields)
    return corpus


def make_guideline() -> GuidelineVersion:
    return GuidelineVersion.objects.get_or_create(number=1, defaults={"text": "Read, then judge."})[0]


def make_plan(corpus: Corpus, *people: Annotator, **fields) -> Plan:
    """A plan to draw two profiles for these people, or for a pool."""
    defaults = {"name": "Round", "size": 2, "seed": 1, "people": tuple(Share(person.pk) for person in people)}
    return Plan(corpus=corpus, guideline=make_guideline(), **(defaults | fields))


def draft(corpus: Corpus, *people: Annotator, **fields) -> Batch:
    return draw_draft(make_plan(corpus, *people, **fields))


def running(corpus: Corpus, *people: Annotator, **fields) -> Batch:
    return start(draft(corpus, *people, **fields))


def fitting(corpus: Corpus, recipe=None, **criteria) -> set[str]:
    """The pseudonyms of eligible profiles."""
    profiles = eligible_profiles(Population(corpus, recipe), Criteria(**criteria))
    return set(profiles.values_list("pseudonym", flat=True))


def hint(subreddit: str, attribute: str, value: str = "") -> None:
    AttributeHint.objects.create(subreddit=make_subreddit(subreddit), attribute=attribute, value=value)


def layout(batch: Batch) -> list[tuple[int, int | None]]:
    return [(assignment.profile_id, assignment.annotator_id) for assignment in batch.assignments.in_order()]
