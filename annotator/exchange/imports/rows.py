"""What a file says about profiles, as assignments, judgements, evidence, submissions and gold. Nothing twice."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Max
from django.utils import timezone

from annotator.core.evidence import EvidenceSpan
from annotator.exchange.formats.records import CitedSpan, written_id
from annotator.exchange.imports.people import Batches, Reviewers
from annotator.exchange.imports.records import IncomingProfile, IncomingReview, IncomingSaid, is_code
from annotator.models import Assignment, Evidence, GoldRecord, Judgement, Submission
from profiles.attributes import Attribute
from profiles.models import Comment


@dataclass(frozen=True, slots=True)
class Taken:
    """A review on its way to rows."""

    profile: int
    review: IncomingReview
    slot: Assignment
    at: datetime


class Rows:
    def __init__(self, reviewers: Reviewers, batches: Batches) -> None:
        self._reviewers, self._batches = reviewers, batches
        self.counts: Counter[str] = Counter()

    def add(self, profiles: dict[int, IncomingProfile]) -> None:
        """Everything about these profiles, by their rows. About 12 queries, however many there are."""
        evidence = _Evidence(profiles)
        taken = list(self._new_reviews(profiles))
        Assignment.objects.bulk_create([one.slot for one in taken], batch_size=1000)
        judged = [(one, attribute, said) for one in taken for attribute, said in one.review.answers.items()]
        judgements = [_judgement(*one) for one in judged]
        Judgement.objects.bulk_create(judgements, batch_size=2000)
        spans = [evidence.find(one.profile, said.evidence) for one, _, said in judged]
        _add_evidence(judgements, spans)
        _add_submissions(taken, judged, spans)
        self.counts.update(
            reviews=len(taken), judgements=len(judgements), answers=sum(bool(one.value) for one in judgements)
        )
        self._add_gold(profiles, evidence)

    def _new_reviews(self, profiles: dict[int, IncomingProfile]) -> Iterator[Taken]:
        fresh = self._not_told_here(profiles)
        people = self._reviewers.find({review.reviewer for _, review in fresh})
        said = Assignment.objects.filter(profile__in=profiles, annotator__in=people.values())
        there, places = set(said.values_list("profile", "annotator")), _Places(list(profiles))
        for pk, review in fresh:
            key = (pk, people[review.reviewer])
            if key not in there:
                there.add(key)
                at = review.submitted_at or timezone.now()
                yield Taken(pk, review, self._slot(key, review, at, places), at)
            else:
                self.counts["there"] += 1

    def _not_told_here(self, profiles: dict[int, IncomingProfile]) -> list[tuple[int, IncomingReview]]:
        """Without those of our own people that come back in our own file."""
        reviews = [(pk, review) for pk, incoming in profiles.items() for review in incoming.reviews]
        codes = {review.reviewer for _, review in reviews if is_code(review.reviewer)}
        ours = Assignment.objects.submitted().filter(profile__in=profiles, annotator__code__in=codes)
        told = set(ours.values_list("profile", "annotator__code")) if codes else set()
        fresh = [(pk, review) for pk, review in reviews if (pk, review.reviewer) not in told]
        self.counts["there"] += len(reviews) - len(fresh)
        return fresh

    def _slot(self, who: tuple[int, int], review: IncomingReview, at: datetime, places: "_Places") -> Assignment:
        batch, (profile, annotator) = self._batches.find(review.batch, review.guideline), who
        position, slot = places.next(batch.pk, profile)
        return Assignment(
            batch=batch, profile_id=profile, annotator_id=annotator, slot=slot, position=position,
            claimed_at=at, submitted_at=at, active_seconds=review.active_seconds,
        )  # fmt: skip

    def _add_gold(self, profiles: dict[int, IncomingProfile], evidence: "_Evidence") -> None:
        """Only where there is none, so that what was decided here stays."""
        wanted = {pk: one for pk, one in profiles.items() if one.gold}
        if not wanted:
            return
        there = set(GoldRecord.objects.filter(profile__in=wanted).values_list("profile", "attribute"))
        said = _said(list(wanted))
        records = [
            self._gold(pk, attribute, incoming, said[pk, attribute], evidence)
            for pk, incoming in wanted.items()
            for attribute in incoming.gold
            if (pk, attribute) not in there
        ]
        GoldRecord.objects.bulk_create(records, batch_size=1000)
        self.counts["gold"] += len(records)

    def _gold(
        self,
        pk: int,
        attribute: Attribute,
        incoming: IncomingProfile,
        said: list[dict[str, Any]],
        evidence: "_Evidence",
    ) -> GoldRecord:
        gold = incoming.gold[attribute]
        by = self._reviewers.find({gold.decided_by})[gold.decided_by] if gold.decided_by else None
        return GoldRecord(
            profile_id=pk, attribute=attribute, **_conclusion(gold.said), reached=gold.reached, rule=gold.rule,
            reason=gold.reason, decided_by_id=by, decided_at=gold.decided_at, said=said,
            guideline=self._batches.guideline(gold.guideline), batch_ids=sorted({one["batch"] for one in said}),
            evidence=[span.as_json() for span in evidence.find(pk, gold.said.evidence)],
        )  # fmt: skip


class _Places:
    """Where the next slot of a profile stands in its batch."""

    def __init__(self, profiles: list[int]) -> None:
        self._profiles = profiles
        self._positions: dict[int, int] = {}
        self._slots: dict[tuple[int, int], tuple[int, int]] = {}

    def next(self, batch: int, profile: int) -> tuple[int, int]:
        if batch not in self._positions:
            self._look_up(batch)
        position, slot = self._slots.get((batch, profile), (self._positions[batch], 0))
        self._positions[batch] += slot == 0
        self._slots[batch, profile] = (position, slot + 1)
        return position, slot

    def _look_up(self, batch: int) -> None:
        slots = Assignment.objects.filter(batch=batch)
        last = slots.aggregate(last=Max("position"))["last"]
        self._positions[batch] = 0 if last is None else last + 1
        there = slots.filter(profile__in=self._profiles).values_list("profile", "position", "slot")
        for profile, position, slot in there.order_by("slot"):
            self._slots[batch, profile] = (position, slot + 1)


class _Evidence:
    """Marked words, found again in the comments as they are here. What is not there any more is left out."""

    def __init__(self, profiles: dict[int, IncomingProfile]) -> None:
        cited = [pk for pk, one in profiles.items() if _cites(one)]
        self._comments: defaultdict[int, dict[str, tuple[int, str]]] = defaultdict(dict)
        rows = Comment.objects.filter(profile__in=cited).order_by("written_at", "pk") if cited else []
        for row in rows:
            self._comments[row.profile_id][written_id(row.reddit_id, row.copy_number)] = (row.pk, row.body)

    def find(self, profile: int, cited: Sequence[CitedSpan]) -> list[EvidenceSpan]:
        spans = (self._find(self._comments[profile], span) for span in cited)
        return list(dict.fromkeys(span for span in spans if span))

    def _find(self, comments: dict[str, tuple[int, str]], cited: CitedSpan) -> EvidenceSpan | None:
        named = [comments[cited.comment]] if cited.comment in comments else []
        for pk, body in named or (list(comments.values()) if cited.text else []):
            text = cited.text_of(body)
            if len(text) == cited.length and cited.text in ("", text):
                return EvidenceSpan(cited.start, cited.end, pk, text)
        return None


def _cites(profile: IncomingProfile) -> bool:
    said = [said for review in profile.reviews for said in review.answers.values()]
    return any(one.evidence for one in [*said, *(gold.said for gold in profile.gold.values())])


def _conclusion(said: IncomingSaid) -> dict[str, Any]:
    names = ("value", "hardness", "certainty", "required_subreddit")
    return {name: getattr(said, name) for name in names}


def _judgement(taken: Taken, attribute: Attribute, said: IncomingSaid) -> Judgement:
    return Judgement(
        assignment=taken.slot, attribute=attribute, **_conclusion(said), note=said.note, geoname_id=said.geoname_id,
        judged_at=taken.at, active_seconds=said.active_seconds,
    )  # fmt: skip


def _add_evidence(judgements: list[Judgement], evidence: list[list[EvidenceSpan]]) -> None:
    Evidence.objects.bulk_create(
        (
            Evidence(judgement=judgement, comment_id=span.comment, start=span.start, end=span.end, text=span.text)
            for judgement, spans in zip(judgements, evidence, strict=True)
            for span in spans
        ),
        batch_size=2000,
    )


def _add_submissions(
    taken: list[Taken], judged: list[tuple[Taken, Attribute, IncomingSaid]], evidence: list[list[EvidenceSpan]]
) -> None:
    answers: defaultdict[int, list[dict[str, Any]]] = defaultdict(list)
    for (one, attribute, said), spans in zip(judged, evidence, strict=True):
        quoted = [span.as_json() for span in spans]
        words = {"note": said.note, "evidence": quoted, "attribute": attribute.value, "geoname_id": said.geoname_id}
        answers[one.slot.pk].append(_conclusion(said) | words)
    Submission.objects.bulk_create(
        [
            Submission(
                assignment=one.slot, number=1, submitted_at=one.at, answers=answers[one.slot.pk],
                nothing_inferred=not any(said.value for said in one.review.answers.values()),
                active_seconds=one.review.active_seconds,
            )
            for one in taken
        ],
        batch_size=1000,
    )  # fmt: skip


def _said(profiles: list[int]) -> defaultdict[tuple[int, str], list[dict[str, Any]]]:
    """Who said what, as a gold record keeps it."""
    said: defaultdict[tuple[int, str], list[dict[str, Any]]] = defaultdict(list)
    rows = Judgement.objects.filter(assignment__profile__in=profiles, assignment__submitted_at__isnull=False)
    for row in rows.select_related("assignment").order_by("pk"):
        said[row.assignment.profile_id, row.attribute].append(
            {
                "judgement": row.pk, "annotator": row.assignment.annotator_id, "batch": row.assignment.batch_id,
                "value": row.value, "hardness": row.hardness, "certainty": row.certainty,
                "required_subreddit": row.required_subreddit, "judged_at": row.judged_at.isoformat(),
            }
        )  # fmt: skip
    return said
