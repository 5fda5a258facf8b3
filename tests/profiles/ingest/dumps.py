"""Make dumps like those in Reddit's archives: comments, lines, and files of every kind."""

import bz2
import gzip
import json
import lzma
from collections.abc import Callable, Iterable, Sequence
from itertools import count
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import zstandard

MAY_2013 = 1_367_366_400  # 2013-05-01 00:00:00 UTC
KINDS = ("zst", "bz2", "xz", "gz", "plain")  # of lines; parquet has rows
_numbers = count(1)


def comment(**fields: Any) -> dict[str, Any]:
    """A comment with the keys and types of 2013. A field given as `...` is left out."""
    whole = {
        "author": "tinroof_rusty",
        "author_flair_css_class": None,
        "author_flair_text": None,
        "body": "I moved to Houston last spring.",
        "controversiality": 0,
        "created_utc": str(MAY_2013),
        "distinguished": None,
        "downs": 0,
        "edited": False,
        "gilded": 0,
        "id": f"c{next(_numbers):06d}" if "id" not in fields else fields["id"],
        "link_id": "t3_1dfx2k",
        "name": "t1_c9q1x2y",
        "parent_id": "t3_1dfx2k",
        "retrieved_on": 1_431_000_000,
        "score": 3,
        "score_hidden": False,
        "subreddit": "houston",
        "subreddit_id": "t5_2qj1l",
        "ups": 3,
        "archived": True,
    }
    return {name: value for name, value in (whole | fields).items() if value is not ...}


def line(*, ascii_only: bool = True, **fields: Any) -> bytes:
    """One line of a dump with its newline. Most dumps escape non-ASCII characters, but some do not."""
    return json.dumps(comment(**fields), ensure_ascii=ascii_only).encode() + b"\n"


def lines_of(number: int, **fields: Any) -> list[bytes]:
    """Comments an hour apart, each with its own id and text."""
    comments = (
        {"id": f"d{n:06d}", "body": f"The text number {n}.", "created_utc": MAY_2013 + 3600 * n} for n in range(number)
    )
    return [line(**own | fields) for own in comments]


def write_dump(path: Path, lines: Iterable[bytes | dict[str, Any]], kind: str = "zst") -> Path:
    """Write the lines to a file of this kind, whatever its name. Parquet takes them as rows."""
    rows = list(lines)
    if kind == "parquet":
        write_parquet(path, [row if isinstance(row, dict) else json.loads(row) for row in rows])
    else:
        path.write_bytes(pack(b"".join(row if isinstance(row, bytes) else _as_line(row) for row in rows), kind))
    return path


def pack(plain: bytes, kind: str) -> bytes:
    """Pack as one stream or frame, always into the same bytes."""
    packers: dict[str, Callable[[bytes], bytes]] = {
        "zst": pack_zst, "bz2": bz2.compress, "xz": lzma.compress, "plain": bytes,
        "gz": lambda text: gzip.compress(text, mtime=0),
    }  # fmt: skip
    return packers[kind](plain)


def pack_zst(plain: bytes, window_log: int = 27, *, level: int = 1, checksum: bool = True, far: bool = False) -> bytes:
    """Pack as the archives do: a long window, and no content size in the header.

    From 2^30 on, packing needs a few hundred MB; `with_window` claims a window of that size without needing it.
    """
    parameters = zstandard.ZstdCompressionParameters.from_level(
        level, window_log=window_log, enable_ldm=far or window_log > 25, write_checksum=checksum,
        write_content_size=False,
    )  # fmt: skip
    packer = zstandard.ZstdCompressor(compression_params=parameters).compressobj()
    return packer.compress(plain) + packer.flush()


def with_window(packed: bytes, window_log: int) -> bytes:
    """The same frame, with its sixth byte changed to ask for another window than it was packed with."""
    assert not packed[4] & 0x20, "a frame with a content size has no window field"
    return packed[:5] + bytes([(window_log - 10) << 3]) + packed[6:]


def skippable(content: bytes = b"nothing to see") -> bytes:
    """A Zstandard frame that holds no text."""
    return b"\x50\x2a\x4d\x18" + len(content).to_bytes(4, "little") + content


def write_parquet(path: Path, rows: Sequence[dict[str, Any]], types: dict[str, pa.DataType] | None = None) -> Path:
    """Write the nine columns of the published Parquet dumps, where `created_utc` is int64."""
    kinds = {
        "created_utc": pa.int64(), "controversiality": pa.int64(), "body": pa.string(), "subreddit_id": pa.string(),
        "id": pa.string(), "score": pa.int64(), "author": pa.string(), "subreddit": pa.string(),
        "link_id": pa.string(),
    } | (types or {})  # fmt: skip
    columns = {name: pa.array([_as(kind, row.get(name)) for row in rows], kind) for name, kind in kinds.items()}
    pq.write_table(pa.table(columns), path)
    return path


def _as(kind: pa.DataType, value: Any) -> Any:
    return int(float(value)) if pa.types.is_integer(kind) and value is not None else value


def _as_line(row: dict[str, Any]) -> bytes:
    return json.dumps(row).encode() + b"\n"
