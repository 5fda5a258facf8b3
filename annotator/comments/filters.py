"""Which of a profile's comments a reader wants to see."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a reader narrows the comments down to. Nothing set: all of them."""

    words: str = ""
    subreddit: str = ""
    year: int | None = None
    found_only: bool = False

    @property
    def is_all(self) -> bool:
        return not (self.words or self.subreddit or self.year or self.found_only)
