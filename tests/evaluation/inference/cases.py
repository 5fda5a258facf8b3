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
    **label: object,
) -> Case:
    prediction = None if guesses is None else Prediction(guesses, categories=categories)
    ratings = Label(value, hardness, certainty, **label)  # type: ignore[arg-type]
    return Case(profile, attribute, ratings, prediction, published, has_answer)
