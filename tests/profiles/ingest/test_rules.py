"""Each rule at its limits, and the original study's rule to the letter."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from profiles.ingest.funnel import Rule
from profiles.ingest.options import ALL, Options
from profiles.ingest.rules import KEPT_CODE, RULES
from tests.chance import at_most
from tests.profiles.ingest.dumps import MAY_2013, comment
from tests.profiles.ingest.filters import AS_WRITTEN, EVERYTHING, apply_rules

LISTED = Options().with_names(["houston", "AskMen"])


def verdicts(comments: Iterable[dict[str, Any]], options: Options = EVERYTHING) -> list[str]:
    """For each comment the rule that removed it, or ""."""
    outcomes = apply_rules([comment(**fields) for fields in comments], options)
    return ["" if rule == KEPT_CODE else RULES[rule].value for rule, _ in outcomes]


def kept(comments: Iterable[dict[str, Any]], options: Options = EVERYTHING) -> list[dict[str, Any] | None]:
    return [row for _, row in apply_rules(comments, options)]


def kept_texts(bodies: Iterable[str], options: Options = EVERYTHING) -> list[str]:
    return [row["body"] if row else "" for row in kept([comment(body=body) for body in bodies], options)]


@pytest.mark.parametrize("character", ["x", "é", "👍", "\u0301", "\u200d", "한", " "])
def test_length_is_counted_in_code_points(character):
    assert verdicts([{"body": character * size} for size in (9, 10, 11)]) == [Rule.TOO_SHORT, "", ""]


def test_the_years_begin_and_end_to_the_second_in_utc():
    moments = ["2011-12-31T23:59:59Z", "2012-01-01T00:00:00Z", "2015-12-31T23:59:59.5Z", "2016-01-01T00:00:00Z"]
    for as_written in (str, float, "{:.3f}".format, "{:.12e}".format):
        dates = [{"created_utc": as_written(datetime.fromisoformat(moment).timestamp())} for moment in moments]
        assert verdicts(dates) == [Rule.OTHER_YEARS, "", "", Rule.OTHER_YEARS]


def test_fractions_of_a_second_are_left_away():
    comments = kept([comment(created_utc="1451606399.9"), comment(created_utc=1367366400.0)])
    assert [row["created"] for row in comments] == [1451606399, 1367366400]


def test_the_years_can_be_chosen():
    options = Options(subreddits=ALL, since=date(2013, 5, 1), until=date(2013, 5, 2))
    seconds = [{"created_utc": MAY_2013 + more} for more in (-1, 0, 86399, 86400)]
    assert verdicts(seconds, options) == [Rule.OTHER_YEARS, "", "", Rule.OTHER_YEARS]


def test_subreddits_are_listed_in_any_case_and_keep_their_spelling():
    names = ["askmen", "AskMen", "ASKMEN", "houston"]
    assert [row["subreddit"] for row in kept([comment(subreddit=name) for name in names], LISTED)] == names


def test_what_is_not_listed_is_removed():
    other = [{"subreddit": "askmen2"}]
    assert verdicts(other, LISTED) == [Rule.OTHER_SUBREDDIT]
    assert verdicts(other, EVERYTHING) == [""]
    assert verdicts(other, Options()) == [Rule.OTHER_SUBREDDIT]  # an empty list lists nothing


def test_deleted_authors_and_removed_texts():
    authors = [{"author": "[deleted]"}, {"author": "[Deleted]"}]
    assert verdicts(authors) == [Rule.DELETED_AUTHOR, ""]
    texts = [{"body": "[deleted]"}, {"body": "[removed]"}, {"body": "[Removed]"}]
    assert verdicts(texts, Options(subreddits=ALL, min_chars=5)) == [Rule.REMOVED_TEXT, Rule.REMOVED_TEXT, ""]
    assert verdicts(texts) == [Rule.TOO_SHORT] * 3


def test_the_first_rule_that_fails_counts():
    fields: dict[str, Any] = {"body": "short", "author": "[deleted]", "subreddit": "pics", "created_utc": 5}
    changes = [{}, {"body": "[deleted]"}, {"author": "somebody"}, {"body": "long enough"}, {"subreddit": "houston"}]
    better = [fields := fields | change for change in changes]
    removed_by = [Rule.TOO_SHORT, Rule.DELETED_AUTHOR, Rule.REMOVED_TEXT, Rule.OTHER_SUBREDDIT, Rule.OTHER_YEARS]
    assert verdicts(better, replace(LISTED, min_chars=6)) == removed_by


OWN_WORDS = [
    ("&gt; You are wrong\n\nNo, I am right.", "No, I am right."),
    ("> You are wrong\nNo, I am right.", "No, I am right."),
    ("I am right.\n\n &gt;&gt; deep\n\t&gt; quote\n&gt;\n&gt; more\n\nSo there.", "I am right.\n\n\nSo there."),
    ("No, I am right.\n&gt; the end", "No, I am right."),
    ("&gt;!A spoiler of mine!&lt;", ">!A spoiler of mine!<"),
    ("&gt; quoted\n&gt;!A spoiler of mine!&lt;\n&gt;", ">!A spoiler of mine!<"),
    ("I think 5 &gt; 3, and 3 > 2.", "I think 5 > 3, and 3 > 2."),
    ("You wrote &amp;gt; and &amp;amp; here", "You wrote &gt; and &amp; here"),
    ("Tom &amp; Jerry &lt;3 &quot;x&quot;", "Tom & Jerry <3 &quot;x&quot;"),
    ("  no quote, so it is as it was  ", "  no quote, so it is as it was  "),
    ("&gt; only a quote of somebody", ""),
    ("&gt; a quote and\nnine char", ""),
    ("&amp;&amp;&amp;&amp;", ""),
]


def test_only_their_own_words_are_kept():
    bodies, own = zip(*OWN_WORDS, strict=True)
    assert kept_texts(bodies) == list(own)
    assert kept_texts(bodies, AS_WRITTEN) == list(bodies)


def test_what_is_too_short_without_quotes_is_counted_apart():
    bodies = [{"body": "&gt; quoted words\n\nnine char"}, {"body": "&gt; quoted words\n\nten chars."}]
    assert verdicts(bodies) == [Rule.NOT_OWN, ""]
    assert verdicts(bodies, AS_WRITTEN) == ["", ""]


def test_nothing_but_nul_is_no_text():
    bodies = [{"body": "\x00" * 12}, {"body": "\x00" * 12 + "\n&gt; quoted words"}]
    assert verdicts(bodies) == [Rule.TOO_SHORT, Rule.NOT_OWN]
    assert verdicts(bodies[:1], AS_WRITTEN) == [Rule.TOO_SHORT]
    assert kept_texts(["\x00ten \x00characters\x00"]) == ["ten characters"]


def test_the_account_is_the_name_in_lower_case_or_as_it_is_spelt():
    comments = [comment(author="TinRoof", id="C9Q1X2Y")]
    for options, account in ((EVERYTHING, "tinroof"), (replace(EVERYTHING, exact_spelling=True), "TinRoof")):
        (row,) = kept(comments, options)
        assert (row["account"], row["author"], row["id"]) == (account, "TinRoof", "c9q1x2y")


def is_kept_by_the_study(row: dict) -> bool:
    """The formal rule, spelled out."""
    start, end = datetime(2012, 1, 1, tzinfo=UTC).timestamp(), datetime(2016, 1, 1, tzinfo=UTC).timestamp()
    return (
        row["author"] != "[deleted]"
        and len(row["body"]) >= 10
        and row["subreddit"].lower() in ("houston", "askmen")
        and start <= float(row["created_utc"]) < end
    )


TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=24)
SECONDS = st.sampled_from([1325375999, 1325376000, 1451606399, 1451606400])
COMMENTS = st.builds(
    comment,
    author=st.sampled_from(["[deleted]", "TinRoof", "tinroof"]),
    body=TEXTS | st.sampled_from(["[deleted]", "[removed]", "&gt; quoted words", "a &amp;amp; b &amp; c"]),
    subreddit=st.sampled_from(["Houston", "askmen", "AskMen", "pics", "houston2"]),
    created_utc=SECONDS | SECONDS.map(str) | SECONDS.map(float),
)


@at_most(25)
@given(st.lists(COMMENTS, min_size=1, max_size=60))
def test_the_studys_rule_is_kept_to_the_letter(comments):
    rows = [row and (row["author"], row["body"], row["id"]) for row in kept(comments, LISTED.as_study())]
    expected = [(c["author"], c["body"], c["id"]) if is_kept_by_the_study(c) else None for c in comments]
    assert rows == expected


def test_comments_come_out_in_the_order_in_which_they_went_in():
    """More of them than the engine takes at once, of which every third is kept."""
    places = ["houston", "pics", "AskMen2"]
    comments = [comment(id=f"c{n}", subreddit=places[n % 3], body=f"The text of number {n}") for n in range(10_000)]
    rows = kept(comments, LISTED)
    assert [row and (row["id"], row["body"]) for row in rows] == [
        None if n % 3 else (f"c{n}", f"The text of number {n}") for n in range(10_000)
    ]


def test_no_lines_give_no_rules_and_no_comments():
    assert apply_rules([]) == []
    assert apply_rules([], LISTED) == []
