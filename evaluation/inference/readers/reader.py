"""Read the labels of one reviewer and the predictions of one model from a file."""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from evaluation.inference.readers.contents import Contents, RecordRefused, UnreadablePredictions, read_contents
from evaluation.inference.readers.values import read_evaluation, read_label, read_prediction, read_stated_confidence
from evaluation.inference.readers.vocabulary import (
    CATEGORY,
    USUAL_REVIEWERS,
    Format,
    as_mapping,
    attribute_names,
    recognise,
)
from evaluation.inference.records import Case, Label, Prediction, PredictionFile, Problem

MAX_LINES = 5  # that a problem names

NO_LABELS = "It has no labels (“reviews”)."
NOT_REVIEWED = "This reviewer has no labels on the profile."
REPEATED = "It repeats an earlier line."
BAD_LABEL = "A label is not a JSON object."

UNKNOWN_FORMAT = (
    "It has no labels in the format of SynthPAI or llmprivacy: one profile with “reviews” per line. Check the file."
)
UNCLEAR_FORMAT = "Its attributes fit either format. Choose one with --format."
MIXED_FORMAT = "It mixes the attribute names of SynthPAI and llmprivacy. Split it by format."
OTHER_FORMAT = "Its attributes are named as in {content}, not as in {given}. Choose --format {content}."
NO_MODEL = "It has labels, but no predictions of any model."
CHOOSE = "It has several {kind}s: {names}. Choose one with --{kind}."
NOT_THERE = "It has no {kind} “{name}”. It has: {names}."
NOTHING_LABELLED = "No label by “{reviewer}” can be read.{reason}"


def read_predictions(
    path: Path, *, form: Format | None = None, model: str | None = None, reviewer: str | None = None
) -> PredictionFile:
    """Read a file whose content tells the format. Raises UnreadablePredictions.

    A model or reviewer need not be named if there is only one, or the one that the format's own scorer takes.
    """
    contents = read_contents(path)
    records = [record for _, record in contents.records]
    form = _check_format(recognise(records), records, form)
    model = _choose("model", model, _names(records, "predictions"), None)
    reviewer = _choose("reviewer", reviewer, _names(records, "reviews"), USUAL_REVIEWERS[form])
    collection = Collection(form, model, reviewer)
    collection.add_all(contents)
    return collection.file(path.name, contents.sha256)


def _check_format(recognised: set[Format], records: Iterable[Mapping[str, Any]], given: Format | None) -> Format:
    if not any(as_mapping(record.get("reviews")) for record in records):
        raise UnreadablePredictions(UNKNOWN_FORMAT)
    if len(recognised) > 1:
        raise UnreadablePredictions(MIXED_FORMAT)
    if given and recognised and given not in recognised:
        raise UnreadablePredictions(OTHER_FORMAT.format(content=min(recognised), given=given))
    if not given and not recognised:
        raise UnreadablePredictions(UNCLEAR_FORMAT)
    return given or min(recognised)


def _printable(name: str) -> str:
    """Names go to terminals; control characters and halves of surrogate pairs must not."""
    return "".join(character if character.isprintable() else "\ufffd" for character in name)


def _names(records: Iterable[Mapping[str, Any]], key: str) -> list[str]:
    """Models or reviewers. What has no JSON object in any record is none of them, unless nothing has."""
    pairs = [pair for record in records for pair in as_mapping(record.get(key)).items()]
    return list(dict.fromkeys(name for name, value in pairs if isinstance(value, dict)) or dict.fromkeys(dict(pairs)))


def _choose(kind: str, name: str | None, names: list[str], usual: str | None) -> str:
    name = _spelled(name, names)
    listed = ", ".join(f"“{_printable(known)}”" for known in names)
    if not names:
        raise UnreadablePredictions(NO_MODEL)
    if name is not None and name not in names:
        raise UnreadablePredictions(NOT_THERE.format(kind=kind, name=name, names=listed))
    if name is None and len(names) > 1 and usual not in names:
        raise UnreadablePredictions(CHOOSE.format(kind=kind, names=listed))
    return name or (usual if usual in names and usual else names[0])


def _spelled(name: str | None, names: Iterable[str]) -> str | None:
    """As the file spells it, if only upper and lower case differ, and only one name is meant."""
    alike = [known for known in names if name is not None and known.casefold() == name.casefold()]
    return alike[0] if len(alike) == 1 else name


@dataclass(slots=True)
class Collection:
    """The cases of a file, and what was set aside."""

    form: Format
    model: str
    reviewer: str
    cases: list[Case] = field(default_factory=list)
    problems: defaultdict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    seen: dict[str, int] = field(default_factory=dict)  # profile names, and how often
    digests: set[bytes] = field(default_factory=set)

    def add_all(self, contents: Contents) -> None:
        for number, reason in contents.defects:
            self.problems[reason].append(number)
        for number, record in contents.records:
            try:
                self._add(number, record)
            except RecordRefused as refused:
                self.problems[str(refused)].append(number)

    def _add(self, number: int, record: Mapping[str, Any]) -> None:
        reviews = as_mapping(record.get("reviews"))
        if not reviews:
            raise RecordRefused(NO_LABELS)
        if not as_mapping(reviews.get(self.reviewer)):
            raise RecordRefused(NOT_REVIEWED)
        name = self._unique_name(number, record)
        answer = as_mapping(as_mapping(record.get("predictions")).get(self.model))
        for theirs, attribute in attribute_names(self.form).items():
            label = self._label(number, reviews[self.reviewer], theirs)
            if label is not None:
                published = self._evaluation(number, record, theirs)
                prediction = self._prediction(number, answer.get(theirs))
                self.cases.append(Case(name, attribute, label, prediction, published, has_answer=bool(answer)))

    def _unique_name(self, number: int, record: Mapping[str, Any]) -> str:
        """Different profiles may share a name, as llmprivacy's synthetic ones do; a line that occurs twice is one."""
        digest = hashlib.sha256(json.dumps(record, sort_keys=True).encode()).digest()
        if digest in self.digests:
            raise RecordRefused(REPEATED)
        self.digests.add(digest)
        name = str(record.get("username") or record.get("author") or f"line {number}")
        self.seen[name] = self.seen.get(name, 0) + 1
        return name if self.seen[name] == 1 else f"{name} ({self.seen[name]})"

    def _label(self, number: int, review: Mapping[str, Any], name: str) -> Label | None:
        written = review.get(name)
        if not written:
            return None
        try:
            return read_label(_as_label(written), _category(review, name))
        except RecordRefused as refused:
            self.problems[str(refused)].append(number)
            return None

    def _prediction(self, number: int, written: object) -> Prediction | None:
        prediction = read_prediction(written)
        try:
            return replace(prediction, confidence=read_stated_confidence(written)) if prediction else None
        except RecordRefused as refused:
            self.problems[str(refused)].append(number)
            return prediction

    def _evaluation(self, number: int, record: Mapping[str, Any], name: str) -> tuple[float, ...] | None:
        by_reviewer = as_mapping(as_mapping(record.get("evaluations")).get(self.model))
        written = as_mapping(by_reviewer.get(self.reviewer)).get(name)
        if written is None:
            return None
        try:
            return read_evaluation(written)
        except RecordRefused as refused:
            self.problems[str(refused)].append(number)
            return None

    def file(self, name: str, sha256: str) -> PredictionFile:
        """Raises UnreadablePredictions if there is no case."""
        if not self.cases:
            reason = f" {next(iter(self.problems))}" if self.problems else ""
            raise UnreadablePredictions(NOTHING_LABELLED.format(reviewer=self.reviewer, reason=reason))
        profiles = len({case.profile for case in self.cases})
        problems = tuple(self._problems())
        model, reviewer = _printable(self.model), _printable(self.reviewer)
        return PredictionFile(tuple(self.cases), model, reviewer, self.form.value, sha256, name, profiles, problems)

    def _problems(self) -> Iterator[Problem]:
        for reason, lines in sorted(self.problems.items()):
            yield Problem(reason, len(lines), tuple(sorted(set(lines))[:MAX_LINES]))


def _as_label(written: object) -> Mapping[str, Any]:
    if not isinstance(written, dict):
        raise RecordRefused(BAD_LABEL)
    return written


def _category(review: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    return as_mapping(review.get(CATEGORY)) if name == "education" else {}
