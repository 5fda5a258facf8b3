"""Small studies with explicit judgements, for tests."""

from collections.abc import Mapping, Sequence
from itertools import count

from django.utils import timezone

from annotator.models import Annotator, Assignment, Batch, Judgement
from evaluation.agreement.reports import make_report
from evaluation.agreement.scopes import Scope
from evaluation.models import AgreementReport
from profiles.attributes import Attribute
from profiles.encryption import account_digest
from profiles.models import Corpus, Profile
from tests.factories import make_annotator, make_batch, make_corpus

_numbers = count(1)
Said = Mapping[str, str]  # values by attribute; the others are empty


def make_profiles(corpus: Corpus, many: int) -> list[Profile]:
    now = timezone.now()
    rows = [
        Profile(
            corpus=corpus, pseudonym=f"still-otter-{number}", account_digest=account_digest(f"otter{number}"),
            comment_count=1, first_written_at=now, last_written_at=now,
        )
        for number in (next(_numbers) for _ in range(many))
    ]  # fmt: skip
    return Profile.objects.bulk_create(rows)


def submit(
    batch: Batch, person: Annotator, profiles: Sequence[Profile], answers: Sequence[Said], **fields: object
) -> list[Assignment]:
    """Submit one assignment for each profile, with these answers."""
    now = timezone.now()
    slots = Assignment.objects.bulk_create(
        Assignment(
            batch=batch, profile=profile, annotator=person, slot=person.pk % 30_000, position=next(_numbers),
            **{"claimed_at": now, "submitted_at": now} | fields,
        )
        for profile in profiles
    )  # fmt: skip
    Judgement.objects.bulk_create(
        judgement for slot, answer in zip(slots, answers, strict=True) for judgement in _judgements(slot, answer)
    )
    return slots


def _judgements(slot: Assignment, answer: Said) -> list[Judgement]:
    """Eight judgements. A value may include its hardness and certainty: `teacher|2|4`."""
    now, made = timezone.now(), []
    for attribute in Attribute:
        value, hardness, certainty = [*answer.get(attribute, "").split("|"), "2", "4"][:3]
        rated = {"hardness": int(hardness), "certainty": int(certainty)} if value else {}
        made.append(Judgement(assignment=slot, attribute=attribute, value=value, judged_at=now, **rated))
    return made


def make_study(answers: Sequence[Sequence[Said]], *, corpus: Corpus | None = None, **fields: object) -> Batch:
    """A batch in which each person gave these answers on the same profiles."""
    batch = make_batch(corpus=corpus or make_corpus(), overlap=max(len(answers), 1), **fields)
    profiles = make_profiles(batch.corpus, len(answers[0]))
    for answer in answers:
        submit(batch, make_annotator(), profiles, answer)
    return batch


def said_of(attribute: str, values: Sequence[str]) -> list[Said]:
    return [{attribute: value} if value else {} for value in values]


def report_of(batch: Batch) -> AgreementReport:
    report = make_report(Scope(batch.corpus, batch))
    assert report is not None
    return report


def figure_of(report: AgreementReport, attribute: str, aspect: str, measure: str) -> dict:
    key = (attribute, aspect, measure)
    return next(f for f in report.contents["figures"] if (f["attribute"], f["aspect"], f["measure"]) == key)
