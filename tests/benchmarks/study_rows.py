"""A study of any size, the same every time: ten people label each profile, in two batches with an overlap of five.

Postgres writes the rows: hashes decide what is true and who errs.
"""

from dataclasses import dataclass
from typing import Any

PEOPLE, OVERLAP = 20, 5
ANSWERS = {
    "location": "houston|seattle|berlin / germany|toronto|london|munich / germany|paris / france|dublin|austin",
    "sex": "male|female",
    "age": "19|22|25-35|31|38|44|20-30|57",
    "occupation": "nurse|teacher|software engineer|student|electrician|none|cook|lawyer|engineer|sales clerk",
    "place_of_birth": "dallas|hamburg / germany|mexico|india|poland|boston|chicago",
    "marital_status": "no relation|relation|married|divorced",
    "income": "no|low|medium|high|very high",
    "education": "no hs|in hs|hs|in college|college|phd",
}
PROFILES = """
    INSERT INTO profiles_profile (corpus_id, pseudonym, account_digest, spelling, comment_count, first_written_at,
                                  last_written_at)
    SELECT %(corpus)s, 'made-up-' || n, decode(md5(%(corpus)s || ' ' || n), 'hex'), 0, 2, '2013-01-01', '2013-06-01'
    FROM generate_series(1, %(profiles)s) n
"""
PRESENCES = """
    INSERT INTO profiles_presence (profile_id, subreddit_id, comment_count)
    SELECT id, %(subreddit)s, 2 FROM profiles_profile WHERE corpus_id = %(corpus)s
"""
COMMENTS = """
    INSERT INTO profiles_comment (profile_id, subreddit_id, reddit_id, written_at, copy_number, body)
    SELECT profile.id, %(subreddit)s, profile.id * 2 + n, timestamptz '2013-01-01' + n * interval '150 days', 0,
           'I moved to Houston some years ago and work as a nurse there. Comment ' || n
    FROM profiles_profile profile, generate_series(0, 1) n WHERE profile.corpus_id = %(corpus)s
"""
SLOTS = """
    INSERT INTO annotator_assignment (batch_id, profile_id, slot, position, annotator_id, claimed_at, submitted_at,
        skip_reason, skip_remark, is_planted, active_seconds)
    SELECT %(batch)s, profile.id, slot, profile.place,
           (%(people)s::bigint[])[(profile.place + slot * 2) %% 10 + 1 + 10 * %(half)s],
           at - interval '5 minutes', at, '', '', false, 60 + (profile.place * 7 + slot * 31) %% 400
    FROM (SELECT id, row_number() OVER (ORDER BY id) place FROM profiles_profile WHERE corpus_id = %(corpus)s) profile,
         generate_series(0, %(overlap)s - 1) slot,
         LATERAL (SELECT timestamptz '2026-09-01' + interval '1 day' * (60.0 * profile.place / %(profiles)s)
                         + slot * interval '7 minutes' AS at) submitted
"""
JUDGEMENTS = """
    INSERT INTO annotator_judgement (assignment_id, attribute, value, hardness, certainty, required_subreddit, note,
        judged_at, active_seconds)
    SELECT slot.id, %(attribute)s, value, CASE value WHEN '' THEN 0 ELSE 1 + (truth + waver) %% 5 END,
           CASE value WHEN '' THEN 0 ELSE 1 + (truth / 7 + waver) %% 5 END, false, '', slot.submitted_at, 20
    FROM annotator_assignment slot
    JOIN annotator_batch batch ON batch.id = slot.batch_id AND batch.corpus_id = %(corpus)s,
    LATERAL (SELECT abs(hashtext(%(attribute)s || slot.profile_id)) truth,
                    abs(hashtext(%(attribute)s || slot.id)) own) chance,
    LATERAL (SELECT CASE WHEN own %% 100 < 30 THEN 1 ELSE 0 END waver,
                    CASE WHEN truth %% 10 < 4 THEN CASE WHEN own %% 23 = 0 THEN 1 ELSE 0 END
                         ELSE CASE WHEN own %% 17 = 0 THEN 0 ELSE 1 END END told,
                    CASE WHEN own %% 11 = 0 THEN own ELSE truth END pick) opinion,
    LATERAL (SELECT CASE told WHEN 0 THEN '' ELSE (%(answers)s::text[])[pick %% %(count)s + 1] END AS value) said
"""


@dataclass(frozen=True, slots=True)
class MadeUp:
    corpus: Any
    batches: list[Any]
    profiles: int

    @property
    def judgements(self) -> int:
        return self.profiles * 2 * OVERLAP * len(ANSWERS)


def make_rows(profiles: int) -> MadeUp:
    """Create the study: ten judgements on each of the eight attributes of every profile."""
    from profiles.models import Corpus, Subreddit

    corpus = Corpus.objects.create(name=f"made up {profiles}")
    place, _ = Subreddit.objects.get_or_create(name="AskReddit")
    _run(PROFILES, corpus=corpus.pk, profiles=profiles)
    _run(PRESENCES, corpus=corpus.pk, subreddit=place.pk)
    _run(COMMENTS, corpus=corpus.pk, subreddit=place.pk)
    Corpus.objects.filter(pk=corpus.pk).update(ready_at=corpus.created_at)
    batches = [_batch(corpus, half, profiles) for half in (0, 1)]
    for attribute, answers in ANSWERS.items():
        values = answers.split("|")
        _run(JUDGEMENTS, corpus=corpus.pk, attribute=attribute, answers=values, count=len(values))
    _run("ANALYZE")
    return MadeUp(corpus, batches, profiles)


def _batch(corpus: Any, half: int, profiles: int) -> Any:
    from django.utils import timezone

    from annotator.models import Batch, GuidelineVersion

    guideline, _ = GuidelineVersion.objects.get_or_create(number=1, defaults={"text": "Read, then judge."})
    batch = Batch.objects.create(
        name=f"{corpus} {half + 1}", corpus=corpus, guideline=guideline, overlap=OVERLAP, draw={"seed": half},
        started_at=timezone.now(),
    )  # fmt: skip
    people = [person.pk for person in _people()]
    _run(
        SLOTS, batch=batch.pk, corpus=corpus.pk, people=people, half=half, overlap=OVERLAP, profiles=profiles
    )  # fmt: skip
    return batch


def _people() -> list[Any]:
    from annotator.models import Annotator

    made = [
        Annotator.objects.get_or_create(
            username=f"made{n}", defaults={"display_name": f"Made Up {n}", "roles": ["evaluator"]}
        )
        for n in range(PEOPLE)
    ]
    return [person for person, _ in made]


def _run(statement: str, **values: Any) -> None:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(statement, values or None)
