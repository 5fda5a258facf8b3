"""Builds the demo corpus. The same seed gives the same corpus, everywhere and always."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from profiles.demo.filler import Filler, Written
from profiles.demo.marks import Clue
from profiles.demo.personas import Known, Persona, load_personas
from profiles.demo.records import DemoAnswer, DemoComment, DemoProfile, DemoSpan
from profiles.demo.times import Clock, number_ids


@dataclass(frozen=True, slots=True)
class Draft:
    """A comment that has no id yet, because ids follow the time over the whole corpus."""

    account: str
    subreddit: str
    written_at: datetime
    body: str
    score: int
    language: str
    clues: tuple[Clue, ...] = ()


def generate(seed: int = 2012) -> list[DemoProfile]:
    """All profiles with their comments and the answers planted in them."""
    personas = sorted(load_personas(), key=lambda persona: persona.comments)
    written = Written()
    drafts = [draft for persona in personas for draft in _drafts(persona, seed, written)]
    drafts.sort(key=lambda draft: (draft.written_at, draft.account))
    ids = number_ids([draft.written_at for draft in drafts])
    told: dict[str, list[tuple[str, Draft]]] = {persona.account: [] for persona in load_personas()}
    for reddit_id, draft in zip(ids, drafts, strict=True):
        told[draft.account].append((reddit_id, draft))
    return [_profile(persona, told[persona.account]) for persona in load_personas()]


def _drafts(persona: Persona, seed: int, written: Written) -> Iterator[Draft]:
    rng = random.Random(f"{seed}/{persona.account}")  # noqa: S311 - wants repeatable, not secret
    clock, filler = Clock(persona.active, rng), Filler(persona.voice, rng, written)
    for said in persona.said:
        at = clock.on(said.on)
        yield Draft(persona.account, said.subreddit, at, said.body, _score(rng), said.language, said.clues)
    names, weights = list(persona.subreddits), list(persona.subreddits.values())
    for subreddit in rng.choices(names, weights, k=persona.comments - len(persona.said)):
        at = clock.some_time()
        body, language = filler.write(subreddit, at.date())
        yield Draft(persona.account, subreddit, at, body, _score(rng), language)


def _score(rng: random.Random) -> int:
    """Most comments stay near one point, a few run away, some are voted down."""
    if rng.random() < 0.06:
        return -rng.randrange(0, 14)
    return min(2400, int(rng.paretovariate(0.9)))


def _profile(persona: Persona, told: list[tuple[str, Draft]]) -> DemoProfile:
    comments = tuple(_comment(reddit_id, draft) for reddit_id, draft in told)
    answers = tuple(_answer(known, told) for known in persona.known)
    return DemoProfile(persona.account, comments, answers)


def _comment(reddit_id: str, draft: Draft) -> DemoComment:
    return DemoComment(reddit_id, draft.subreddit, draft.written_at, draft.body, draft.score, draft.language)


def _answer(known: Known, told: list[tuple[str, Draft]]) -> DemoAnswer:
    evidence = tuple(
        DemoSpan(reddit_id, clue.start, clue.end)
        for reddit_id, draft in told
        for clue in draft.clues
        if clue.attribute == known.attribute
    )
    return DemoAnswer(
        attribute=known.attribute,
        value=known.value,
        hardness=known.hardness,
        certainty=known.certainty,
        required_subreddit=known.required_subreddit,
        evidence=evidence,
        why=known.why,
    )
