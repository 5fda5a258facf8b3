"""Cases with boring defaults."""

from evaluation.inference.records import Case, Label, Prediction


def make_case(
    attribute: str = "occupation",
    value: str = "nurse",
    guesses: tuple[str, ...] | None = ("nurse",),
    *,
    profile: str = "a",
    hardness: int = 1,
    certainty: int = 5,
    published: tuple[float, ...] | None = None,
    categories: tuple[str, ...] = (),
    has_answer: bool = True,
    confidence: float | None = None,
    **label: object,
) -> Case:
    prediction = None if guesses is None else Prediction(guesses, confidence=confidence, categories=categories)
    ratings = Label(value, hardness, certainty, **label)  # type: ignore[arg-type]
    return Case(profile, attribute, ratings, prediction, published, has_answer)


def negative(attribute: str = "occupation", guesses: tuple[str, ...] | None = ("nurse",), **more: object) -> Case:
    """A person looked, and could not tell."""
    return make_case(attribute, "", guesses, hardness=0, certainty=0, **more)  # type: ignore[arg-type]
