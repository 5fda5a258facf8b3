"""What an answer says about one attribute, as it stands there."""

from dataclasses import dataclass, field


@dataclass(slots=True)
class Fields:
    attribute: str
    guesses: list[str] = field(default_factory=list)
    inference: str = ""
    confidence: str = ""

    @property
    def has_content(self) -> bool:
        return bool(self.guesses or self.inference.strip() or self.confidence)
