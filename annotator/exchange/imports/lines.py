"""A file of JSON lines as objects, one by one. What is none is told by its number and reason, and the rest comes."""

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

from annotator.exchange.imports.records import LineRefused

LONGEST = 64 << 20  # bytes of a line: twenty thousand long comments fit
BOM = b"\xef\xbb\xbf"
DEEPEST = 100


def numbered_lines(path: Path) -> Iterator[tuple[int, int, dict[str, Any] | LineRefused]]:
    """Number from 1, bytes read so far, and the object or why there is none. Empty lines are left out."""
    with path.open("rb") as file:
        number = done = 0
        while raw := file.readline(LONGEST + 1):
            number, done = number + 1, done + len(raw)
            is_whole = raw.endswith(b"\n")
            if len(raw) > LONGEST:
                done += _skip_rest(file) if not is_whole else 0
                yield number, done, LineRefused(f"It is longer than {LONGEST >> 20} MB.")
            elif raw.strip():
                yield number, done, _parsed(raw.removeprefix(BOM) if number == 1 else raw, is_whole)


def _skip_rest(file: Any) -> int:
    skipped = 0
    while raw := file.readline(1 << 20):
        skipped += len(raw)
        if raw.endswith(b"\n"):
            break
    return skipped


def _parsed(raw: bytes, is_whole: bool) -> dict[str, Any] | LineRefused:
    try:
        return parse(raw)
    except LineRefused as refused:
        return refused if is_whole else LineRefused(f"{refused} The file ends in the middle of it, so part is missing.")


def parse(raw: bytes) -> dict[str, Any]:
    """An object that Postgres can keep. Raises LineRefused."""
    if b"\x00" in raw or b"\\u0000" in raw:
        raise LineRefused("It holds a NUL character.")
    try:
        found = json.loads(raw.decode("utf-8"), parse_float=_finite, parse_constant=_no_number)
        json.dumps(found, ensure_ascii=False).encode()  # half a character would be refused later, by Postgres
    except UnicodeDecodeError:
        raise LineRefused("It is not UTF-8.") from None
    except UnicodeEncodeError:
        raise LineRefused("It holds half a character.") from None
    except RecursionError:
        raise LineRefused("It is nested too deeply.") from None
    except ValueError:
        raise LineRefused("It is no JSON.") from None
    if not isinstance(found, dict):
        raise LineRefused("It is no JSON object.")
    return found


def _finite(written: str) -> float:
    value = float(written)
    if not math.isfinite(value):
        raise LineRefused("It holds a number that is too large.")
    return value


def _no_number(_written: str) -> NoReturn:
    raise LineRefused("It holds a number that is none, such as NaN.")
