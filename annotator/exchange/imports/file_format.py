"""Recognise the format of a file from its lines, so that it isn't read as another one. Pure apart from reading."""

from collections import Counter
from collections.abc import Iterator, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any

from annotator.exchange.formats.vocabulary import LLMPRIVACY, SYNTHPAI
from annotator.exchange.imports.lines import read_lines
from annotator.exchange.imports.records import LineRefused
from annotator.models import Format

SAMPLE_LINES, SAMPLE_BYTES = 100, 8 << 20
OUR_SCHEMAS = "telltale.gold/"
ONLY_LLMPRIVACY = LLMPRIVACY.keys() - SYNTHPAI.keys()
ONLY_SYNTHPAI = (SYNTHPAI.keys() - LLMPRIVACY.keys()) | {"education_category"}


class Look(StrEnum):
    """What a line looks like."""

    NATIVE = Format.NATIVE.value
    LLMPRIVACY = Format.LLMPRIVACY.value
    SYNTHPAI = Format.SYNTHPAI.value
    EITHER = "either"  # llmprivacy or SynthPAI: it has no attribute that tells them apart
    SPANS = "spans"
    DUMP = "dump"
    PARALLEL_LISTS = "parallel_lists"
    COMMENTS = "comments"
    UNKNOWN = "unknown"


IN_WORDS = {
    Look.NATIVE: f"the format “{Format.NATIVE.label}”",
    Look.LLMPRIVACY: f"the format “{Format.LLMPRIVACY.label}”",
    Look.SYNTHPAI: f"the format “{Format.SYNTHPAI.label}”",
    Look.EITHER: f"the format “{Format.LLMPRIVACY.label}” or “{Format.SYNTHPAI.label}”",
    Look.SPANS: "an export of spans, which can’t be imported",
    Look.DUMP: "a dump of Reddit comments, which you can import on the Corpora page",
    Look.PARALLEL_LISTS: "the older format of llmprivacy, which its script `update_format.py` converts",
    Look.COMMENTS: "SynthPAI's comments; import its profiles instead",
}


class WrongFormat(Exception):
    """The file is in another format than the one that was chosen. Nothing was written."""


def look_of(line: Mapping[str, Any]) -> Look:
    """The format of a line, by the keys that only this format has."""
    if str(line.get("schema", "")).startswith(OUR_SCHEMAS) or {"pseudonym", "judgements"} <= line.keys():
        return Look.NATIVE
    if {"comment", "spans"} <= line.keys():
        return Look.SPANS
    if {"comments", "subreddits", "timestamps"} <= line.keys():
        return Look.PARALLEL_LISTS
    if "comments" in line:
        return _look_of_profile(line)
    if "body" in line and line.keys() & {"author", "created_utc"}:
        return Look.DUMP
    return Look.COMMENTS if {"text", "author"} <= line.keys() else Look.UNKNOWN


def check_file(path: Path, chosen: Format) -> None:
    """Raise WrongFormat if the first lines are all of other formats. Lines of no format are left to the reader."""
    looks = Counter(look for look in _sample(path) if look is not Look.UNKNOWN)
    if looks and not any(fits(look, chosen) for look in looks):
        raise WrongFormat(f"{mismatch(looks.most_common(1)[0][0], chosen)} Choose that format, or another file.")


def fits(look: Look, chosen: Format) -> bool:
    is_foreign = chosen in (Format.LLMPRIVACY, Format.SYNTHPAI)
    return look in (chosen.value, Look.UNKNOWN) or (look is Look.EITHER and is_foreign)


def mismatch(look: Look, chosen: Format) -> str:
    return f"This looks like {IN_WORDS[look]}, not “{chosen.label}”."


def _look_of_profile(line: Mapping[str, Any]) -> Look:
    reviews = line.get("reviews")
    labels = list(reviews.values()) if isinstance(reviews, dict) else []
    names = {name for review in labels if isinstance(review, dict) for name in review}
    original, synthetic = len(names & ONLY_LLMPRIVACY), len(names & ONLY_SYNTHPAI)
    if original == synthetic:
        return Look.EITHER
    return Look.LLMPRIVACY if original > synthetic else Look.SYNTHPAI


def _sample(path: Path) -> Iterator[Look]:
    for number, done, line in read_lines(path):
        if not isinstance(line, LineRefused):
            yield look_of(line)
        if number >= SAMPLE_LINES or done >= SAMPLE_BYTES:
            return
