"""Analyse comments. Batches that fail are halved until the comment at fault is alone, and noted with a reason."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.metadata import version

from profiles.detection.languages import detect_language
from profiles.detection.presidio import Analyser, ModelMissing, TooSlow
from profiles.detection.recipes import Contents
from profiles.models import Unanalysed
from profiles.spans import EntitySpan

Reason = Unanalysed.Reason
NumberedText = tuple[int, str]  # a comment's id and its text

OTHER_VERSION = (
    "The recipe was written for {name} {required}; this worker has {here}. Install the recipe's version, or make a new "
    "recipe."
)


@dataclass(slots=True)
class Outcome:
    """Detections, and the comments that could not be analysed."""

    detections: list[tuple[int, EntitySpan]] = field(default_factory=list)
    unanalysed: list[tuple[int, Reason, str]] = field(default_factory=list)

    def add(self, other: "Outcome") -> None:
        self.detections += other.detections
        self.unanalysed += other.unanalysed

    @property
    def comments(self) -> set[int]:
        return {comment for comment, _ in self.detections} | {comment for comment, _, _ in self.unanalysed}


@lru_cache(maxsize=2)
def analysers_for(contents: Contents) -> dict[str, Analyser]:
    """An analyser for each language of the recipe, built once per process. Raises ModelMissing."""
    for name, required in (("presidio-analyzer", contents.presidio), ("spacy", contents.spacy), *contents.libraries):
        if version(name) != required:
            raise ModelMissing(OTHER_VERSION.format(name=name, required=required, here=version(name)))
    return {model.language: Analyser(contents, model.language) for model in contents.models}


def analyse(comments: Sequence[NumberedText], contents: Contents, analysers: dict[str, Analyser]) -> Outcome:
    """Analyse each comment with the model of its language, if the recipe has one."""
    outcome, expected = Outcome(), contents.models[0].language
    by_language: dict[str, list[NumberedText]] = defaultdict(list)
    for comment, text in comments:
        by_language[detect_language(text, expected)].append((comment, text))
    for language, group in by_language.items():
        if language in analysers:
            outcome.add(_analyse_by_halves(group, analysers[language]))
        else:
            outcome.unanalysed += [(comment, Reason.LANGUAGE, language) for comment, _ in group]
    return outcome


def _analyse_by_halves(comments: Sequence[NumberedText], analyser: Analyser) -> Outcome:
    try:
        spans = analyser.analyse([text for _, text in comments])
    except TooSlow as error:
        reason, detail = Reason.SLOW, str(error)
    except Exception as error:  # whatever a text does to a model, the others must go on
        reason, detail = Reason.FAILED, type(error).__name__  # the message may quote the text
    else:
        return Outcome(
            [(comment, span) for (comment, _), of_comment in zip(comments, spans, strict=True) for span in of_comment]
        )
    if len(comments) == 1:
        return Outcome(unanalysed=[(comments[0][0], reason, detail[:200])])
    half = len(comments) // 2
    outcome = _analyse_by_halves(comments[:half], analyser)
    outcome.add(_analyse_by_halves(comments[half:], analyser))
    return outcome
