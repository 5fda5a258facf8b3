"""Scores that must be reached (`--fail-under f1=0.8`), for checks that run by themselves."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

NOT_A_REQUIREMENT = "“{text}” isn't a metric and a number from 0 to 1, such as {example}=0.8."
UNKNOWN = "There is no metric “{name}”. There are: {known}."
BELOW = "{system}: {name} is {value:.4f}, below {least:g}."
IS_UNDEFINED = "{system}: {name} is undefined, because there is nothing to count; {least:g} is required."


class RequirementUnusable(Exception):
    """A requirement that can't be read, or names no metric."""


@dataclass(frozen=True, slots=True)
class Requirement:
    name: str
    least: float

    @classmethod
    def parse(cls, text: str, example: str) -> "Requirement":
        """From `metric=number`. `example` is a metric that there is. Raises RequirementUnusable."""
        name, _, value = text.rpartition("=")
        try:
            least = float(value)
        except ValueError:
            least = -1.0
        if not name or not 0 <= least <= 1:
            raise RequirementUnusable(NOT_A_REQUIREMENT.format(text=text, example=example))
        return cls(name.strip(), least)

    def failure(self, system: str, values: Mapping[str, float | None]) -> str | None:
        """A sentence if the value is too low or undefined. Raises RequirementUnusable if there is no such metric."""
        if self.name not in values:
            raise RequirementUnusable(UNKNOWN.format(name=self.name, known=", ".join(values)))
        value = values[self.name]
        if value is None:
            return IS_UNDEFINED.format(system=system, name=self.name, least=self.least)
        return (
            BELOW.format(system=system, name=self.name, value=value, least=self.least) if value < self.least else None
        )


def find_failures(system: str, values: Mapping[str, float | None], requirements: Iterable[Requirement]) -> list[str]:
    """A sentence for each requirement that the system doesn't meet. Raises RequirementUnusable."""
    sentences = [requirement.failure(system, values) for requirement in requirements]
    return [sentence for sentence in sentences if sentence]
