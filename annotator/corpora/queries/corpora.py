"""Corpora and their profiles as the browser shows them."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

from django.db.models import Count, Exists, F, Func, IntegerField, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce, JSONObject

from annotator.core.formatting import number, percent
from annotator.corpora.queries.ingests import State, state_of
from profiles.attributes import CLOSED_LISTS, Attribute
from profiles.models import AttributeHint, Corpus, DetectionRun, Ingest, Presence, Profile

PROFILES_A_PAGE = 50

# Counted beside each row shown, so that the filters below need no grouping.
_SUBREDDITS = Subquery(
    Presence.objects.filter(profile=OuterRef("pk"))
    .order_by()
    .annotate(places=Func("pk", function="COUNT"))
    .values("places"),
    output_field=IntegerField(),
)
_INGESTS = Ingest.objects.filter(corpus=OuterRef("pk")).order_by("-pk")
# The newest run of each corpus, rather one that was not cancelled: how far it is, in the same query.
_RUN = (
    DetectionRun.objects.filter(corpus=OuterRef("pk"))
    .annotate(
        total=Coalesce(Sum("chunks__comment_count"), 0),
        done=Coalesce(Sum("chunks__comment_count", filter=Q(chunks__done_at__isnull=False)), 0),
    )
    .order_by(F("cancelled_at").asc(nulls_first=True), "-pk")
    .values(said=JSONObject(**{name: name for name in ("done", "total", "finished_at", "cancelled_at", "paused_at")}))[
        :1
    ]
)
_WROTE = Presence.objects.filter(profile=OuterRef("pk"))
_WHOLE_VALUES = [*CLOSED_LISTS, Attribute.AGE]  # a part of such a value means something else: male in female


@dataclass(frozen=True, slots=True)
class CorpusRow:
    pk: int
    name: str
    state: str
    badge: str
    profile_count: int | None  # None: nothing of it can be read yet
    comment_count: int | None
    ready_at: datetime | None
    detection: str


@dataclass(frozen=True, slots=True)
class ProfilesPage:
    profiles: list[Profile]
    next_cursor: str | None


def corpus_with_counts(corpus: Corpus) -> Corpus:
    """With `profile_count`, `comment_count` and `detection`, how far that is in words. 1 query."""
    counted: Any = _counted(Corpus.objects.ready()).get(pk=corpus.pk)
    counted.detection = _detection(counted)
    return counted  # type: ignore[no-any-return]


def visible_corpora() -> QuerySet[Corpus]:
    """What can be read, and what an ingest is making or has left unfinished."""
    return Corpus.objects.filter(Q(ready_at__isnull=False) | Exists(_INGESTS))


def corpus_rows(corpora: QuerySet[Corpus]) -> list[CorpusRow]:
    """The newest first, with the state of the latest ingest of each. 1 query."""
    last = {"stage": Subquery(_INGESTS.values("stage")[:1]), "beat_at": Subquery(_INGESTS.values("beat_at")[:1])}
    return [_corpus_row(corpus) for corpus in _counted(corpora).annotate(**last)]


def _counted(corpora: QuerySet[Corpus]) -> QuerySet[Corpus]:
    counted = corpora.annotate(
        profile_count=Count("profiles"), comment_count=Coalesce(Sum("profiles__comment_count"), 0), run=Subquery(_RUN)
    )
    return counted.order_by("-created_at", "-pk")


def _corpus_row(corpus: Any) -> CorpusRow:
    state, badge = _state(corpus.ready_at is not None, state_of(corpus.stage, corpus.beat_at) if corpus.stage else None)
    profiles, comments = (corpus.profile_count, corpus.comment_count) if corpus.ready_at else (None, None)
    return CorpusRow(corpus.pk, corpus.name, state, badge, profiles, comments, corpus.ready_at, _detection(corpus))


def _detection(corpus: Any) -> str:
    """How far the newest run is, in a few words."""
    run = corpus.run
    if run is None:
        return "none yet"
    if run["finished_at"] or run["cancelled_at"]:
        return "done" if run["finished_at"] else "cancelled"
    total = max(run["total"], corpus.comment_count)  # what is not in a chunk yet counts too
    how_far = f"{percent(run['done'] / max(total, 1))} of {number(total)} comments"
    return f"paused at {how_far}" if run["paused_at"] else how_far


def _state(is_ready: bool, last: State | None) -> tuple[str, str]:
    """In words, and the badge that goes with them."""
    if last in (State.WAITING, State.RUNNING):
        return ("growing" if is_ready else "being made"), "accent"
    if last in (None, State.DONE):
        return ("ready", "good") if is_ready else ("stopped", "warn")
    return ("ready, import stopped" if is_ready else "stopped"), "warn"


def profiles_page(corpus: Corpus, wanted: dict[str, Any]) -> ProfilesPage:
    """One page of profiles, largest first. 1 query, as quick for the last page as for the first.

    The cursor is the last row's size and id, so that the index finds the next page without counting past the others.
    """
    rows = list(_wanted_profiles(corpus, wanted).order_by("-comment_count", "id")[: PROFILES_A_PAGE + 1])
    shown = rows[:PROFILES_A_PAGE]
    more = f"{shown[-1].comment_count}-{shown[-1].pk}" if len(rows) > PROFILES_A_PAGE else None
    return ProfilesPage(shown, more)


def _wanted_profiles(corpus: Corpus, wanted: dict[str, Any]) -> QuerySet[Profile]:
    """Every filter that was filled in must hold. A profile comes once, however many of its subreddits fit."""
    profiles = Profile.objects.filter(corpus=corpus).annotate(subreddit_count=_SUBREDDITS)
    for name, condition in _FILTERS.items():
        if wanted.get(name):
            profiles = profiles.filter(condition(wanted[name]))
    if wanted.get("attribute") or wanted.get("value"):
        profiles = profiles.filter(_suggests(wanted.get("attribute", ""), wanted.get("value", "")))
    return profiles


def _suggests(attribute: str, value: str) -> Exists:
    """Wrote in a subreddit that hints at the attribute, and at the value or a part of it."""
    hints = AttributeHint.objects.filter(attribute=attribute) if attribute else AttributeHint.objects.all()
    if value:
        part = Q(value__icontains=value) & ~Q(attribute__in=_WHOLE_VALUES)
        hints = hints.filter(Q(value__iexact=value) | part)
    return Exists(_WROTE.filter(subreddit__in=hints.values("subreddit")))


def _wrote_in(subreddit: str) -> Exists:
    return Exists(_WROTE.filter(subreddit__name__iexact=subreddit))


def _comes_after(cursor: str) -> Q:
    size, pk = (int(part) for part in cursor.split("-"))
    return Q(comment_count__lt=size) | Q(comment_count=size, pk__gt=pk)


def _midnight(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=UTC)


_FILTERS: dict[str, Callable[[Any], Q | Exists]] = {
    "q": lambda q: Q(pseudonym__icontains=q),
    "subreddit": _wrote_in,
    "at_least": lambda count: Q(comment_count__gte=count),
    "at_most": lambda count: Q(comment_count__lte=count),
    "since": lambda day: Q(last_written_at__gte=_midnight(day)),
    "until": lambda day: Q(first_written_at__lt=_midnight(day)),
    "after": _comes_after,
}
