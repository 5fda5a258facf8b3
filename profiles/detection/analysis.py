"""Analyse comments, and record those that cannot be analysed with a reason.

Whatever can be slow is done comment by comment, and once: patterns when a text is screened, and all of a very long text
in a process of its own. The others go through the model together. If that fails, halves isolate the one at fault.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.metadata import version

from profiles.detection import isolation
from profiles.detection.isolation import Died, OutOfTime, run_isolated
from profiles.detection.languages import detect_language
from profiles.detection.presidio import Analyser, ModelMissing, ScreenedText, TooSlow
from profiles.detection.recipes import Contents
from profiles.models import Unanalysed
from profiles.spans import EntitySpan

Reason = Unanalysed.Reason
NumberedText = tuple[int, str]  # a comment's id and its text
NumberedScreened = tuple[int, ScreenedText]
ISOLATED_FROM = 10_000  # characters, the most that Reddit accepts: shorter ones take the model seconds at worst

OTHER_VERSION = (
    "The recipe needs {name} {required}, but this worker has {here}. Install the recipe's version, or make a new "
    "recipe."
)
TOOK_TOO_LONG = "The comment has {length:,} characters, and the model did not finish within {seconds:g} seconds."
ENDED = "The model ended its process."


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
            outcome.add(_analyse_group(group, analysers[language]))
        else:
            outcome.unanalysed += [(comment, Reason.LANGUAGE, language) for comment, _ in group]
    return outcome


def _analyse_group(comments: Sequence[NumberedText], analyser: Analyser) -> Outcome:
    outcome = _analyse_together([(pk, text) for pk, text in comments if len(text) < ISOLATED_FROM], analyser)
    for comment in comments:
        if len(comment[1]) >= ISOLATED_FROM:
            outcome.add(_analyse_isolated(comment, analyser))
    return outcome


def _analyse_isolated(comment: NumberedText, analyser: Analyser) -> Outcome:
    pk, text = comment
    try:
        return run_isolated(lambda: _analyse_together([comment], analyser))
    except OutOfTime:
        detail = TOOK_TOO_LONG.format(length=len(text), seconds=isolation.CPU_SECONDS)
        return Outcome(unanalysed=[(pk, Reason.SLOW, detail)])
    except Died:
        return Outcome(unanalysed=[(pk, Reason.ENDED, ENDED)])


def _analyse_together(comments: Sequence[NumberedText], analyser: Analyser) -> Outcome:
    outcome, screened = Outcome(), list[NumberedScreened]()
    for comment, text in comments:
        try:
            screened.append((comment, analyser.screen(text)))
        except Exception as error:  # as below
            outcome.unanalysed.append(_failure(comment, error))
    if screened:
        outcome.add(_detect_by_halves(screened, analyser))
    return outcome


def _detect_by_halves(screened: Sequence[NumberedScreened], analyser: Analyser) -> Outcome:
    try:
        spans = analyser.detect([text for _, text in screened])
    except Exception as error:  # whatever one text does to a model, the others must be analysed
        if len(screened) == 1:
            return Outcome(unanalysed=[_failure(screened[0][0], error)])
    else:
        return Outcome(
            [(comment, span) for (comment, _), of_comment in zip(screened, spans, strict=True) for span in of_comment]
        )
    half = len(screened) // 2
    outcome = _detect_by_halves(screened[:half], analyser)
    outcome.add(_detect_by_halves(screened[half:], analyser))
    return outcome


def _failure(comment: int, error: Exception) -> tuple[int, Reason, str]:
    """Only the name of an unexpected error, because its message may quote the text."""
    if isinstance(error, TooSlow):
        return comment, Reason.SLOW, str(error)[:200]
    return comment, Reason.FAILED, type(error).__name__
