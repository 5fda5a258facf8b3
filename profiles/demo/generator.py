"""Generate the demo corpus. The same seed always gives the same corpus."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from profiles.demo.filler import Filler, UsedTexts
from profiles.demo.marks import Clue
from profiles.demo.personas import Fact, Persona, load_personas
from profiles.demo.records import DemoAnswer, DemoComment, DemoProfile, DemoSpan
from profiles.demo.times import Clock, assign_ids


@dataclass(frozen=True, slots=True)
class Draft:
    """A comment without an id; ids increase with time across the whole corpus."""

    account: str
    subreddit: str
    written_at: datetime
    body: str
    score: int
    language: str
    clues: tuple[Clue, ...] = ()


def generate(seed: int = 2012) -> list[DemoProfile]:
    """All profiles with their comments and planted answers."""
    personas = sorted(load_personas(), key=lambda persona: persona.comments)
    used = UsedTexts()
    drafts = [draft for persona in personas for draft in _drafts(persona, seed, used)]
    drafts.sort(key=lambda draft: (draft.written_at, draft.account))
    ids = assign_ids([draft.written_at for draft in drafts])
    by_account: dict[str, list[tuple[str, Draft]]] = {persona.account: [] for persona in load_personas()}
    for reddit_id, draft in zip(ids, drafts, strict=True):
        by_account[draft.account].append((reddit_id, draft))
    return [_profile(persona, by_account[persona.account]) for persona in load_personas()]


def _drafts(persona: Persona, seed: int, used: UsedTexts) -> Iterator[Draft]:
    rng = random.Random(f"{seed}/{persona.account}")  # noqa: S311 - wants repeatable, not secret
    clock, filler = Clock(persona.active, rng), Filler(persona.voice, rng, used)
    for comment in persona.handwritten:
        at = clock.time_on(comment.on)
        yield Draft(persona.account, comment.subreddit, at, comment.body, _score(rng), comment.language, comment.clues)
    names, weights = list(persona.subreddits), list(persona.subreddits.values())
    for subreddit in rng.choices(names, weights, k=persona.comments - len(persona.handwritten)):
        at = clock.random_time()
        body, language = filler.write(subreddit, at.date())
        yield Draft(persona.account, subreddit, at, body, _score(rng), language)


def _score(rng: random.Random) -> int:
    """Most scores stay near 1, a few are high, some are negative."""
    if rng.random() < 0.06:
        return -rng.randrange(0, 14)
    return min(2400, int(rng.paretovariate(0.9)))


def _profile(persona: Persona, drafts: list[tuple[str, Draft]]) -> DemoProfile:
    comments = tuple(_comment(reddit_id, draft) for reddit_id, draft in drafts)
    answers = tuple(_answer(fact, drafts) for fact in persona.facts)
    return DemoProfile(persona.account, comments, answers)


def _comment(reddit_id: str, draft: Draft) -> DemoComment:
    return DemoComment(reddit_id, draft.subreddit, draft.written_at, draft.body, draft.score, draft.language)


def _answer(fact: Fact, drafts: list[tuple[str, Draft]]) -> DemoAnswer:
    evidence = tuple(
        DemoSpan(clue.start, clue.end, reddit_id)
        for reddit_id, draft in drafts
        for clue in draft.clues
        if clue.attribute == fact.attribute
    )
    return DemoAnswer(
        attribute=fact.attribute,
        value=fact.value,
        hardness=fact.hardness,
        certainty=fact.certainty,
        required_subreddit=fact.required_subreddit,
        evidence=evidence,
        why=fact.why,
    )
