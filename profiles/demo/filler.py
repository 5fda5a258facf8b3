"""Generate the comments of a persona that are not handwritten."""

import random
import tomllib
from collections import Counter
from dataclasses import dataclass, field
from datetime import date
from functools import cache
from pathlib import Path

from profiles.demo.templates import Theme, expand, load_themes
from profiles.demo.times import is_anachronistic
from profiles.demo.voice import Voice, speak

SUBREDDITS_FILE = Path(__file__).parent / "subreddits.toml"
FALLBACK = "replies"
SHORT_REPLY_CHANCE = 0.12
MIN_MEMORABLE_LENGTH = 350  # from here on, a reader recognises a template the second time
MAX_TRIES = 60


@cache
def themes_by_subreddit() -> dict[str, tuple[Theme, ...]]:
    """The themes of each subreddit; short replies stand in for a missing theme."""
    themes = load_themes()
    by_subreddit: dict[str, tuple[Theme, ...]] = {}
    for theme, subreddits in tomllib.loads(SUBREDDITS_FILE.read_text(encoding="utf-8")).items():
        for name in subreddits:
            by_subreddit[name] = (*by_subreddit.get(name, ()), themes.get(theme, themes[FALLBACK]))
    return by_subreddit


@dataclass(slots=True)
class UsedTexts:
    """Texts and templates used so far in the whole corpus."""

    bodies: set[str] = field(default_factory=set)
    templates: Counter[str] = field(default_factory=Counter)


class Filler:
    """Write filler for one persona. Avoid repeating a template while others are left, or a text in the corpus."""

    def __init__(self, voice: Voice, rng: random.Random, used: UsedTexts) -> None:
        self.voice, self.rng, self.used = voice, rng, used
        self.decks: dict[str, list[str]] = {}
        self.used_templates: set[str] = set()

    def write(self, subreddit: str, on: date) -> tuple[str, str]:
        """Return a body that is new to the corpus, if possible, and its language."""
        theme = self._choose_theme(subreddit)
        for _ in range(MAX_TRIES):
            template = self._draw_template(theme)
            text = expand(template, theme.slots, self.rng)
            body = speak(text, self.voice, self.rng)
            if not (body in self.used.bodies or self._is_overused(template) or is_anachronistic(text, on)):
                break
        self._remember(template, body)
        return body, theme.language

    def _choose_theme(self, subreddit: str) -> Theme:
        theme = self.rng.choice(themes_by_subreddit()[subreddit])
        is_short = theme.language == "en" and self.rng.random() < SHORT_REPLY_CHANCE
        return load_themes()[FALLBACK] if is_short else theme

    def _draw_template(self, theme: Theme) -> str:
        deck = self.decks.setdefault(theme.name, [])
        if not deck:
            deck.extend(theme.comments)
            self.rng.shuffle(deck)
        return deck.pop()

    def _is_overused(self, template: str) -> bool:
        """A persona uses a long template once, and at most three personas use it."""
        if len(template) < MIN_MEMORABLE_LENGTH:
            return False
        return template in self.used_templates or self.used.templates[template] >= 3

    def _remember(self, template: str, body: str) -> None:
        self.used_templates.add(template)
        self.used.bodies.add(body)
        self.used.templates[template] += 1
