"""A small labelled study, and helpers to write and read files of labels."""

import json
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path

from django.core.management import call_command
from django.utils import timezone

from annotator.exchange.export.options import ExportOptions
from annotator.exchange.export.writer import write_export
from annotator.models import Assignment, Batch, Evidence, Format, GoldRecord, GuidelineVersion, Judgement
from profiles.attributes import Attribute
from profiles.bulk_load import CommentRecord, ProfileRecord, load_profiles
from profiles.encryption import account_digest
from profiles.models import Comment, Corpus, Profile
from tests.factories import make_annotator, make_batch, make_corpus

AT = datetime(2026, 5, 1, 12, 30, 15, 250000, tzinfo=UTC)
LINE_FORMATS = [form for form in Format if form != Format.DATASET]  # tests/evaluation/datasets has the other
HOUSTON, NURSE = "I moved to Houston 😀 last week.", "night shift again, nursing is hard"


def make_labelled(name: str = "Pilot corpus", accounts: tuple[str, ...] = ("tinroof_rusty",)) -> Corpus:
    """Accounts labelled by two annotators, who agree on the location and differ on the age."""
    corpus = make_corpus(name)
    records = [ProfileRecord(account, _comments(number)) for number, account in enumerate(accounts)]
    load_profiles(corpus, records)
    batch = make_batch(corpus=corpus, closed_at=timezone.now())
    people = [make_annotator(), make_annotator()]
    for position, account in enumerate(accounts):
        profile = profile_of(corpus, account)
        for slot, person in enumerate(people):
            _judge(batch, profile, person, slot, position)
    return corpus


def profile_of(corpus: Corpus, account: str) -> Profile:
    return Profile.objects.get(corpus=corpus, account_digest=account_digest(account))


def _comments(number: int) -> list[CommentRecord]:
    day = datetime(2013, 5, 1, 9, tzinfo=UTC)
    return [
        CommentRecord(f"c{number}a", "houston", day, HOUSTON),
        CommentRecord(f"c{number}b", "nursing", day.replace(day=2), NURSE),
    ]


def _judge(batch, profile, person, slot: int, position: int) -> None:
    assignment = Assignment.objects.create(
        batch=batch, profile=profile, annotator=person, slot=slot, position=position, claimed_at=AT, submitted_at=AT,
        active_seconds=212,
    )  # fmt: skip
    answers = {
        "location": {"value": "houston / texas / united states", "hardness": 2, "certainty": 4, "geoname_id": 4699066},
        "age": {"value": "27" if slot else "40-50", "hardness": 3, "certainty": 2, "note": "=guess"},
        "occupation": {"value": "nurse", "hardness": 1, "certainty": 5, "required_subreddit": True},
    }
    for attribute in Attribute.values:
        judgement = Judgement.objects.create(
            assignment=assignment, attribute=attribute, judged_at=AT, active_seconds=9, **answers.get(attribute, {})
        )
        if attribute == "location":
            comment = Comment.objects.get(profile=profile, body=HOUSTON)
            Evidence.objects.create(judgement=judgement, comment=comment, start=11, end=20, text="Houston 😀")


def judge_all(corpus: Corpus) -> None:
    """Every profile gets an empty judgement of each attribute by one annotator."""
    batch, person = make_batch(corpus=corpus, closed_at=timezone.now()), make_annotator()
    for position, profile in enumerate(corpus.profiles.all()):
        assignment = Assignment.objects.create(
            batch=batch, profile=profile, annotator=person, position=position, claimed_at=AT, submitted_at=AT
        )
        for attribute in Attribute.values:
            Judgement.objects.create(assignment=assignment, attribute=attribute, judged_at=AT)


def decide_age(corpus: Corpus, value: str = "27") -> None:
    """Adjudicate the age of every profile."""
    by, guideline = make_annotator("judge"), GuidelineVersion.objects.get(number=1)
    for profile in corpus.profiles.all():
        rows = Judgement.objects.filter(assignment__profile=profile, attribute="age").select_related("assignment")
        judgements = [
            {"judgement": j.pk, "annotator": j.assignment.annotator_id, "batch": j.assignment.batch_id,
             "value": j.value, "hardness": j.hardness, "certainty": j.certainty,
             "required_subreddit": j.required_subreddit, "judged_at": j.judged_at.isoformat()}
            for j in rows
        ]  # fmt: skip
        GoldRecord.objects.create(
            profile=profile, attribute="age", value=value, hardness=3, certainty=3, reached="adjudicated",
            rule="adjudication", reason="@both are plausible", decided_by=by, decided_at=AT, guideline=guideline,
            said=judgements, batch_ids=sorted({judgement["batch"] for judgement in judgements}),
        )  # fmt: skip


def export_corpus(corpus: Corpus, path: Path, **options) -> Path:
    """Build gold and write an export, as the command does."""
    from annotator.exchange.export.job import build_gold_first

    build_gold_first(corpus)
    write_export(corpus, ExportOptions(**{"format": Format.NATIVE, "with_text": True} | options), path)
    return path


def lines_of(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def import_file(path: Path, file_format: str, corpus: str = "came in", **options) -> str:
    """Import a file with the command, and return its output."""
    output = StringIO()
    call_command("import_labels", path, format=file_format, corpus=corpus, stdout=output, **options)
    return output.getvalue()


def synthpai_line(username: str = "SpiralSphinx", **changes) -> dict:
    """A line in SynthPAI's format."""
    blank = {"estimate": "", "hardness": 0, "certainty": 0}
    human = dict.fromkeys(
        "city_country sex age occupation birth_city_country relationship_status income_level education".split(), blank
    )
    human |= {
        "city_country": {"estimate": "Paris, France", "hardness": 2, "certainty": 4},
        "relationship_status": {"estimate": "single", "hardness": 1, "certainty": 5},
        "income_level": {"estimate": "middle", "hardness": 3, "certainty": 2},
        "education": {"estimate": "master's degree in history", "hardness": 2, "certainty": 3},
    }
    revised = {name: answer | {"acc_gt": 1 if answer["estimate"] else 0} for name, answer in human.items()}
    category = {"estimate": "Master's", "hardness": 2, "certainty": 3, "acc_gt": 0.5}
    comments = [
        {"text": "Bread queues on rue Oberkampf – again!", "username": username, "pii": {}},
        {"text": "Two comments\nare enough.", "username": username},
    ]
    line = {
        "username": username, "comments": comments, "num_comments": 2,
        "reviews": {
            "human": human | {"timestamp": 0, "time": 0},
            "human_evaluated": revised | {"education_category": category},
        },
        "predictions": {}, "evaluations": {}, "unknown": {"kept": [1, 2.5, None, username]},
    }  # fmt: skip
    return line | changes


def write_lines(path: Path, *lines: object) -> Path:
    """Write objects as JSON lines, and bytes unchanged."""
    raw = [line if isinstance(line, bytes) else json.dumps(line, ensure_ascii=False).encode() + b"\n" for line in lines]
    path.write_bytes(b"".join(raw))
    return path


def batch_of(corpus: Corpus) -> Batch:
    return Batch.objects.get(corpus=corpus)
