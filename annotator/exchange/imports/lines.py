"""Read a file of JSON lines. A line that cannot be read yields its reason, and reading continues."""

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

from annotator.exchange.imports.records import LineRefused

MAX_LINE_BYTES = 64 << 20  # enough for twenty thousand long comments
BOM = b"\xef\xbb\xbf"


def read_lines(path: Path) -> Iterator[tuple[int, int, dict[str, Any] | LineRefused]]:
    """Yield line number, bytes read so far, and the object or its refusal. Skip empty lines."""
    with path.open("rb") as file:
        number = done = 0
        while raw := file.readline(MAX_LINE_BYTES + 1):
            number, done = number + 1, done + len(raw)
            is_whole = raw.endswith(b"\n")
            if len(raw) > MAX_LINE_BYTES:
                done += _skip_rest(file) if not is_whole else 0
                yield number, done, LineRefused(f"The line is longer than {MAX_LINE_BYTES >> 20} MB.")
            elif raw.strip():
                yield number, done, _parse_or_refusal(raw.removeprefix(BOM) if number == 1 else raw, is_whole)


def _skip_rest(file: Any) -> int:
    skipped = 0
    while raw := file.readline(1 << 20):
        skipped += len(raw)
        if raw.endswith(b"\n"):
            break
    return skipped


def _parse_or_refusal(raw: bytes, is_whole: bool) -> dict[str, Any] | LineRefused:
    try:
        return parse(raw)
    except LineRefused as refused:
        return refused if is_whole else LineRefused(f"{refused} The file ends in the middle of the line.")


def parse(raw: bytes) -> dict[str, Any]:
    """Parse an object that Postgres can store. Raises LineRefused."""
    if b"\x00" in raw or b"\\u0000" in raw:
        raise LineRefused("The line contains a NUL character.")
    try:
        value = json.loads(raw.decode("utf-8"), parse_float=_finite, parse_constant=_refuse_constant)
        json.dumps(value, ensure_ascii=False).encode()  # Postgres refuses lone surrogates
    except UnicodeDecodeError:
        raise LineRefused("The line is not UTF-8.") from None
    except UnicodeEncodeError:
        raise LineRefused("The line contains half a character (a lone surrogate).") from None
    except RecursionError:
        raise LineRefused("The JSON is nested too deeply.") from None
    except ValueError:
        raise LineRefused("The line is not valid JSON.") from None
    if not isinstance(value, dict):
        raise LineRefused("The line is not a JSON object.")
    return value


def _finite(written: str) -> float:
    number = float(written)
    if not math.isfinite(number):
        raise LineRefused("The line contains a number that is too large.")
    return number


def _refuse_constant(_written: str) -> NoReturn:
    raise LineRefused("The line contains an invalid number such as NaN.")
