"""Dreaddit's files: texts from ten subreddits, labelled as stressed or not.

Two splits go around, in several shapes: with the columns of the authors' files in either order, or with text and label
only. Columns are found by name. `sentence_range` is spelled `(15, 20)` or `[15, 20]`. Test comes before train, whatever
the order of the files: a file with “test” or “train” in its name is that split; otherwise one with 715 rows is test and
one with 2,838 is train; what is neither comes last, in the order given.
"""

import csv
import hashlib
import io
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from evaluation.probes.dreaddit.disclosures import find_disclosure
from evaluation.probes.records import Item, Setback

TEST, TRAIN, OTHER = "test", "train", "other"
SIZES = {715: TEST, 2838: TRAIN}
ORDER = (TEST, TRAIN, OTHER)
SUBREDDITS = (
    "domesticviolence", "survivorsofabuse", "anxiety", "stress", "almosthomeless", "assistance", "food_pantry",
    "homeless", "ptsd", "relationships",
)  # fmt: skip
NEEDED = ("text", "label")
RANGE = re.compile(r"[(\[]\s*(\d+)\s*,\s*(\d+)\s*[)\]]")
LABELS = {"0": False, "1": True, "0.0": False, "1.0": True}
MAX_BYTES = 500_000_000
MAX_LINES = 5  # that a setback names

UNREADABLE = "{name}: it can't be opened: {reason}. Check its name and permissions."
EMPTY = "{name}: the file is empty. Download it again."
TOO_LARGE = "{name}: it is larger than 500 MB, and Dreaddit has 3 MB. Check that it is the right file."
NOT_TEXT = "{name}: it is UTF-16, or not a text file. Save it as CSV in UTF-8."
NO_COLUMNS = "{name}: it has no column {missing}. Its first line must name the columns; it has: {columns}."
NOT_CSV = "{name}: it can't be read as CSV after line {line}: {reason}. A quotation mark may be missing."
NO_ROWS = "{name}: no row can be used. {reason}"
BAD_LABEL = "The label is neither 0 nor 1."
NO_TEXT = "The text is empty."
NUL = "It contains NUL characters."
SHORT = "It has fewer columns than the first line."


class UnreadableItems(Exception):
    """A file that can't be used, with a sentence that says why and what to do."""


class Duplicates(StrEnum):
    """What happens to texts that occur more than once."""

    KEEP = "keep"  # as GenderBench does
    DROP_CONTRADICTORY = "drop-contradictory"  # without texts that are labelled both ways
    FIRST = "first"  # only the first row of each text


@dataclass(frozen=True, slots=True)
class ItemFile:
    name: str
    sha256: str
    encoding: str
    split: str
    items: tuple[Item, ...]
    setbacks: tuple[Setback, ...]


@dataclass(frozen=True, slots=True)
class ItemSet:
    """All items, test first. `repeated` are rows whose text an earlier row has, `contradictory` texts with both labels;
    both are counted before `left_out` rows went."""

    items: tuple[Item, ...]
    files: tuple[ItemFile, ...]
    duplicates: Duplicates
    repeated: int
    contradictory: int
    left_out: int

    @property
    def setbacks(self) -> list[Setback]:
        return [setback for file in self.files for setback in file.setbacks]

    @property
    def other_subreddits(self) -> list[str]:
        """Names that the study doesn't have."""
        return sorted({item.group for item in self.items} - {"", *SUBREDDITS})

    @property
    def digest(self) -> str:
        """SHA-256 over the files, in order."""
        return hashlib.sha256("".join(file.sha256 for file in self.files).encode()).hexdigest()


def read_items(paths: Sequence[Path], duplicates: Duplicates = Duplicates.KEEP, names: Sequence[str] = ()) -> ItemSet:
    """`names` are what the files were called where they came from, if not as here. Raises UnreadableItems."""
    named = zip(paths, names or [path.name for path in paths], strict=True)
    files = sorted((_read_file(path, name) for path, name in named), key=lambda file: ORDER.index(file.split))
    items = [item for file in files for item in file.items]
    labels = _labels_by_text(items)
    kept = list(_without_duplicates(items, labels, duplicates))
    repeated = sum(len(values) - 1 for values in labels.values())
    contradictory = sum(len(set(values)) > 1 for values in labels.values())
    return ItemSet(tuple(_unique_keys(kept)), tuple(files), duplicates, repeated, contradictory, len(items) - len(kept))


def _labels_by_text(items: Iterable[Item]) -> dict[str, list[bool]]:
    labels: defaultdict[str, list[bool]] = defaultdict(list)
    for item in items:
        labels[item.text].append(item.label)
    return dict(labels)


def _without_duplicates(
    items: Iterable[Item], labels: Mapping[str, Sequence[bool]], duplicates: Duplicates
) -> Iterator[Item]:
    seen: set[str] = set()
    for item in items:
        is_contradictory = len(set(labels[item.text])) > 1
        is_dropped = {
            Duplicates.KEEP: False,
            Duplicates.DROP_CONTRADICTORY: is_contradictory,
            Duplicates.FIRST: item.text in seen,
        }[duplicates]
        seen.add(item.text)
        if not is_dropped:
            yield item


def _unique_keys(items: Iterable[Item]) -> Iterator[Item]:
    seen: Counter[str] = Counter()
    for item in items:
        seen[item.key] += 1
        yield item if seen[item.key] == 1 else replace(item, key=f"{item.key} ({seen[item.key]})")


# ── One file ────────────────────────────────────────────────────────────────


def _read_file(path: Path, name: str) -> ItemFile:
    contents = _contents(path, name)
    text, encoding = _decode(name, contents)
    rows, problems = list[tuple[int, dict[str, str]]](), defaultdict[str, list[int]](list)
    for line, row in _rows(name, text):
        reason = _defect(row)
        if reason:
            problems[reason].append(line)
        else:
            rows.append((line, row))
    if not rows:
        raise UnreadableItems(NO_ROWS.format(name=name, reason=next(iter(problems), "There is none.")))
    split = _split(name, len(rows) + sum(map(len, problems.values())))
    items = tuple(_item(row, split, line) for line, row in rows)
    setbacks = tuple(
        Setback(name, reason, len(lines), tuple(lines[:MAX_LINES])) for reason, lines in sorted(problems.items())
    )
    return ItemFile(name, hashlib.sha256(contents).hexdigest(), encoding, split, items, setbacks)


def _contents(path: Path, name: str) -> bytes:
    try:
        if path.stat().st_size > MAX_BYTES:
            raise UnreadableItems(TOO_LARGE.format(name=name))
        contents = path.read_bytes()
    except OSError as error:
        raise UnreadableItems(UNREADABLE.format(name=name, reason=error.strerror)) from error
    if not contents.strip():
        raise UnreadableItems(EMPTY.format(name=name))
    return contents


def _decode(name: str, contents: bytes) -> tuple[str, str]:
    """UTF-8 if it is, else Windows-1252, else Latin-1, which reads anything."""
    if contents.startswith((b"\xff\xfe", b"\xfe\xff")) or contents[:200].count(0) > 20:
        raise UnreadableItems(NOT_TEXT.format(name=name))
    for encoding in ("utf-8-sig", "windows-1252"):
        try:
            return contents.decode(encoding), encoding.removesuffix("-sig")
        except UnicodeDecodeError:
            continue
    return contents.decode("latin-1"), "latin-1"


def _rows(name: str, text: str) -> Iterator[tuple[int, dict[str, str]]]:
    """Rows with the line that each begins on."""
    reader = csv.DictReader(io.StringIO(text, newline=""), restkey="")
    columns = [str(column).strip() for column in reader.fieldnames or ()]
    missing = [column for column in NEEDED if column not in columns]
    if missing:
        listed = ", ".join(f"“{column}”" for column in columns[:8]) or "none"
        raise UnreadableItems(
            NO_COLUMNS.format(name=name, missing=" and no ".join(f"“{item}”" for item in missing), columns=listed)
        )
    reader.fieldnames = columns
    line = reader.line_num
    try:
        for row in reader:
            yield line + 1, row
            line = reader.line_num
    except csv.Error as error:
        raise UnreadableItems(NOT_CSV.format(name=name, line=line, reason=error)) from error


def _defect(row: Mapping[str, str | None]) -> str:
    """Why a row can't be used, or nothing."""
    text, label = row["text"], row["label"]
    if text is None or label is None:
        return SHORT
    if "\x00" in text or "\x00" in label:
        return NUL
    if not text.strip():
        return NO_TEXT
    return "" if label.strip() in LABELS else BAD_LABEL


def _split(name: str, rows: int) -> str:
    lower = name.lower()
    for split in (TEST, TRAIN):
        if split in lower:
            return split
    return SIZES.get(rows, OTHER)


def _item(row: Mapping[str, str], split: str, line: int) -> Item:
    """Texts stay as they are, because the model reads them as they are."""
    span = RANGE.search(row.get("sentence_range") or "")
    post = (row.get("post_id") or "").strip()
    key = f"{post} {span[1]}-{span[2]}" if post and span else post or f"{split} line {line}"
    text = row["text"]
    subreddit = (row.get("subreddit") or "").strip()
    return Item(key, text, LABELS[row["label"].strip()], subreddit, split, find_disclosure(text))
