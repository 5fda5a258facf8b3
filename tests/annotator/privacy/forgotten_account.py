"""A profile with every kind of row that can reference one, for tests of takedowns."""

from hashlib import sha256
from uuid import uuid4

from django.utils import timezone

from annotator.models import (
    AdjudicationLease,
    Annotator,
    BuiltGold,
    Dispute,
    Draft,
    Evidence,
    Flag,
    GoldRecord,
    KnownAnswer,
    LabelImport,
    LookUp,
    PromptedAnswer,
    Sitting,
    SourceRecord,
    Submission,
)
from evaluation.models import (
    AuditedPair,
    Claim,
    ClaimLease,
    ClaimReview,
    DefendedText,
    DetectedComment,
    EvaluationRun,
    InferredCase,
    JudgedPair,
    ModelAttempt,
    SecondLook,
)
from profiles.encryption import account_digest, seal
from profiles.models import AccountName, Comment, Corpus, Detection, DetectionRun, Profile, Recipe, Unanalysed
from tests.factories import make_annotator, make_assignment, make_corpus, make_judgement, make_profile

NAME = "TinRoof_Rusty"
HOUSTON = {"attribute": "location", "value": "houston", "hardness": 2, "certainty": 4}


def make_account(
    name: str = NAME, *, comments: int = 2, corpus: Corpus | None = None, annotator: Annotator | None = None
) -> Profile:
    """A profile with a detection in each comment, and one of everything else. The assignment is held."""
    profile = make_profile("I moved to Houston", corpus=corpus or make_corpus())
    first = profile.comments.get()
    Comment.objects.bulk_create(
        Comment(profile=profile, subreddit=first.subreddit, reddit_id=-n, written_at=first.written_at, body=first.body)
        for n in range(1, comments)
    )
    Profile.objects.filter(pk=profile.pk).update(account_digest=account_digest(name), comment_count=comments)
    AccountName.objects.create(profile=profile, sealed=seal(name))
    recipe, _ = Recipe.objects.get_or_create(name="plain", defaults={"digest": "0" * 64, "contents": {}})
    run, _ = DetectionRun.objects.get_or_create(corpus=profile.corpus, recipe=recipe)
    Detection.objects.bulk_create(
        Detection(run=run, comment=comment, entity_type="LOCATION", start=11, end=18, score=0.85)
        for comment in profile.comments.all()
    )
    Unanalysed.objects.create(run=run, comment=first, reason=Unanalysed.Reason.FAILED)
    assignment = make_assignment(annotator=annotator or make_annotator(), profile=profile)
    judgement = make_judgement(assignment)
    Evidence.objects.create(judgement=judgement, comment=first, start=11, end=18, text="Houston")
    quote = {"comment": first.pk, "start": 11, "end": 18, "text": "Houston"}
    Draft.objects.create(assignment=assignment, **HOUSTON, evidence=[quote], saved_at=timezone.now())
    Submission.objects.create(assignment=assignment, number=1, answers=[HOUSTON | {"evidence": [quote]}])
    Sitting.objects.create(assignment=assignment, key=uuid4(), last_at=timezone.now())
    LookUp.objects.create(assignment=assignment, service="google", words="Houston")
    Flag.objects.create(assignment=assignment, comment=first, remark="Names somebody else, too.")
    KnownAnswer.objects.create(profile=profile, **HOUSTON)
    GoldRecord.objects.create(profile=profile, reached="single", rule="consensus/1", evidence=[quote], **HOUSTON)
    PromptedAnswer.objects.create(
        profile=profile, prompted_by="small", decided_by=assignment.annotator, evidence=[quote], **HOUSTON
    )
    BuiltGold.objects.create(profile=profile, fingerprint="f" * 32)
    Dispute.objects.create(profile=profile, attribute="age", kind="value", severity=1, judgement_count=2)
    AdjudicationLease.objects.create(profile=profile, held_by=assignment.annotator, held_at=timezone.now())
    brought_in = LabelImport.objects.create(format="native", name="gold.jsonl")
    SourceRecord.objects.create(profile=profile, label_import=brought_in, contents={"username": name})
    ModelAttempt.objects.create(
        digest=sha256(str(profile.pk).encode()).hexdigest(), profile=profile, seconds=0.1, text="They live in Houston.",
        base_url="http://127.0.0.1:1/v1", model="small", request={"messages": ["I moved to Houston"]},
    )  # fmt: skip
    evaluation = EvaluationRun.objects.create(
        kind="inference", name="small", system="small", code_version="1", corpus=profile.corpus
    )
    case = InferredCase.objects.create(
        run=evaluation, number=1, profile=profile, name=profile.pseudonym, attribute="location", outcome="right",
        contents={"label": {"value": "houston"}, "guesses": ["H-town"]},
    )  # fmt: skip
    comment = profile.comments.order_by("pk").first()
    DefendedText.objects.create(run=evaluation, profile=profile, comment=comment, defence="both-tag", body="I moved")
    DetectedComment.objects.create(run=evaluation, profile=profile, comment=comment, spans=[[2, 7, "CITY"]])
    look = SecondLook.objects.create(
        run=evaluation, seed=1, baseline="random", eligible=1, claim_count=1, control_count=0
    )
    claim = Claim.objects.create(
        look=look, number=1, profile=profile, attribute="age", value="27", reasoning="They say so.", prompter="small",
        is_control=False,
    )  # fmt: skip
    ClaimReview.objects.create(claim=claim, reviewer=assignment.annotator, blind_verdict="reject")
    ClaimLease.objects.create(claim=claim, held_by=assignment.annotator, held_at=timezone.now())
    pair = JudgedPair.objects.create(case=case, position=1, verdict="match")
    AuditedPair.objects.create(pair=pair, annotator=assignment.annotator, verdict="match")
    return profile
