"""Whole dumps through the filter: order, numbers of odd lines, and texts that try to break it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from profiles.ingest import line_filter
from profiles.ingest.funnel import Rule
from profiles.ingest.options import Options
from profiles.ingest.repair import CUT_OFF, NOT_JSON, SUBMISSION
from tests.profiles.ingest.dumps import KINDS, comment, line, lines_of, pack
from tests.profiles.ingest.filters import AS_WRITTEN, filtered, filtered_file

LISTED = Options().with_names(["houston", *(f"place{n}" for n in range(2000))])
ODD = {
    b"{broken\n": NOT_JSON, b"\x00\x00\n": NOT_JSON, line().strip() + b"," + line(): NOT_JSON,
    b'{"id": "a"}\n': "without author", line(id="x" * 13): "id is not Reddit's",
    line(body=..., title="A question"): SUBMISSION, line(created_utc="soon"): "created_utc is no date",
}  # fmt: skip
BLANK = [b"\n", b"  \t\n", b"\r\n", b"\x0b\n"]


def test_many_lines_come_in_order_and_odd_ones_keep_their_numbers():
    """Far more than DuckDB reads at a time, with a list that is longer than what is left to mend."""
    lines = [line(id=f"e{n:05d}", subreddit="houston" if n % 3 else "pics", body="x" * 400) for n in range(40_000)]
    set_aside, gone = [], set()
    for number, at in enumerate(range(37, len(lines), 997)):
        odd, why = list(ODD.items())[number % len(ODD)]
        lines[at], lines[at + 1] = odd, BLANK[number % len(BLANK)]
        lines[at + 2] = lines[at + 2].replace(b'"body": "x', b'"body": "\xff')  # mended
        set_aside.append((at + 1, why))
        gone |= {at, at + 1}
    result, kept = filtered(lines, LISTED)
    assert sorted(result.set_aside) == set_aside
    wanted = [f"e{n:05d}" for n in range(len(lines)) if n % 3 and n not in gone]
    assert sorted(one["id"] for one in kept) == wanted
    assert result.lines == len(lines) - len(set_aside)  # blank ones are no lines
    assert {one["subreddit"] for one in kept} == {"houston"}


@pytest.mark.parametrize("size", [1, 3, 60])
def test_mended_lines_that_a_rule_sets_aside_keep_their_numbers(size, monkeypatch):
    """However few there are, beside a long list."""
    monkeypatch.setattr(filter, "mend", lambda line: comment(id="no id!" if b"odd" in line else "c1"))
    lines = [b"{odd\n" if n % 2 else b"{even\n" for n in range(size)]
    result, kept = filtered(lines, LISTED)
    assert [number for number, _ in result.set_aside] == list(range(2, size + 1, 2))
    assert len(kept) == (size + 1) // 2


def test_a_thousand_odd_lines_are_noted_and_all_are_counted():
    result, kept = filtered([b"{broken\n", line()] * 1500)
    assert len(result.set_aside) == line_filter.MOST_SET_ASIDE == 1000
    assert result.set_aside[-1] == (1999, NOT_JSON)
    assert (result.removed, result.reasons) == ({Rule.SET_ASIDE: 1500}, {NOT_JSON: 1500})
    assert len(kept) == 1500


def test_a_cut_archive_is_read_as_far_as_it_goes(tmp_path):
    path = tmp_path / "RC_2013-05.gz"
    path.write_bytes(pack(b"".join(lines_of(400)), "gz")[:-300])
    result, kept = filtered_file(path)
    assert 100 < len(kept) < 400
    assert result.set_aside == [(len(kept) + 1, CUT_OFF)]
    assert result.problem.startswith("cut off at byte")


def test_an_empty_dump_is_nothing():
    for kind in ("plain", "zst"):
        result, kept = filtered([], kind=kind)
        assert (result.lines, kept, result.problem) == (0, [], "")


HOSTILE = [
    'a "quoted" \'text\' with \\ and \\\\', "one, two;\tthree\r\nfour\rfive", "\\.\n\\.\n\\N is null",
    "\\x41 \\u0041 %s {} ${x}", "'; DROP TABLE profiles_comment; --", "\u2028\u2029\x85\x0b\x0c line ends of others",
    "\ufeffBOM and \ufffe and \uffff", "\x01\x1f\x7f controls of all kinds", "👩\u200d👩\u200d👧 \u202eright to left",
    "NULL      ", "nul \x00 in the text", "ñ" * 30,
]  # fmt: skip


def test_hostile_texts_are_kept_as_they_are_but_for_nul():
    result, kept = filtered([line(body=body, ascii_only=bool(n % 2)) for n, body in enumerate(HOSTILE * 2)], AS_WRITTEN)
    assert [one["body"] for one in kept] == [body.replace("\x00", "") for body in HOSTILE * 2]
    assert not result.removed


def test_a_huge_text_is_kept():
    huge = "é" * 5_000_000
    _, kept = filtered([line(id="a1"), line(id="a2", body=huge), line(id="a3")], AS_WRITTEN)
    assert {one["id"]: len(one["body"]) for one in kept} == {"a1": 31, "a2": 5_000_000, "a3": 31}


@settings(max_examples=5)
@given(bodies=st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=30), max_size=50), data=st.data())
def test_every_kind_of_file_gives_the_same(bodies, data):
    lines = [line(body=body, id=f"e{n}", ascii_only=bool(n % 3)) for n, body in enumerate(bodies)]
    kind = data.draw(st.sampled_from([kind for kind in [*KINDS, "parquet"] if kind != "plain"]))
    plain, other = filtered(lines), filtered(lines, kind=kind)
    assert plain[1] == other[1]
    assert plain[0].removed == other[0].removed
