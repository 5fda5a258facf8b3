"""Reproducible dumps with everything that can be odd about a line."""

import bz2
import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import zstandard

LISTED = ("askreddit", "berlin", "nyc")
START = 1_325_376_000  # 2012-01-01
YEARS = 4 * 365 * 86_400
PIECES = [
    *"aZé_-$%'\\\"\t\n\x00\x85\x1c\u2028\u202e\ufeff\u0130\u03a3\u017f\u212a😀", " ", "  ", "\r\n", "\n\n  ", ">",
    "&gt;", ">!", "\n> ", "\n&gt;", "&amp;gt;", "&lt;", "I am a bot", "i'M A bOT", "beep boop", "éI am a bot",
    "I am a boté", "word word word", "[deleted]", "{}", "null",
]  # fmt: skip
# Texts that the patterns of one engine take for a bot, a quoted line or a blank, and those of another do not.
NEARLY = {
    "nearlyBot\n": "{} words of someone whose name goes on",
    "\nbot_nearly": "{} words of someone whose name begins earlier",
    "Near": "{} times éI am a boté",
    "Long": "{} times thi\u017f action wa\u017f performed automatically",
    "Ends": "> {}\n own words at length \u2028",
    "Breaks": "{} words of one's own\u2028 > and more of them\x85&gt; and more\r> and more",
    "\u039f\u03a3": "{} words by somebody",
    "\u0130mgurbot": "{} words by somebody else",
}
DATES: list[Any] = [
    "1356998400", 1356998400, 1356998400.75, "1356998400.0", 1.3569984e9, "1.3569984e9", " 1356998400 ", "1356998400d",
    "1_356_998_400", "0x50E22700", "", "soon", "NaN", -1, 1e300, True, None, "1356998400\x00", "+1356998400",
    [1356998400], START - 1, START, START + YEARS, 1451606399, 1451606400, 0, 99999999999999999999,
]  # fmt: skip


def make_dumps(folder: Path) -> list[Path]:
    """A long-window archive, an older one, a table, nonsense, and an archive that is cut off."""
    lines, odd = [*_lines(Random(7))], [*_odd_lines()]  # noqa: S311
    parts = [[*odd, *lines[::3]], [*lines[1::3], *odd, *lines[:50]], [*lines[2::3], *odd]]
    _write_long_window(folder / "RC_2012-11.zst", parts[0])
    with gzip.open(folder / "RC_2012-12.gz", "wb") as file:
        file.write(b"\n".join(parts[1]))  # the last line has no newline
    _write_table(folder / "RC_2013-01.parquet", parts[2])
    (folder / "RC_2013-02").write_bytes(b"\r\n".join(_nonsense(Random(8))) + b"\r\n")  # noqa: S311
    (folder / "RC_2013-03.bz2").write_bytes(bz2.compress(b"\n".join(lines), 1)[:-500])
    return sorted(folder.iterdir())


def _comment(random: Random, author: str, at: int, body: str) -> dict[str, Any]:
    subreddit = random.choice([*LISTED, "NYC", "AskReddit", "pics", "u_someone"])
    created = random.choice([str(at), at, float(at), at + 0.5])
    identity = f"c{random.randrange(36**4):x}"
    return {"author": author, "body": body, "created_utc": created, "id": identity, "subreddit": subreddit, "score": 1}


def _lines(random: Random) -> Iterator[bytes]:
    """People, and bots of every kind that there is a rule for."""
    names = [f"{word}{number}" for word in ("Person", "talbot", "Émile") for number in range(40)]
    for _ in range(3000):
        name = random.choice(names)
        text = " ".join(random.choice(PIECES) for _ in range(random.randrange(12)))
        yield _line(_comment(random, random.choice([name, name.upper()]), START + random.randrange(YEARS), text))
    for name in ("AutoModerator", "HelpfulBot", "some_bot", "bot-of-help"):
        yield from (_line(_comment(random, name, START + n * 9999, "I greet you, whoever you are")) for n in range(3))
    yield from (_line(_comment(random, "[deleted]", START + n, "written by someone who left")) for n in range(20))
    yield from (_line(_comment(random, "Person1", START + n, "[removed]")) for n in range(20))
    yield from (_line(_comment(random, "Quick", START + n, f"one of very many in an hour: {n}")) for n in range(300))
    for name, text in NEARLY.items():
        yield from (_line(_comment(random, name, START + n * 9999, text.format(n))) for n in range(20))
    yield from (_line(_comment(random, "Same", START + n * 9999, f"{'x' * 40}{n}")) for n in range(60))
    yield from (_line(_comment(random, "Open", START + n * 9999, f"{n} beep. Éh, I AM A BOT!")) for n in range(30))


def _line(comment: dict[str, Any]) -> bytes:
    """Escape some comments to ASCII, as in old dumps."""
    return json.dumps(comment, ensure_ascii=len(comment["body"]) % 2 == 0).encode()


def _odd_lines() -> Iterator[bytes]:
    whole = {
        "author": "odd",
        "body": "an odd line that is long",
        "created_utc": 1356998400,
        "id": "o1",
        "subreddit": "nyc",
    }
    yield from (_line(whole | {"created_utc": date, "id": f"d{n}"}) for n, date in enumerate(DATES))
    for name in whole:
        yield json.dumps({key: value for key, value in whole.items() if key != name}).encode()
        yield from (
            json.dumps(whole | {name: value}).encode() for value in (None, "", 7, 1.5, True, {"a": 1.50}, "a\n")
        )
    text = json.dumps(whole).encode()
    yield from (
        b"",
        b" \t",
        b"\r",
        b"\x0b",
        text[:-9],
        text[:-1] + b",}",
        text + b" x",
        text + text,
        b"[1]",
        b"null",
        b"\x00",
    )
    yield from (
        b"\xef\xbb\xbf" + text,
        text.replace(b"odd line", b"odd \xff\xfe line"),
        text.replace(b"odd l", b"odd \x00 l"),
    )
    yield from (
        text.replace(b"line", escape) for escape in (b"\\ud83d", b"\\ud83d\\ude00", b"\\u0000", b"\t", b"\\uZZZZ")
    )
    yield text.replace(b'"id"', b'"id": "first", "id"')
    yield text.replace(b"an odd", b"x" * 1_200_000)
    yield json.dumps(whole | {"body": "\x00" * 20}).encode()
    yield json.dumps({"author": "odd", "title": "a submission", "selftext": "text"}).encode()


def _nonsense(random: Random) -> Iterator[bytes]:
    for _ in range(1500):
        author, body = ("".join(random.choices(PIECES, k=random.randrange(1, 9))) for _ in range(2))
        at = random.choice([random.choice(DATES), START + random.randrange(YEARS)])
        comment = _comment(random, author, START, body) | {"created_utc": at}
        yield json.dumps(comment | ({"id": body[:5]} if random.random() < 0.1 else {})).encode()


def _write_long_window(path: Path, lines: list[bytes]) -> None:
    parameters = zstandard.ZstdCompressionParameters(window_log=31, enable_ldm=True)
    with path.open("wb") as file, zstandard.ZstdCompressor(compression_params=parameters).stream_writer(file) as packed:
        packed.write(b"\n".join(lines) + b"\n")


def _write_table(path: Path, lines: list[bytes]) -> None:
    """Write only lines that a table can hold, with integer dates as in the published tables."""
    rows = []
    for line in lines:
        try:
            row = json.loads(line)
            rows.append(
                {name: row[name] for name in ("author", "body", "id", "subreddit")} | {"at": float(row["created_utc"])}
            )
        except (ValueError, KeyError, TypeError):
            continue
    rows = [row for row in rows if all(isinstance(value, str) for name, value in row.items() if name != "at")]
    rows = [row for row in rows if abs(row["at"]) < 2**62 and not any("\ud800" <= c < "\ue000" for c in row["body"])]
    table = pa.Table.from_pylist([row | {"created_utc": int(row.pop("at"))} for row in rows])
    pq.write_table(table, path, row_group_size=500)
