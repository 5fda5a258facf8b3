"""Markdown and entities as Reddit showed them, and that every offset stays true."""

import time
from html import unescape
from html.parser import HTMLParser

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from annotator.comments.markup import markup
from annotator.comments.markup.inline import TOKEN, _tokens
from annotator.comments.markup.meanings import BOLD, ITALIC, OFF, SHOWN_AS, shown_as
from annotator.templatetags.comments import written
from profiles.highlights import Highlight, layered
from profiles.spans import EntitySpan

SOUP = st.text(st.sampled_from('ab &;*_~`[]()^>#-.\\\n\t 1/:ghtps"<é😀'), max_size=80)
PIECES = st.lists(
    st.sampled_from(
        ["**", "*", "_", "~~", "`", "```\n", "&gt;", "&amp;", "&#x200B;", "\n", "\n\n", "> ", "* ", "1. ", "# ", "[",
         "](", "http://a.b/c_d", ")", "^", "^(", " ", "word", "Rome", "    ", "\\", "<script>alert(1)</script>", "😀",
         ">!", "!<", "&gt;!", "!&lt;", "|", "a|b\n-|:-:\n", "---\n", "        "]
    ),
    max_size=25,
).map("".join)  # fmt: skip
TEXTS = SOUP | PIECES


class Shown(HTMLParser):
    """What a browser holds (`source`) and what it shows (`shown`)."""

    def __init__(self, html):
        super().__init__(convert_charrefs=True)
        self.source, self.shown, self.marked, self.cited, self.tags = "", "", "", "", []
        self.seen = set()
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attributes):
        fields = dict(attributes)
        self.seen.add((tag, *sorted(fields)))
        self.tags.append((tag, (fields.get("class") or "").split()))
        self.shown += fields.get("data-as", "")

    def handle_endtag(self, tag):
        assert self.tags.pop()[0] == tag

    def handle_data(self, data):
        classes = {name for _, names in self.tags for name in names}
        self.source += data
        self.shown += "" if "md-off" in classes else data
        self.marked += data if "mark" in classes else ""
        self.cited += data if "evidence" in classes else ""


def parsed(text, marks=(), highlights=()):
    return Shown(written(layered(text, marks, [*highlights, *markup(text)])))


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("Plain, 2 * 3 * 4 and snake_case_name", "Plain, 2 * 3 * 4 and snake_case_name"),
        ("**bold** *it* _it_ ***both*** ~~gone~~", "bold it it both gone"),
        ("R&amp;D &lt;3 &quot;q&quot; &amp;nbsp;&amp;#x200B;.", 'R&D <3 "q" \N{NO-BREAK SPACE}\N{ZERO WIDTH SPACE}.'),
        ("fish &chips; &unknown; & more", "fish &chips; &unknown; & more"),
        ("&notreal; &amp;notreal; &not;", "&notreal; &notreal; ¬"),
        (">!he *dies*!< and &gt;!so does she!&lt;!", "he dies and so does she!"),
        ("a &gt;! b&gt;!c, &gt;!d!&lt; e!&lt; f", "a >! bc, >!d e!< f"),
        ("a &gt;!b", "a >!b"),
        ("a&gt;!b `!&lt;` c !&lt; d", "ab !&lt; c  d"),
        ("&gt; You said\n\nNo.", "You said\nNo."),
        ("&gt;&gt; deeper\n> once", "deeperonce"),
        ("&gt; One,\ntwo.\n&gt;\n&gt; * three\n\n&gt; four\n\nNo.", "One,two.• threefour\nNo."),
        ("&gt; **bold\n&gt; still** not", "boldstill not"),
        ("*over\ntwo lines* `a\nb` [x\ny](http://a.b)", "over\ntwo lines a\nb x\ny (http://a.b)"),
        ("*not over\n\nparagraphs*", "*not over\n\nparagraphs*"),
        ("* one\n more\n\n    second\n\n        code\n        more\n\nout", "• onemore\nsecond\ncodemore\nout"),
        ("* one\n* two\n1. three", "• one• two1. three"),
        ("# Title\ntext #tag", "Titletext #tag"),
        ("[my site](http://a.b/x_(y)) ok", "my site (http://a.b/x_(y)) ok"),
        ("[no](javascript:alert) [x] (y)", "[no](javascript:alert) [x] (y)"),
        ("`a *b*` and ``c ` d``", "a *b* and c ` d"),
        ("http://a.b/_x_?a=1&amp;b=*", "http://a.b/_x_?a=1&b=*"),
        ("¯\\\\\\_(ツ)_/¯ \\*not\\*", "¯\\_(ツ)_/¯ *not*"),
        ("2^10 and ^(so small) ^_^", "210 and so small ^_^"),
        ("\n    code *x*\n\n      two\nafter", "\ncode *x*  twoafter"),
        ("```py\n*x*\n\n```\nafter", "*x*after"),
        ("```one *line*```", "one *line*"),
        ("***\n- - -\nTitle\n---\ntext", "Titletext"),
        ("an *open star and **two", "an *open star and **two"),
    ],
)
def test_shows_what_reddit_showed(source, shown):
    assert parsed(source).shown == shown


def rows_of(text):
    """The cells of each row, as a browser shows them, with their alignment."""
    html = written(layered(text, [], markup(text)))
    rows = (row.split("md-cell md-to-")[1:] for row in html.split('class="md-line md-')[1:])
    return [[_cell(*cell.split('"', 1)) for cell in row] for row in rows]


def _cell(side, html):
    """Up to where its element ends."""
    shown = Shown("")
    shown.handle_endtag = lambda tag: shown.tags and shown.tags.pop()
    shown.feed(f"<p{html}")
    return side, shown.shown


@pytest.mark.parametrize(
    "source",
    ["Name|Age\n:--|--:\nBob|*27*\n", "| Name | Age |\n| --- | --: |\n| Bob | *27* |", "Name |Age\n-|-:\nBob|*27*|"],
)
def test_a_table_has_cells_with_their_alignment(source):
    assert rows_of(source) == [[("start", "Name"), ("end", "Age")], [("start", "Bob"), ("end", "27")]]


def test_an_empty_cell_keeps_the_others_in_their_columns():
    assert rows_of("a|b|c\n-|-|-\n1||x")[1] == [("start", "1"), ("start", ""), ("start", "x")]
    assert rows_of("a|b\n-|-\n||x")[1] == [("start", ""), ("start", "x")]
    assert rows_of("a|b\nc|d") == []  # no line of dashes: no table


def test_emphasis_covers_the_lines_between():
    (bold,) = [highlight for highlight in markup("a **b\nc** d") if highlight.meaning == BOLD]
    assert (bold.start, bold.end) == (4, 7)
    assert ITALIC not in {highlight.meaning for highlight in markup("*a\n\nb*")}


@given(TEXTS)
@example("&am" + "p;" * 3)
@example("~~~~ ``` ```")
def test_no_character_is_lost_and_only_syntax_is_hidden(text):
    page = parsed(text)
    assert page.source == text
    hidden = "".join(text[h.start : h.end] for h in markup(text) if h.meaning == OFF)
    assert not {character for character in unescape(hidden) if character.isupper()}


@given(TEXTS, st.data())
def test_detections_and_evidence_stay_on_their_characters(text, data):
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    page = parsed(text, [EntitySpan(start, end, "LOCATION", 0.9)], [Highlight(start, end, "age")])
    assert (page.source, page.marked, page.cited) == (text, text[start:end], text[start:end])


@given(TEXTS)
def test_highlights_lie_inside_the_text(text):
    for highlight in markup(text):
        assert 0 <= highlight.start <= highlight.end <= len(text)
        if highlight.meaning.startswith(SHOWN_AS):
            assert shown_as(highlight.meaning)
            assert highlight.length == 1


@given(TEXTS)
def test_nothing_but_spans_is_ever_made_of_a_text(text):
    assert parsed(text).seen <= {("span", "class"), ("span", "class", "data-as")}


def test_a_cut_mark_starts_where_something_shows_and_knows_its_text():
    text = "I like **New** York"
    html = written(layered(text, [EntitySpan(7, 19, "LOCATION", 0.9)], markup(text)))
    starts = [piece for piece in html.split("<mark")[1:] if "mark-on" not in piece.partition(">")[0]]
    assert len(starts) == 1
    assert 'data-text="**New** York"' in starts[0]
    assert "New</span></mark>" in starts[0]


@pytest.mark.parametrize(
    "piece",
    ["*a ", "**a", "`" * 7 + " ", "`a``b", "[", "](", "[a](http://", "[a](http://x ", "&amp;", "&", "^(", "_a_ ", "> ",
     "    ", "\\", "* ", "*", "http://a(", "```\n", "|", "a|", "a|b\n-|-\n", "-|", "> *a\n", "*a\n",
     "a\n---\n", "    a\n\n", "~~a", '](/r "'],
)  # fmt: skip
def test_takes_time_in_proportion_to_the_text(piece):
    def seconds(length):
        text = piece * (length // len(piece))
        start = time.process_time()
        written(layered(text, [], markup(text)))
        return time.process_time() - start

    small, large = (min(seconds(length) for _ in range(3)) for length in (2_000, 16_000))
    assert large < 0.02 + 8 * 4 * small


@given(st.text("ab h*_~`[]^\\&;#x1:/.()<>!gtl\n", max_size=30) | st.from_regex(TOKEN), st.integers(0, 5))
@example("http://a.b(c)~~", 0)
def test_tokens_are_those_of_the_pattern(text, start):
    assert [token.span() for token in _tokens(text, start, len(text))] == [
        token.span() for token in TOKEN.finditer(text, start, len(text))
    ]
