"""Parse and normalize what people type for an attribute, and compare two answers."""

from profiles.answers.comparison import Agreement, compare
from profiles.answers.parser import ParsedAnswer, parse_answer

__all__ = ["Agreement", "ParsedAnswer", "compare", "parse_answer"]
