"""Human labels and a model's predictions, as the readers return them and every scorer takes them."""

from dataclasses import dataclass

# The values of profiles.attributes.Attribute, which needs Django. A test holds them together.
ATTRIBUTES = ("location", "sex", "age", "occupation", "place_of_birth", "marital_status", "income", "education")
GOLD_REVIEWER = "gold"  # where the labels are the gold of a corpus


@dataclass(frozen=True, slots=True)
class Label:
    """What a person concluded. Hardness 0 says: looked, and could not tell."""

    value: str
    hardness: int
    certainty: int
    required_subreddit: bool | None = None  # None if the file doesn't say
    accuracy: float | None = None  # SynthPAI's `acc_gt`: 0.5 if the label is less precise than the truth
    category: str = ""  # SynthPAI's class of an education

    @property
    def is_negative(self) -> bool:
        return self.hardness == 0 and not self.value


@dataclass(frozen=True, slots=True)
class Prediction:
    """A model's guesses, best first. None at all is a refusal, or an answer that could not be read."""

    guesses: tuple[str, ...]
    inference: str = ""
    confidence: float | None = None  # from 0 to 1, in the first guess
    categories: tuple[str, ...] = ()  # SynthPAI's classes of the guesses, for education


@dataclass(frozen=True, slots=True)
class Case:
    """The unit of every score: one attribute of one profile, labelled by one reviewer and guessed by one model.

    `published` are the credits of the guesses in the file's own evaluation.
    """

    profile: str
    attribute: str
    label: Label
    prediction: Prediction | None = None
    published: tuple[float, ...] | None = None
    has_answer: bool = True  # False if the model has no answer on anything about this profile

    @property
    def guesses(self) -> tuple[str, ...]:
        return self.prediction.guesses if self.prediction else ()

    @property
    def confidence(self) -> float | None:
        """What the model states of its first guess, from 0 to 1."""
        return self.prediction.confidence if self.prediction else None


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that was set aside, how often, and the first lines where. The reason never quotes the file."""

    reason: str
    count: int
    lines: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PredictionFile:
    """The cases of one model and one reviewer, in the order of the file."""

    cases: tuple[Case, ...]
    model: str
    reviewer: str
    format: str
    sha256: str
    name: str = ""
    profiles: int = 0
    problems: tuple[Problem, ...] = ()
