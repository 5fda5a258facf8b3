"""Create the demo study: a synthetic corpus, accounts, a half-finished batch, an untouched one, and practice."""

from collections.abc import Callable, Sequence
from functools import partial

from django.db import transaction

from annotator.batches.lifecycle import draw_batch
from annotator.core.celery_app import app
from annotator.demo.labels import label_half
from annotator.demo.people import make_people
from annotator.detection.services import detect_in_background
from annotator.gold.build import build_gold
from annotator.guidelines.services import first_guidelines
from annotator.models import Annotator, GuidelineVersion, KnownAnswer, Target
from annotator.quality.services.planted_profiles import plant
from annotator.quality.services.practice import choose_practice, make_practice
from profiles.bulk_load import CommentRecord, ProfileRecord, load_profiles
from profiles.demo.generator import generate
from profiles.demo.records import DemoAnswer, DemoProfile
from profiles.encryption import account_digest
from profiles.hints.store import load_hints
from profiles.models import Comment, Corpus, Profile

CORPUS = "Demo study"
# By their names, because `evaluation` imports this app.
EVALUATE_DEMO = "evaluation.spans.demo.tasks.evaluate_demo"
INFER_DEMO = "evaluation.inference.demo.tasks.infer_demo"
DEFEND_DEMO = "evaluation.defences.demo.tasks.defend_demo"
TARGETS = [
    ("location", 1, 10),
    ("location", 3, 10),
    ("location", 4, 5),
    ("age", 1, 10),
    ("age", 3, 5),
    ("income", 3, 5),
]


def load_demo(*, with_passwords: bool, tell: Callable[[str], None]) -> None:
    """Create the whole study in one transaction."""
    written = generate()
    tell(f"{len(written)} profiles written, {sum(len(p.comments) for p in written):,} comments")
    with transaction.atomic():
        people = make_people(with_passwords=with_passwords)
        corpus = _make_corpus(written)
        detect_in_background(corpus)
        tell("corpus loaded")
        guideline = GuidelineVersion.objects.create(number=1, text=first_guidelines(), created_by=people["admin"])
        _make_batches(corpus, guideline, people)
        tell("two batches drawn, one of them half labelled, and one to practise on")
        for task in (EVALUATE_DEMO, INFER_DEMO, DEFEND_DEMO):
            transaction.on_commit(partial(app.send_task, task), robust=True)


def _make_corpus(written: Sequence[DemoProfile]) -> Corpus:
    corpus = Corpus.objects.create(name=CORPUS, options={"made_by": "profiles.demo", "synthetic": True})
    load_profiles(corpus, (_record(profile) for profile in written))
    load_hints()
    _store_answers(corpus, written)
    return corpus


def _record(profile: DemoProfile) -> ProfileRecord:
    return ProfileRecord(
        profile.account, [CommentRecord(c.reddit_id, c.subreddit, c.written_at, c.body) for c in profile.comments]
    )


def _store_answers(corpus: Corpus, written: Sequence[DemoProfile]) -> None:
    profiles = {
        bytes(digest): pk for pk, digest in Profile.objects.filter(corpus=corpus).values_list("pk", "account_digest")
    }
    needed = {int(s.comment_id, 36) for p in written for a in p.answers for s in a.evidence}
    comments = dict(Comment.objects.filter(reddit_id__in=needed, profile__corpus=corpus).values_list("reddit_id", "pk"))
    KnownAnswer.objects.bulk_create(
        _known(profiles[account_digest(profile.account)], answer, comments)
        for profile in written
        for answer in profile.answers
        if account_digest(profile.account) in profiles  # unless it was forgotten
    )


def _known(profile_id: int, answer: DemoAnswer, comments: dict[int, int]) -> KnownAnswer:
    return KnownAnswer(
        profile_id=profile_id,
        attribute=answer.attribute,
        value=answer.value,
        hardness=answer.hardness,
        certainty=answer.certainty,
        required_subreddit=answer.required_subreddit,
        why=answer.why,
        evidence=[[comments[int(s.comment_id, 36)], s.start, s.end] for s in answer.evidence],
    )


def _make_batches(corpus: Corpus, guideline: GuidelineVersion, people: dict[str, Annotator]) -> None:
    evaluators, admin = [people["eva"], people["ben"]], people["admin"]
    pilot = draw_batch(
        name="Pilot", corpus=corpus, guideline=guideline, size=24, seed=1, overlap=2,
        annotators=evaluators, created_by=admin,
    )  # fmt: skip
    second = draw_batch(
        name="Second round", corpus=corpus, guideline=guideline, size=30, seed=2,
        annotators=evaluators, created_by=admin,
    )  # fmt: skip
    label_half(pilot, evaluators)
    make_practice(
        name="Practice", corpus=corpus, guideline=guideline, profiles=choose_practice(corpus, 3), created_by=admin
    )
    plant(second, count=2, seed=3, by=admin)
    Target.objects.bulk_create(Target(corpus=corpus, attribute=a, hardness=h, wanted=w) for a, h, w in TARGETS)
    build_gold(corpus)
