"""Which comments are kept, written once for every engine: DuckDB on one machine, Spark on many.

An engine brings the lines as text (`RAW`) and the list of subreddits in lower case (`LISTED`); columns that it adds
for itself are handed on. Patterns say \\A and \\z, not ^ and $, which mean other places to other engines.
"""

import ibis
import ibis.expr.types as ir

from profiles.ingest.funnel import Rule
from profiles.ingest.options import ALL, Options

RAW = dict.fromkeys(("author", "body", "created_utc", "id", "subreddit"), "string")
LISTED = {"listed": "string"}
KEPT = {
    "account": "string", "author": "string", "subreddit": "string",
    "id": "string", "created": "int64", "body": "string",
}  # fmt: skip
RULES = list(Rule)
IS_KEPT = -1  # otherwise the place of the rule in RULES: a number is quicker than a word
LAST_SECOND = 253_402_300_799  # the year 9999

# Quoted lines begin with > (as &gt; in dumps); a line that begins with >! is a spoiler, in the author's own words.
QUOTED = r"\n[ \t]*(?:&gt;|>)(?:[^!\n][^\n]*)?\n"
AROUND = r"\A[ \t\r\n]+|[ \t\r\n]+\z"
NUMBER = r"\A[ \t\r\n]*[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?[ \t\r\n]*\z"


def judged(raw: ir.Table, listed: ir.Table, options: Options) -> ir.Table:
    """Each line with the rule that removed it or `kept`; the comment itself only where it is kept."""
    lines = _looked_up(raw, listed, options)
    read = lines.mutate(text=_if_listed(lines, _text(lines.body, options), options))
    ruled = read.mutate(rule=_rule(read, options))
    comment = ibis.struct({
        "account": ruled.author if options.exact_spelling else in_lower_case(ruled.author),
        "author": ruled.author,
        "subreddit": ruled.subreddit,
        "id": ruled.id.lower(),
        "created": _second(ruled.created_utc),
        "body": ruled.text,
    })  # fmt: skip
    added = [name for name in raw.columns if name not in RAW]
    return ruled.select("rule", *added, comment=(ruled.rule == IS_KEPT).ifelse(comment, ibis.null()))


def in_lower_case(name: ir.Value) -> ir.Value:
    """Reddit's names are ASCII; anything else stays as written, as engines differ about İ and Σ."""
    return name.re_search(r"[^\x00-\x7F]").ifelse(name, name.lower())


def _second(written: ir.Value) -> ir.Value:
    """The date as a whole number; in dumps it is text, a number, or a number with a fraction."""
    return written.try_cast("float64").floor().cast("int64")


def _looked_up(raw: ir.Table, listed: ir.Table, options: Options) -> ir.Table:
    """With `listed` where the subreddit is on the list. A join, because the list may be long."""
    return raw if options.subreddits == ALL else raw.left_join(listed, raw.subreddit.lower() == listed.listed)


def _if_listed(line: ir.Table, value: ir.Value, options: Options) -> ir.Value:
    """Worked out once, and not at all for most lines."""
    return value if options.subreddits == ALL else line.listed.notnull().ifelse(value, ibis.null())


def _rule(line: ir.Table, options: Options) -> ir.Value:
    """The first rule that the line does not pass. The cheap ones keep most lines from the dear ones."""
    second = line.created_utc.try_cast("float64")
    asked: list[tuple[ir.Value, Rule]] = [
        (_is_incomplete(line), Rule.SET_ASIDE),
        (line.body.length() < options.min_chars, Rule.TOO_SHORT),
        (line.author == "[deleted]", Rule.DELETED_AUTHOR),
        (line.body.isin(("[deleted]", "[removed]")), Rule.REMOVED_TEXT),
        (~line.created_utc.re_search(NUMBER) | second.isnull() | (second < 0) | (second > LAST_SECOND), Rule.SET_ASIDE),
        ((second < options.first_second) | (second >= options.end_second), Rule.OTHER_YEARS),
        (~line.body.re_search(r"[^\x00]"), Rule.TOO_SHORT),
        (~line.id.re_search(r"\A[0-9A-Za-z]{1,12}\z"), Rule.SET_ASIDE),
        (~line.subreddit.re_search(r"\A[0-9A-Za-z_:.\-]{1,50}\z"), Rule.SET_ASIDE),
    ]
    if options.subreddits != ALL:
        asked.insert(4, (line.listed.isnull(), Rule.OTHER_SUBREDDIT))
    if not (options.keep_quotes and options.keep_entities):
        asked.append((line.text.length() < options.min_chars, Rule.NOT_OWN))
    return ibis.cases(*((condition, _code(rule)) for condition, rule in asked), else_=ibis.literal(IS_KEPT, "int8"))


def _code(rule: Rule) -> ir.Value:
    return ibis.literal(RULES.index(rule), "int8")


def _is_incomplete(line: ir.Table) -> ir.Value:
    return ibis.or_(*(line[name].isnull() for name in RAW), line.author == "", line.subreddit == "")


def _text(body: ir.Value, options: Options) -> ir.Value:
    """The author's own words. Dumps escape <, > and & as in HTML, and nothing else; Postgres cannot hold \\x00."""
    own = body if options.keep_quotes else body.re_search("&gt;|>").ifelse(_unquoted(body), body)
    if not options.keep_entities:
        own = own.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
    return body.re_search(r"[&>\x00]").ifelse(own.re_replace(r"\x00", ""), body)


def _unquoted(body: ir.Value) -> ir.Value:
    """Each line has an end of its own on both sides for a moment, so that the pattern finds neighbours too."""
    lines = ibis.literal("\n") + body.replace("\n", "\n\n") + "\n"
    return lines.re_replace(QUOTED, "").replace("\n\n", "\n").re_replace(AROUND, "")
