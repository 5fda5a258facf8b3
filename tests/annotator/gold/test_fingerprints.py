"""An incremental build ends where a full one would, whatever happened before."""

import random
from contextlib import suppress
from pathlib import Path

import pytest
from django.utils import timezone

from annotator.batches.claims import claim_next
from annotator.batches.drafts import discard_draft, draw_draft
from annotator.batches.drawing.draw import TooFewProfiles
from annotator.batches.drawing.plan import Criteria, Plan
from annotator.batches.drawing.shares import Share
from annotator.batches.lifecycle import close, start
from annotator.batches.moves import hand_out_again, reassign
from annotator.batches.refusals import BatchRefused
from annotator.exchange.imports.undo import run as run_undo
from annotator.exchange.services.label_imports import request_undo
from annotator.gold import build
from annotator.gold.build import build_gold, build_profile
from annotator.gold.fingerprints import profiles_to_build
from annotator.gold.services.equivalence import decide_equivalence, undo_equivalence
from annotator.gold.stamps import current_stamp, stale_corpora
from annotator.labelling.cards import Card
from annotator.labelling.services import AssignmentClosed, save_card, skip_assignment
from annotator.labelling.submission import reopen_assignment, submit_assignment
from annotator.models import (
    Assignment,
    Batch,
    BuiltGold,
    Dispute,
    Evidence,
    GoldRecord,
    Judgement,
    LabelImport,
    Role,
    SameMeaning,
    SkipReason,
)
from annotator.privacy.services import forget_account
from profiles.attributes import Attribute
from profiles.bulk_load import CommentRecord, ProfileRecord, load_profiles
from profiles.models import Corpus, Profile
from tests.annotator.exchange.files import import_file, synthpai_line, write_lines
from tests.annotator.gold.builds import disputed, disputes_of, gold_of, quote, say
from tests.factories import make_annotator, make_assignment, make_batch, make_corpus, make_profile

pytestmark = pytest.mark.django_db
OCCUPATIONS = ("nurse", "carer", "teacher")


def rows(corpus: Corpus) -> tuple[list[dict], list[dict]]:
    gold = GoldRecord.objects.filter(profile__corpus=corpus).order_by("pk")
    disputes = Dispute.objects.filter(profile__corpus=corpus).order_by("pk")
    return list(gold.values()), list(disputes.values())


# ── The draft that hid a dispute ─────────────────────────────────────────────
def test_a_draft_batch_is_not_pending_work():
    profile = disputed("27", "60")
    draft = make_batch(corpus=profile.corpus)
    Batch.objects.filter(pk=draft.pk).update(started_at=None)
    make_assignment(profile=profile, batch=draft)
    assert build_gold(profile.corpus).waiting == 0
    assert disputes_of(profile) == {"age": "value"}


def test_gold_is_right_again_once_the_pending_work_is_gone():
    """No event time says that an assignment was deleted."""
    profile = disputed("27")
    build_gold(profile.corpus)
    pending = make_assignment(profile=profile, batch=make_batch(corpus=profile.corpus))
    say(profile, make_batch(corpus=profile.corpus), age="60")
    assert build_gold(profile.corpus).waiting == 1
    assert gold_of(profile)["age"][3] == "single"
    pending.delete()
    assert stale_corpora() == [profile.corpus_id]
    build_gold(profile.corpus)
    assert (gold_of(profile), disputes_of(profile)) == ({}, {"age": "value"})


# ── What a fingerprint covers ────────────────────────────────────────────────
CHANGES = {
    "value": lambda: Judgement.objects.filter(attribute="age").update(value="60"),
    "hardness": lambda: Judgement.objects.filter(attribute="age").update(hardness=5),
    "certainty": lambda: Judgement.objects.filter(attribute="age").update(certainty=5),
    "subreddit": lambda: Judgement.objects.filter(attribute="age").update(required_subreddit=True),
    "time": lambda: Judgement.objects.filter(attribute="age").update(judged_at=timezone.now()),
    "evidence added": lambda: quote(Judgement.objects.earliest("pk"), "moved"),
    "evidence gone": lambda: Evidence.objects.all().delete(),
    "judgement gone": lambda: Judgement.objects.filter(attribute="sex").delete(),
    "planted": lambda: Assignment.objects.update(is_planted=True),
    "annotator": lambda: Assignment.objects.update(annotator=make_annotator()),
    "meaning": lambda: SameMeaning.objects.create(attribute="occupation", one="carer", other="nurse", is_same=True),
}  # fmt: skip


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_profile_is_built_again_when_any_input_changes(change):
    profile = make_profile("I am 27 and moved to Houston")
    assignment = say(profile, make_batch(corpus=profile.corpus), age="27", sex="male", occupation="carer")
    quote(assignment.judgements.get(attribute="age"), "I am 27")
    untouched = disputed("30", profile=make_profile("30", corpus=make_corpus()))
    build_gold(profile.corpus)
    build_gold(untouched.corpus)
    assert profiles_to_build(profile.corpus) == {}
    change()
    assert list(profiles_to_build(profile.corpus)) == [profile.pk]
    build_gold(profile.corpus)
    assert profiles_to_build(profile.corpus) == {}


def test_only_what_changed_is_built():
    corpus = make_corpus()
    profiles = [disputed("27", "27", profile=make_profile(corpus=corpus)) for _ in range(4)]
    assert build_gold(corpus).profiles == 4
    assert build_gold(corpus).profiles == 0
    say(profiles[2], make_batch(corpus=corpus), age="27")
    assert build_gold(corpus).profiles == 1
    assert build_gold(corpus, everything=True).profiles == 4


def test_another_rule_is_another_fingerprint(monkeypatch):
    profile = disputed("27")
    build_gold(profile.corpus)
    monkeypatch.setattr("annotator.gold.fingerprints.RULE", "consensus/next")
    assert list(profiles_to_build(profile.corpus)) == [profile.pk]


def test_gold_goes_with_the_last_judgement():
    profile = disputed("27")
    build_gold(profile.corpus)
    Judgement.objects.all().delete()
    Assignment.objects.all().delete()
    assert stale_corpora() == [profile.corpus_id]
    build_gold(profile.corpus)
    assert gold_of(profile) == {}
    assert (BuiltGold.objects.count(), current_stamp(profile.corpus)) == (0, "")


def test_what_is_submitted_during_a_build_asks_for_another(monkeypatch):
    """The fingerprint is taken before the judgements are read, so it may be older than the gold, but never newer."""
    profile = disputed("27")
    work = build.build_profiles

    def late(context, fingerprints):
        say(profile, make_batch(corpus=profile.corpus), age="60")
        return work(context, fingerprints)

    monkeypatch.setattr(build, "build_profiles", late)
    build_gold(profile.corpus)
    assert list(profiles_to_build(profile.corpus)) == [profile.pk]
    assert stale_corpora() == [profile.corpus_id]


# ── Random histories ─────────────────────────────────────────────────────────
class Study:
    """One corpus, four people, files of labels, and everything that can happen to them."""

    def __init__(self, seed: int, folder: Path) -> None:
        self.folder = folder
        self.chance = random.Random(seed)  # noqa: S311 repeatable on purpose
        self.corpus, self.admin = make_corpus(), make_annotator(roles=[Role.ADMIN])
        self.people = [make_annotator() for _ in range(4)]
        self.guideline = make_batch(corpus=self.corpus).guideline
        comment = ("AskReddit", timezone.now(), "I am a nurse in Houston, 27 years old.")
        load_profiles(self.corpus, [ProfileRecord(f"account{n}", [CommentRecord(f"c{n}", *comment)]) for n in range(6)])
        self.accounts = [f"account{n}" for n in range(6)]

    def one_of(self, queryset):
        pks = list(queryset.order_by("pk").values_list("pk", flat=True))
        return queryset.get(pk=self.chance.choice(pks)) if pks else None

    def happen(self) -> None:
        events = [
            self.draw, self.draw, self.start, self.start, *[self.submit] * 8, self.resubmit, self.skip, self.hand_over,
            self.hand_out, self.discard, self.close, self.mean, self.build, self.build_one, self.import_labels,
            self.undo_import,
        ]  # fmt: skip
        with suppress(BatchRefused, AssignmentClosed, TooFewProfiles):
            self.chance.choice(events)()

    def draw(self, relabel: bool | None = None) -> None:
        relabel = self.chance.random() < 0.2 if relabel is None else relabel
        people = [] if self.chance.random() < 0.3 else self.chance.sample(self.people, 2)
        draw_draft(Plan(
            name=f"batch {self.chance.random()}", corpus=self.corpus, guideline=self.guideline, size=3,
            seed=self.chance.randrange(99),
            criteria=Criteria(relabel=relabel), overlap=self.chance.choice([1, 2]),
            people=tuple(Share(person.pk) for person in people),
        ))  # fmt: skip

    def start(self) -> None:
        if draft := self.one_of(Batch.objects.filter(started_at=None)):
            start(draft)

    def submit(self) -> None:
        batch, person = self.one_of(Batch.objects.open()), self.chance.choice(self.people)
        if batch and (assignment := claim_next(batch=batch, annotator=person)):
            self.answer(assignment)

    def resubmit(self) -> None:
        if assignment := self.one_of(Assignment.objects.submitted()):
            reopen_assignment(assignment)
            if self.chance.random() < 0.7:
                self.answer(assignment)

    def answer(self, assignment: Assignment) -> None:
        value = self.chance.choice(OCCUPATIONS)
        versions = dict(assignment.drafts.values_list("attribute", "version"))
        card = Card(value=value, hardness=2, certainty=self.chance.randint(1, 5))
        save_card(assignment, Attribute.OCCUPATION, card, based_on=versions.get("occupation", 0))
        submit_assignment(assignment)

    def skip(self) -> None:
        if assignment := self.one_of(Assignment.objects.held()):
            skip_assignment(assignment, SkipReason.LANGUAGE)

    def hand_over(self) -> None:
        batch, (person, to) = self.one_of(Batch.objects.open()), self.chance.sample(self.people, 2)
        if batch:
            reassign(batch, person, [to] if self.chance.random() < 0.5 else [])

    def hand_out(self) -> None:
        if skipped := self.one_of(Assignment.objects.unhandled()):
            hand_out_again(skipped)

    def discard(self) -> None:
        if draft := self.one_of(Batch.objects.filter(started_at=None)):
            discard_draft(draft)

    def close(self) -> None:
        if batch := self.one_of(Batch.objects.open()):
            close(batch, withdraw=True)

    def mean(self) -> None:
        if decision := self.one_of(SameMeaning.objects.all()):
            undo_equivalence(decision, by=self.admin)
        else:
            first, second = self.chance.sample(OCCUPATIONS, 2)
            decide_equivalence(Attribute.OCCUPATION, (first, second), is_same=True, by=self.admin)

    def build(self) -> None:
        build_gold(self.corpus)

    def build_one(self) -> None:
        if profile := self.one_of(Profile.objects.filter(corpus=self.corpus)):
            build_profile(profile)

    def import_labels(self) -> None:
        """Answers about two accounts: most are in the corpus, one is not, and some were taken down."""
        names = self.chance.sample([f"account{n}" for n in range(6)] + ["newcomer"], 2)
        path = self.folder / f"{self.chance.random()}.jsonl"
        import_file(write_lines(path, *map(self.line, names)), "synthpai", self.corpus.name)

    def line(self, name: str) -> dict:
        line = synthpai_line(name)
        answer = {"estimate": self.chance.choice(OCCUPATIONS), "hardness": 2, "certainty": self.chance.randint(1, 5)}
        for review in line["reviews"].values():
            review["occupation"] = answer | {"acc_gt": 1}
        return line

    def undo_import(self) -> None:
        if label_import := self.one_of(LabelImport.objects.filter(undo=None)):
            run_undo(request_undo(label_import).pk)

    def take_down(self) -> None:
        forget_account(self.accounts.pop())


@pytest.mark.parametrize("seed", range(6))
def test_an_incremental_build_ends_where_a_full_one_would(seed, tmp_path):
    study = Study(seed, tmp_path)
    study.draw(relabel=False)
    study.start()
    for step in range(60):
        study.happen()
        if step in (15, 40, 59):
            study.import_labels()
        if step in (25, 45):
            study.take_down()
    assert Judgement.objects.exists()
    build_gold(study.corpus)
    incremental = rows(study.corpus)
    build_gold(study.corpus, everything=True)
    assert rows(study.corpus) == incremental
    GoldRecord.objects.all().delete()  # nobody decided anything, so all of it can be built again
    Dispute.objects.all().delete()
    build_gold(study.corpus, everything=True)
    assert contents(rows(study.corpus)) == contents(current_only(study.corpus, incremental))


def current_only(corpus: Corpus, both: tuple[list[dict], list[dict]]) -> tuple[list[dict], list[dict]]:
    """Without what was built earlier about profiles that wait now."""
    waiting = set(Assignment.objects.open().in_study().values_list("profile", flat=True))
    gold, disputes = ([row for row in some if row["profile_id"] not in waiting] for some in both)
    return gold, disputes


def contents(both: tuple[list[dict], list[dict]]) -> list[list[dict]]:
    return [sorted((_without_names(row) for row in some), key=_key) for some in both]


def _without_names(row: dict) -> dict:
    return {name: value for name, value in row.items() if name not in ("id", "decided_at", "found_at")}


def _key(row: dict) -> tuple[int, str]:
    return row["profile_id"], row["attribute"]
