"""What a persona writes besides the comments that were written for it by hand."""

import random
import tomllib
from collections import Counter
from dataclasses import dataclass, field
from datetime import date
from functools import cache
from pathlib import Path

from profiles.demo.templates import Theme, expand, load_themes
from profiles.demo.times import too_early
from profiles.demo.voice import Voice, speak

MAP = Path(__file__).parent / "subreddits.toml"
FALLBACK = "replies"
SHORT_REPLIES = 0.12
MEMORABLE = 350  # characters from which a reader recognises a template the second time
TRIES = 60


@cache
def themes_by_subreddit() -> dict[str, tuple[Theme, ...]]:
    """What each subreddit talks about; a theme that is not there gives way to short replies."""
    themes = load_themes()
    found: dict[str, tuple[Theme, ...]] = {}
    for theme, subreddits in tomllib.loads(MAP.read_text(encoding="utf-8")).items():
        for name in subreddits:
            found[name] = (*found.get(name, ()), themes.get(theme, themes[FALLBACK]))
    return found


@dataclass(slots=True)
class Written:
    """What the whole corpus has said so far."""

    bodies: set[str] = field(default_factory=set)
    templates: Counter[str] = field(default_factory=Counter)


class Filler:
    """Writes filler for one persona: no template twice while others are left, no text twice in the corpus."""

    def __init__(self, voice: Voice, rng: random.Random, written: Written) -> None:
        self.voice, self.rng, self.written = voice, rng, written
        self.decks: dict[str, list[str]] = {}
        self.told: set[str] = set()

    def write(self, subreddit: str, on: date) -> tuple[str, str]:
        """A body nobody has written yet, if one can be found, and its language."""
        theme = self._theme(subreddit)
        for _ in range(TRIES):
            template = self._draw(theme)
            text = expand(template, theme.slots, self.rng)
            body = speak(text, self.voice, self.rng)
            if not (body in self.written.bodies or self._worn(template) or too_early(text, on)):
                break
        self._remember(template, body)
        return body, theme.language

    def _theme(self, subreddit: str) -> Theme:
        theme = self.rng.choice(themes_by_subreddit()[subreddit])
        short = theme.language == "en" and self.rng.random() < SHORT_REPLIES
        return load_themes()[FALLBACK] if short else theme

    def _draw(self, theme: Theme) -> str:
        deck = self.decks.setdefault(theme.name, [])
        if not deck:
            deck.extend(theme.comments)
            self.rng.shuffle(deck)
        return deck.pop()

    def _worn(self, template: str) -> bool:
        """A long template is told once by a persona, and by three of them at most."""
        if len(template) < MEMORABLE:
            return False
        return template in self.told or self.written.templates[template] >= 3

    def _remember(self, template: str, body: str) -> None:
        self.told.add(template)
        self.written.bodies.add(body)
        self.written.templates[template] += 1
