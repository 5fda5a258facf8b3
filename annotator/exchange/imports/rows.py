"""Write reviews and gold of a file as rows, leaving out what exists already."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Max
from django.utils import timezone

from annotator.core.evidence import EvidenceSpan
from annotator.exchange.formats.records import CitedSpan, format_reddit_id
from annotator.exchange.imports.people import Batches, Reviewers
from annotator.exchange.imports.records import IncomingAnswer, IncomingProfile, IncomingReview, is_code
from annotator.models import Assignment, Evidence, GoldRecord, Judgement, Submission
from profiles.attributes import Attribute
from profiles.models import Comment


@dataclass(frozen=True, slots=True)
class NewReview:
    """A review and the assignment it becomes."""

    profile: int
    review: IncomingReview
    assignment: Assignment
    at: datetime


class LabelWriter:
    def __init__(self, reviewers: Reviewers, batches: Batches) -> None:
        self._reviewers, self._batches = reviewers, batches
        self.counts: Counter[str] = Counter()

    def add(self, profiles: dict[int, IncomingProfile]) -> None:
        """Add the labels of these profiles, given by id. About 12 queries, however many there are."""
        evidence = _Evidence(profiles)
        reviews = list(self._new_reviews(profiles))
        Assignment.objects.bulk_create([review.assignment for review in reviews], batch_size=1000)
        answers = [
            (review, attribute, answer) for review in reviews for attribute, answer in review.review.answers.items()
        ]
        judgements = [_judgement(*answer) for answer in answers]
        Judgement.objects.bulk_create(judgements, batch_size=2000)
        spans = [evidence.find(review.profile, answer.evidence) for review, _, answer in answers]
        _add_evidence(judgements, spans)
        _add_submissions(reviews, answers, spans)
        self.counts.update(
            reviews=len(reviews),
            judgements=len(judgements),
            answers=sum(bool(judgement.value) for judgement in judgements),
        )
        self._add_gold(profiles, evidence)

    def _new_reviews(self, profiles: dict[int, IncomingProfile]) -> Iterator[NewReview]:
        reviews = self._without_own_reviews(profiles)
        people = self._reviewers.find({review.reviewer for _, review in reviews})
        assignments = Assignment.objects.filter(profile__in=profiles, annotator__in=people.values())
        existing, positions = set(assignments.values_list("profile", "annotator")), _Positions(list(profiles))
        for pk, review in reviews:
            key = (pk, people[review.reviewer])
            if key not in existing:
                existing.add(key)
                at = review.submitted_at or timezone.now()
                yield NewReview(pk, review, self._assignment(key, review, at, positions), at)
            else:
                self.counts["there"] += 1

    def _without_own_reviews(self, profiles: dict[int, IncomingProfile]) -> list[tuple[int, IncomingReview]]:
        """Leave out reviews of our own annotators that come back in our own file."""
        reviews = [(pk, review) for pk, incoming in profiles.items() for review in incoming.reviews]
        codes = {review.reviewer for _, review in reviews if is_code(review.reviewer)}
        ours = Assignment.objects.submitted().filter(profile__in=profiles, annotator__code__in=codes)
        existing = set(ours.values_list("profile", "annotator__code")) if codes else set()
        others = [(pk, review) for pk, review in reviews if (pk, review.reviewer) not in existing]
        self.counts["there"] += len(reviews) - len(others)
        return others

    def _assignment(
        self, key: tuple[int, int], review: IncomingReview, at: datetime, positions: "_Positions"
    ) -> Assignment:
        batch, (profile, annotator) = self._batches.find(review.batch, review.guideline), key
        position, slot = positions.next(batch.pk, profile)
        return Assignment(
            batch=batch, profile_id=profile, annotator_id=annotator, slot=slot, position=position,
            claimed_at=at, submitted_at=at, active_seconds=review.active_seconds,
        )  # fmt: skip

    def _add_gold(self, profiles: dict[int, IncomingProfile], evidence: "_Evidence") -> None:
        """Add gold only where there is none, so that decisions made here stay."""
        with_gold = {pk: profile for pk, profile in profiles.items() if profile.gold}
        if not with_gold:
            return
        existing = set(GoldRecord.objects.filter(profile__in=with_gold).values_list("profile", "attribute"))
        judgements = _judgements_by_attribute(list(with_gold))
        records = [
            self._gold(pk, attribute, incoming, judgements[pk, attribute], evidence)
            for pk, incoming in with_gold.items()
            for attribute in incoming.gold
            if (pk, attribute) not in existing
        ]
        GoldRecord.objects.bulk_create(records, batch_size=1000)
        self.counts["gold"] += len(records)

    def _gold(
        self,
        pk: int,
        attribute: Attribute,
        incoming: IncomingProfile,
        judgements: list[dict[str, Any]],
        evidence: "_Evidence",
    ) -> GoldRecord:
        gold = incoming.gold[attribute]
        by = self._reviewers.find({gold.decided_by})[gold.decided_by] if gold.decided_by else None
        return GoldRecord(
            profile_id=pk, attribute=attribute, **_conclusion(gold.answer), reached=gold.reached, rule=gold.rule,
            reason=gold.reason, decided_by_id=by, decided_at=gold.decided_at, said=judgements,
            batch_ids=sorted({judgement["batch"] for judgement in judgements}),
            evidence=[span.as_json() for span in evidence.find(pk, gold.answer.evidence)],
        )  # fmt: skip


class _Positions:
    """The next position and slot of a profile in a batch."""

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
        assignments = Assignment.objects.filter(batch=batch)
        last = assignments.aggregate(last=Max("position"))["last"]
        self._positions[batch] = 0 if last is None else last + 1
        rows = assignments.filter(profile__in=self._profiles).values_list("profile", "position", "slot")
        for profile, position, slot in rows.order_by("slot"):
            self._slots[batch, profile] = (position, slot + 1)


class _Evidence:
    """Locate cited spans in our comments; those whose text differs are left out."""

    def __init__(self, profiles: dict[int, IncomingProfile]) -> None:
        cited = {pk: profile for pk, profile in profiles.items() if _has_evidence(profile)}
        self._comments: defaultdict[int, dict[str, Comment]] = defaultdict(dict)  # by profile and Reddit's id
        rows = Comment.objects.filter(profile__in=cited).select_related("subreddit") if cited else []
        for row in sorted(rows, key=lambda row: (row.written_at, row.reddit_id, row.copy_number)):
            self._comments[row.profile_id][format_reddit_id(row.reddit_id, row.copy_number)] = row
        self._numbered = {pk: _numbered_comments(profile, self._comments[pk]) for pk, profile in cited.items()}

    def find(self, profile: int, cited: Sequence[CitedSpan]) -> list[EvidenceSpan]:
        spans = (self._find(profile, span) for span in cited)
        return list(dict.fromkeys(span for span in spans if span))

    def _find(self, profile: int, cited: CitedSpan) -> EvidenceSpan | None:
        comments = self._comments[profile]
        named = self._numbered.get(profile, {}).get(cited.comment) or comments.get(cited.comment)
        for comment in [named] if named else list(comments.values()) if cited.text else []:
            text = cited.text_of(comment.body)
            if len(text) == cited.length and cited.text in ("", text):
                return EvidenceSpan(cited.start, cited.end, comment.pk, text)
        return None


def _numbered_comments(profile: IncomingProfile, ours: dict[str, Comment]) -> dict[str, Comment]:
    """Our comments by their number in the file, if the file has numbers instead of ids.

    A profile that was here before has other ids: its comments are those of the same second and subreddit, in order.
    """
    if profile.has_own_ids:
        return {}
    by_time: defaultdict[tuple[int, str], list[Comment]] = defaultdict(list)
    for comment in ours.values():
        by_time[int(comment.written_at.timestamp()), comment.subreddit.name.lower()].append(comment)
    numbered = {}
    for number, incoming in enumerate(profile.comments, 1):
        same = by_time[int(incoming.written_at.timestamp()), incoming.subreddit.lower()]
        own = ours.get(incoming.stored_id) or (same.pop(0) if same else None)
        if own:
            numbered[str(number)] = own
    return numbered


def _has_evidence(profile: IncomingProfile) -> bool:
    answers = [answer for review in profile.reviews for answer in review.answers.values()]
    return any(answer.evidence for answer in [*answers, *(gold.answer for gold in profile.gold.values())])


def _conclusion(answer: IncomingAnswer) -> dict[str, Any]:
    names = ("value", "hardness", "certainty", "required_subreddit")
    return {name: getattr(answer, name) for name in names}


def _judgement(review: NewReview, attribute: Attribute, answer: IncomingAnswer) -> Judgement:
    return Judgement(
        assignment=review.assignment, attribute=attribute, **_conclusion(answer), note=answer.note,
        geoname_id=answer.geoname_id, judged_at=review.at, active_seconds=answer.active_seconds,
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
    reviews: list[NewReview],
    answers: list[tuple[NewReview, Attribute, IncomingAnswer]],
    evidence: list[list[EvidenceSpan]],
) -> None:
    contents: defaultdict[int, list[dict[str, Any]]] = defaultdict(list)
    for (review, attribute, answer), spans in zip(answers, evidence, strict=True):
        contents[review.assignment.pk].append(
            _conclusion(answer)
            | {
                "note": answer.note,
                "evidence": [span.as_json() for span in spans],
                "attribute": attribute.value,
                "geoname_id": answer.geoname_id,
            }
        )
    Submission.objects.bulk_create(
        [
            Submission(
                assignment=review.assignment, number=1, submitted_at=review.at, answers=contents[review.assignment.pk],
                nothing_inferred=not any(answer.value for answer in review.review.answers.values()),
                active_seconds=review.review.active_seconds,
            )
            for review in reviews
        ],
        batch_size=1000,
    )  # fmt: skip


def _judgements_by_attribute(profiles: list[int]) -> defaultdict[tuple[int, str], list[dict[str, Any]]]:
    """Submitted judgements by profile and attribute, as a gold record stores them."""
    judgements: defaultdict[tuple[int, str], list[dict[str, Any]]] = defaultdict(list)
    rows = Judgement.objects.filter(assignment__profile__in=profiles, assignment__submitted_at__isnull=False)
    for row in rows.select_related("assignment").order_by("pk"):
        judgements[row.assignment.profile_id, row.attribute].append(
            {
                "judgement": row.pk, "annotator": row.assignment.annotator_id, "batch": row.assignment.batch_id,
                "value": row.value, "hardness": row.hardness, "certainty": row.certainty,
                "required_subreddit": row.required_subreddit, "judged_at": row.judged_at.isoformat(),
            }
        )  # fmt: skip
    return judgements
