"""The version of the texts that a run reads: what people wrote, or what a defence made of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from evaluation.inference.gold_profiles import LoadTexts, texts_by_profile


@dataclass(frozen=True, slots=True)
class TextVersion:
    """How comments are loaded, and what the signature and the report say about them."""

    load: LoadTexts = texts_by_profile
    signature: Mapping[str, str] = field(default_factory=dict)
    details: Mapping[str, Any] = field(default_factory=dict)


ORIGINALS = TextVersion()
