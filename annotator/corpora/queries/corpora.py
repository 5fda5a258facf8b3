"""Corpora and their profiles, as the corpus pages list them."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

from django.core.paginator import Page
from django.db.models import Count, Exists, F, Func, IntegerField, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce, JSONObject, Lower, Now
from django.utils.dateparse import parse_datetime

from annotator.core.formatting import number, percent
from annotator.core.jobs import ShownJob, show_job
from annotator.core.pages import page_of
from annotator.core.sort_order import Sorting
from annotator.core.sql import related
from annotator.models import CorpusDeletion
from profiles.attributes import CLOSED_LISTS, Attribute
from profiles.jobs.states import State, state_of
from profiles.models import AttributeHint, Corpus, DetectionRun, Ingest, Presence, Profile
from profiles.models.chunks import DONE

PAGE_SIZE = 50

# A subquery per displayed row, so the filters below need no GROUP BY.
_SUBREDDIT_COUNT = Subquery(
    Presence.objects.filter(profile=OuterRef("pk"))
    .order_by()
    .annotate(count=Func("pk", function="COUNT"))
    .values("count"),
    output_field=IntegerField(),
)
_INGESTS = Ingest.objects.filter(corpus=OuterRef("pk")).order_by("-pk")
_TIMES = ("requested_at", "paused_at", "cancelled_at", "finished_at", "began_at", "beat_at")
_INGEST = _INGESTS.values(times=JSONObject(**{name: name for name in ("stage", *_TIMES)}))[:1]
# Progress of each corpus's newest run, preferring runs that were not cancelled.
_RUN_FIELDS = ("done", "total", "finished_at", "cancelled_at", "paused_at")
_NEWEST_RUN = (
    DetectionRun.objects.filter(corpus=OuterRef("pk"))
    .annotate(
        total=Coalesce(Sum("chunks__comment_count"), 0),
        done=Coalesce(Sum("chunks__comment_count", filter=related("chunks", DONE)), 0),
    )
    .order_by(F("cancelled_at").asc(nulls_first=True), "-pk")
    .values(fields=JSONObject(**{name: name for name in _RUN_FIELDS}))[:1]
)
_PRESENCES = Presence.objects.filter(profile=OuterRef("pk"))
_WHOLE_VALUES = [*CLOSED_LISTS, Attribute.AGE]  # must match as a whole: "male" is part of "female"


@dataclass(frozen=True, slots=True)
class CorpusRow:
    pk: int
    name: str
    state: str
    badge: str
    profile_count: int | None  # None until the corpus can be read
    comment_count: int | None
    ready_at: datetime | None
    detection: str


@dataclass(frozen=True, slots=True)
class ProfilesPage:
    profiles: list[Profile]
    next_cursor: str | None


def corpus_with_counts(corpus: Corpus) -> Corpus:
    """Add `profile_count`, `comment_count` and `detection` (its progress in words). 1 query."""
    annotated: Any = _with_counts(Corpus.objects.ready()).get(pk=corpus.pk)
    annotated.detection = _detection(annotated)
    return annotated  # type: ignore[no-any-return]


CORPUS_COLUMNS = {
    "name": "lower_name",
    "profiles": "-profile_count",
    "comments": "-comment_count",
    "ready": "-ready_or_now -created_at",  # those being imported count as the newest
}


def corpora_page(sorting: Sorting, page_number: str) -> "Page[CorpusRow]":
    """One page of corpora, archived ones after all others. 2 queries."""
    corpora = _with_ingests(Corpus.objects.visible()).annotate(
        is_archived=Q(archived_at__isnull=False), lower_name=Lower("name"), ready_or_now=Coalesce("ready_at", Now())
    )
    return page_of(corpora.order_by("is_archived", *sorting.order), page_number, _corpus_row)


def corpus_rows(corpora: QuerySet[Corpus]) -> list[CorpusRow]:
    """Newest first, each with the state of its latest ingest. 1 query."""
    return [_corpus_row(corpus) for corpus in _with_ingests(corpora)]


def _with_ingests(corpora: QuerySet[Corpus]) -> QuerySet[Corpus]:
    return _with_counts(corpora).annotate(ingest=Subquery(_INGEST))


def shown_deletions() -> list[tuple[CorpusDeletion, ShownJob]]:
    """Deletions that have not ended well, newest first. 1 query."""
    deletions = CorpusDeletion.objects.exclude(finished_at__isnull=False, problem="").order_by("-pk")
    return [(deletion, show_job(deletion, "comments")) for deletion in deletions]


def _with_counts(corpora: QuerySet[Corpus]) -> QuerySet[Corpus]:
    annotated = corpora.annotate(
        profile_count=Count("profiles"),
        comment_count=Coalesce(Sum("profiles__comment_count"), 0),
        run=Subquery(_NEWEST_RUN),
    )
    return annotated.order_by("-created_at", "-pk")


def _corpus_row(corpus: Any) -> CorpusRow:
    state, badge = _state(corpus.ready_at is not None, _ingest_state(corpus.ingest))
    if corpus.archived_at:
        state, badge = "archived", ""
    profiles, comments = (corpus.profile_count, corpus.comment_count) if corpus.ready_at else (None, None)
    return CorpusRow(
        pk=corpus.pk, name=corpus.name, state=state, badge=badge, profile_count=profiles, comment_count=comments,
        ready_at=corpus.ready_at, detection=_detection(corpus),
    )  # fmt: skip


def _detection(corpus: Any) -> str:
    """Progress of the newest run in a few words."""
    run = corpus.run
    if run is None:
        return "none yet"
    if run["finished_at"] or run["cancelled_at"]:
        return "done" if run["finished_at"] else "cancelled"
    total = max(run["total"], corpus.comment_count)  # includes comments not yet in a chunk
    progress = f"{percent(run['done'] / max(total, 1))} of {number(total)} comments"
    return f"paused at {progress}" if run["paused_at"] else progress


def _ingest_state(row: dict[str, Any] | None) -> State | None:
    if row is None:
        return None
    times = {name: parse_datetime(row[name]) if row[name] else None for name in _TIMES}
    return state_of(Ingest(stage=row["stage"], **times))


def _state(is_ready: bool, latest: State | None) -> tuple[str, str]:
    """The state in words, and its badge."""
    if latest in (State.WAITING, State.RUNNING):
        return ("growing" if is_ready else "being created"), "accent"
    if latest in (None, State.FINISHED):
        return ("ready", "good") if is_ready else ("stopped", "warn")
    return ("ready, import stopped" if is_ready else "stopped"), "warn"


def profiles_page(corpus: Corpus, filters: dict[str, Any]) -> ProfilesPage:
    """One page of profiles, largest first. 1 query.

    The cursor is the size and id of the last row, so the index finds any page as fast as the first one.
    """
    rows = list(_matching_profiles(corpus, filters).order_by("-comment_count", "id")[: PAGE_SIZE + 1])
    page = rows[:PAGE_SIZE]
    next_cursor = f"{page[-1].comment_count}-{page[-1].pk}" if len(rows) > PAGE_SIZE else None
    return ProfilesPage(page, next_cursor)


def _matching_profiles(corpus: Corpus, filters: dict[str, Any]) -> QuerySet[Profile]:
    """Apply every filter that was set. A profile appears once, however many of its subreddits match."""
    profiles = Profile.objects.filter(corpus=corpus).annotate(subreddit_count=_SUBREDDIT_COUNT)
    for name, condition in _FILTERS.items():
        if filters.get(name):
            profiles = profiles.filter(condition(filters[name]))
    if filters.get("attribute") or filters.get("value"):
        profiles = profiles.filter(_has_hint(filters.get("attribute", ""), filters.get("value", "")))
    return profiles


def _has_hint(attribute: str, value: str) -> Exists:
    """Whether the profile wrote in a subreddit with a hint for the attribute, whose value contains the given one."""
    hints = AttributeHint.objects.filter(attribute=attribute) if attribute else AttributeHint.objects.all()
    if value:
        part = Q(value__icontains=value) & ~Q(attribute__in=_WHOLE_VALUES)
        hints = hints.filter(Q(value__iexact=value) | part)
    return Exists(_PRESENCES.filter(subreddit__in=hints.values("subreddit")))


def _wrote_in(subreddit: str) -> Exists:
    return Exists(_PRESENCES.filter(subreddit__name__iexact=subreddit))


def _follows(cursor: str) -> Q:
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
    "after": _follows,
}
