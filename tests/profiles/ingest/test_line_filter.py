"""Filtering whole dumps: order, numbers of odd lines, and hostile texts."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from profiles.ingest import line_filter, line_rules
from profiles.ingest.archives import CUT_OFF as ARCHIVE_CUT_OFF
from profiles.ingest.funnel import Rule
from profiles.ingest.line_rules import LinesLost
from profiles.ingest.options import Options
from profiles.ingest.repair import CUT_OFF, MISSING, NOT_A_DATE, NOT_AN_ID, NOT_JSON, NOT_TEXT, SUBMISSION, TOO_LONG
from profiles.ingest.rules import KEPT_CODE
from profiles.ingest.shared_buffers import BUFFER_SIZE
from tests.chance import at_most
from tests.profiles.ingest.dumps import KINDS, comment, line, lines_of, pack
from tests.profiles.ingest.filters import AS_WRITTEN, EVERYTHING, apply_rules, filter_dump, filter_path

LISTED = Options().with_names(["houston", *(f"place{n}" for n in range(2000))])
ODD = {
    b"{broken\n": NOT_JSON, b"\x00\x00\n": NOT_JSON, line().strip() + b"," + line(): NOT_JSON,
    b'{"id": "a"}\n': MISSING.format(name="author"), line(id="x" * 13): NOT_AN_ID,
    line(body=..., title="A question"): SUBMISSION, line(created_utc="soon"): NOT_A_DATE,
}  # fmt: skip
BLANK = [b"\n", b"  \t\n", b"\r\n", b"\x0b\n"]


def test_many_lines_come_in_order_and_odd_ones_keep_their_numbers():
    """Far more than DuckDB reads at a time, with a list that is longer than what is left to repair."""
    lines = [line(id=f"e{n:05d}", subreddit="houston" if n % 3 else "pics", body="x" * 400) for n in range(40_000)]
    set_aside, gone = [], set()
    for number, at in enumerate(range(37, len(lines), 997)):
        odd, why = list(ODD.items())[number % len(ODD)]
        lines[at], lines[at + 1] = odd, BLANK[number % len(BLANK)]
        lines[at + 2] = lines[at + 2].replace(b'"body": "x', b'"body": "\xff')  # is repaired
        set_aside.append((at + 1, why))
        gone |= {at, at + 1}
    result, kept = filter_dump(lines, LISTED)
    assert sorted(result.set_aside) == set_aside
    expected = [f"e{n:05d}" for n in range(len(lines)) if n % 3 and n not in gone]
    assert sorted(row["id"] for row in kept) == expected
    assert result.lines == len(lines) - len(set_aside)  # blank lines do not count
    assert {row["subreddit"] for row in kept} == {"houston"}


@pytest.mark.parametrize("size", [1, 3, 60])
def test_repaired_lines_that_a_rule_sets_aside_keep_their_numbers(size, monkeypatch):
    """However few there are, beside a long list."""
    monkeypatch.setattr(line_filter, "repair_line", lambda line: comment(id="no id!" if b"odd" in line else "c1"))
    lines = [b"{odd\n" if n % 2 else b"{even\n" for n in range(size)]
    result, kept = filter_dump(lines, LISTED)
    assert [number for number, _ in result.set_aside] == list(range(2, size + 1, 2))
    assert len(kept) == (size + 1) // 2


@pytest.fixture
def losing(monkeypatch):
    """DuckDB loses the rule of one line."""
    outcome = line_rules.RuleOutcome.from_table

    def lose(connection, name):
        whole = outcome(connection, name)
        return replace(whole, counts=whole.counts | {KEPT_CODE: whole.counts[KEPT_CODE] - 1})

    monkeypatch.setattr(line_rules.RuleOutcome, "from_table", lose)


@pytest.mark.parametrize("lines", [[line()] * 5, [line(), b"\n", line(), b" \n"]])
def test_a_line_that_was_not_judged_stops_the_file(lines, losing):
    with pytest.raises(LinesLost):
        filter_dump(lines)


def test_a_repaired_line_that_was_not_judged_stops_the_file(losing):
    with pytest.raises(LinesLost):
        apply_rules([comment(), comment()])


def test_lines_that_just_fit_are_kept_and_longer_ones_set_aside():
    room = BUFFER_SIZE - len(line(body=""))
    result, kept = filter_dump([line(body="x" * (room + more)) for more in (-1, 1, 0, 1)] + [line()], EVERYTHING)
    assert result.set_aside == [(2, TOO_LONG), (4, TOO_LONG)]
    assert sorted(len(row["body"]) for row in kept)[1:] == [room - 1, room]


def test_a_thousand_odd_lines_are_noted_and_all_are_counted():
    result, kept = filter_dump([b"{broken\n", line()] * 1500)
    assert len(result.set_aside) == line_filter.MAX_NOTED_LINES == 1000
    assert result.set_aside[-1] == (1999, NOT_JSON)
    assert (result.removed, result.reasons) == ({Rule.SET_ASIDE: 1500}, {NOT_JSON: 1500})
    assert len(kept) == 1500


def test_a_cut_archive_is_read_as_far_as_it_goes(tmp_path):
    path = tmp_path / "RC_2013-05.gz"
    path.write_bytes(pack(b"".join(lines_of(400)), "gz")[:-300])
    result, kept = filter_path(path)
    assert 100 < len(kept) < 400
    assert result.set_aside == [(len(kept) + 1, CUT_OFF)]
    assert result.problem.startswith(ARCHIVE_CUT_OFF)


def test_an_empty_dump_is_nothing():
    for kind in ("plain", "zst"):
        result, kept = filter_dump([], kind=kind)
        assert (result.lines, kept, result.problem) == (0, [], "")


HOSTILE = [
    'a "quoted" \'text\' with \\ and \\\\', "one, two;\tthree\r\nfour\rfive", "\\.\n\\.\n\\N is null",
    "\\x41 \\u0041 %s {} ${x}", "'; DROP TABLE profiles_comment; --", "\u2028\u2029\x85\x0b\x0c line ends of others",
    "\ufeffBOM and \ufffe and \uffff", "\x01\x1f\x7f controls of all kinds", "👩\u200d👩\u200d👧 \u202eright to left",
    "NULL      ", "nul \x00 in the text", "ñ" * 30,
]  # fmt: skip


def test_hostile_texts_are_kept_as_they_are_but_for_nul():
    result, kept = filter_dump(
        [line(body=body, ascii_only=bool(n % 2)) for n, body in enumerate(HOSTILE * 2)], AS_WRITTEN
    )
    assert [row["body"] for row in kept] == [body.replace("\x00", "") for body in HOSTILE * 2]
    assert not result.removed


def test_a_huge_text_is_kept():
    huge = "é" * 5_000_000
    _, kept = filter_dump([line(id="a1"), line(id="a2", body=huge), line(id="a3")], AS_WRITTEN)
    assert {row["id"]: len(row["body"]) for row in kept} == {"a1": 31, "a2": 5_000_000, "a3": 31}


@at_most(5)
@given(bodies=st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=30), max_size=50), data=st.data())
def test_every_kind_of_file_gives_the_same(bodies, data):
    lines = [line(body=body, id=f"e{n}", ascii_only=bool(n % 3)) for n, body in enumerate(bodies)]
    kind = data.draw(st.sampled_from([kind for kind in [*KINDS, "parquet"] if kind != "plain"]))
    plain, other = filter_dump(lines), filter_dump(lines, kind=kind)
    assert plain[1] == other[1]
    assert plain[0].removed == other[0].removed


@pytest.mark.parametrize("name", ["author", "body", "id", "subreddit"])
@pytest.mark.parametrize(
    "value", [True, False, {}, {"long": "enough to be kept"}, [], ["long", "enough", "to be kept"]]
)
def test_values_that_are_not_text_are_set_aside(name, value):
    result, kept = filter_dump([line(), line(**{name: value}), line()])
    assert result.set_aside == [(2, NOT_TEXT.format(name=name))]
    assert len(kept) == 2


@pytest.mark.parametrize("body", ["[1, 2, 3, 4, 5]", '{"long": "enough"}', "[a link](http://x)", "{not: json, at all}"])
def test_text_that_looks_like_json_is_text(body):
    result, kept = filter_dump([line(body=body, author="true"), line(author="false", body=body)], AS_WRITTEN)
    assert [(row["author"], row["body"]) for row in kept] == [("true", body), ("false", body)]
    assert not result.reasons
