"""What a person may type for each attribute, how it is kept, and how two answers compare."""

from profiles.answers.comparison import Agreement, compare
from profiles.answers.parser import ReadAnswer, read_answer

__all__ = ["Agreement", "ReadAnswer", "compare", "read_answer"]
