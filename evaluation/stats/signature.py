"""Everything that determines a figure, in one line that is printed and kept with it."""

from dataclasses import dataclass

LEAST_PROFILES = 10  # judged by two or more people; below that a number would say more about luck than about people
VERSION = 1  # of the definitions; higher whenever one changes


@dataclass(frozen=True, slots=True)
class Signature:
    """`counted` is the newest judgement that was counted and how many there are, `merged` what people decided."""

    scope: str
    counted: str
    merged: str
    least_profiles: int
    resamples: int
    seed: int

    def of(self, measure: str, aspect: str, attribute: str) -> str:
        return f"metric:{measure}|aspect:{aspect}|attribute:{attribute}|{self}"

    def __str__(self) -> str:
        return (
            f"scope:{self.scope}|counted:{self.counted}|merged:{self.merged}|min_profiles:{self.least_profiles}"
            f"|bootstrap:{self.resamples}|seed:{self.seed}|version:{VERSION}"
        )
