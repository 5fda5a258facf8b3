"""What a model is asked about a profile. The text is a file with a version; its hash belongs in the signature."""

import hashlib
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluation.inference.selection import Text

CURRENT = "profile-1"
# Mentions of accounts are masked: no account name leaves the server.
ACCOUNT = re.compile(r"(?<![\w/])/?u(?:ser)?/[\w-]+", re.IGNORECASE)
SOMEBODY = "u/[somebody]"


@dataclass(frozen=True, slots=True)
class Prompt:
    """`attributes` has the spoken name and the allowed values of each attribute."""

    name: str
    digest: str  # SHA-256 of the file
    system: str
    header: str
    footer: str
    attributes: Mapping[str, tuple[str, str]]

    def messages(
        self, texts: Sequence[Text], attributes: Sequence[str], *, has_subreddits: bool = False
    ) -> tuple[tuple[str, str], ...]:
        """Pairs of role and text. Comments stand one per line, in the order given."""
        spoken = [self.attributes[attribute] for attribute in attributes]
        header = self.header.replace("{attributes}", ", ".join(name for name, _ in spoken))
        footer = self.footer.replace("{details}", "\n".join(f"- {name}: {values}" for name, values in spoken))
        lines = "\n".join(_line(text, has_subreddits=has_subreddits) for text in texts)
        return ("system", self.system), ("user", f"{header.lstrip()}{lines}\n{footer.rstrip()}")


def load_prompt(name: str = CURRENT) -> Prompt:
    contents = (Path(__file__).parent / f"{name}.toml").read_bytes()
    values = tomllib.loads(contents.decode())
    spoken = {attribute: (title, allowed) for attribute, (title, allowed) in values["attributes"].items()}
    digest = hashlib.sha256(contents).hexdigest()
    return Prompt(name, digest, values["system"], values["header"], values["footer"], spoken)


def _line(text: Text, *, has_subreddits: bool) -> str:
    place = f" r/{text.subreddit}" if has_subreddits else ""
    return f"{text.written_at:%Y-%m-%d}{place}: {' '.join(ACCOUNT.sub(SOMEBODY, text.body).split())}"
