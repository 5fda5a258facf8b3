"""What a model is asked about a profile. The text has a version, and its hash belongs in the signature.

Versions are shipped as files, or written by admins, who keep them elsewhere and pass their contents in.
"""

import hashlib
import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluation.inference.selection import Text

CURRENT = "profile-1"
FOLDER = Path(__file__).parent
SHIPPED = tuple(sorted(path.stem for path in FOLDER.glob("*.toml")))
PLACEHOLDERS = {"header": "{attributes}", "footer": "{details}"}
# Mentions of accounts are masked: no account name leaves the server.
ACCOUNT = re.compile(r"(?<![\w/])/?u(?:ser)?/[\w-]+", re.IGNORECASE)
SOMEBODY = "u/[somebody]"


@dataclass(frozen=True, slots=True)
class Prompt:
    """`attributes` has the spoken name and the allowed values of each attribute."""

    name: str
    digest: str  # SHA-256 of the file or the contents
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

    @property
    def contents(self) -> dict[str, Any]:
        attributes = {attribute: list(spoken) for attribute, spoken in self.attributes.items()}
        return {"system": self.system, "header": self.header, "footer": self.footer, "attributes": attributes}


def load_prompt(name: str = CURRENT, contents: Mapping[str, Any] | None = None) -> Prompt:
    """A shipped prompt, or one with these contents: `{system, header, footer, attributes: {name: [title, values]}}`."""
    if contents is not None:
        return _prompt(name, contents_digest(contents), contents)
    data = (FOLDER / f"{name}.toml").read_bytes()
    return _prompt(name, hashlib.sha256(data).hexdigest(), tomllib.loads(data.decode()))


def contents_digest(contents: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(contents, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def missing_placeholders(contents: Mapping[str, Any]) -> dict[str, str]:
    """Placeholders that the parts of a prompt lack or repeat, by part."""
    return {part: text for part, text in PLACEHOLDERS.items() if str(contents.get(part, "")).count(text) != 1}


def _prompt(name: str, digest: str, values: Mapping[str, Any]) -> Prompt:
    spoken = {attribute: (title, allowed) for attribute, (title, allowed) in values["attributes"].items()}
    return Prompt(name, digest, values["system"], values["header"], values["footer"], spoken)


def _line(text: Text, *, has_subreddits: bool) -> str:
    place = f" r/{text.subreddit}" if has_subreddits else ""
    return f"{text.written_at:%Y-%m-%d}{place}: {' '.join(ACCOUNT.sub(SOMEBODY, text.body).split())}"
