"""Which labels mean the same: label maps, equivalence groups, ignored types and hierarchies."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class LabelMode(StrEnum):
    STRICT = "strict"  # equal labels match
    RELAXED = "relaxed"  # labels of the same equivalence group match, too
    ANY = "any"  # every label matches every other


class IgnorePolicy(StrEnum):
    """What happens to types that are not scored.

    STUDY: an ignored gold span counts if it is found, but not if it is missed (the ECHR study's rule).
    SYMMETRIC: it never counts, and predictions that lie at least half inside it are dropped unless they match.
    NONE: all types are scored.
    """

    STUDY = "study"
    SYMMETRIC = "symmetric"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class LabelScheme:
    """A label map with its groups. `name` goes into the signature, `digest` tells two files of one name apart."""

    name: str
    mapping: Mapping[str, str] = field(default_factory=dict)  # both sides; labels that aren't in it stay as they are
    groups: tuple[frozenset[str], ...] = ()
    ignored: frozenset[str] = frozenset()
    branches: Mapping[str, str] = field(default_factory=dict)  # leaf to branch; a leaf without one is its own branch
    digest: str = ""

    def mapped(self, label: str) -> str:
        return self.mapping.get(label, label)

    def compatible(self, first: str, second: str, mode: LabelMode) -> bool:
        """Whether two mapped labels may match."""
        if first == second or mode == LabelMode.ANY:
            return True
        return mode == LabelMode.RELAXED and any({first, second} <= group for group in self.groups)
