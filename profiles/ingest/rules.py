"""Which comments are kept, written once for every engine: DuckDB on one machine, Spark on many.

An engine supplies the lines as text (`RAW_COLUMNS`); columns that it adds pass through. Patterns use \\A and \\z, not ^
and $, which differ between engines.
"""

import ibis
import ibis.expr.types as ir

from profiles.ingest.columns import RAW_COLUMNS
from profiles.ingest.funnel import Rule
from profiles.ingest.options import ALL, Options

RULES = list(Rule)
KEPT_CODE = -1  # otherwise the rule's position in RULES, as numbers are faster than words
LAST_SECOND = 253_402_300_799  # the year 9999

# Quoted lines start with > (as &gt; in dumps); a line that starts with >! is a spoiler, in the author's own words.
QUOTED_LINE = r"\n[ \t]*(?:&gt;|>)(?:[^!\n][^\n]*)?\n"
OUTER_SPACE = r"\A[ \t\r\n]+|[ \t\r\n]+\z"
NUMBER = r"\A[ \t\r\n]*[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?[ \t\r\n]*\z"


def apply_rules(raw: ir.Table, options: Options) -> ir.Table:
    """Each line with the code of the rule that removed it, and with the comment itself if it is kept."""
    lines = raw.mutate(is_other=_is_other(raw.subreddit, options))
    texts = lines.mutate(text=lines.is_other.ifelse(ibis.null(), _own_text(lines.body, options)))
    checked = texts.mutate(rule=_failed_rule(texts, options))
    comment = ibis.struct({
        "account": checked.author if options.exact_spelling else in_lower_case(checked.author),
        "author": checked.author,
        "subreddit": checked.subreddit,
        "id": checked.id.lower(),
        "created": _second(checked.created_utc),
        "body": checked.text,
    })  # fmt: skip
    added = [name for name in raw.columns if name not in RAW_COLUMNS]
    return checked.select("rule", *added, comment=(checked.rule == KEPT_CODE).ifelse(comment, ibis.null()))


def in_lower_case(name: ir.Value) -> ir.Value:
    """Reddit's names are ASCII. Anything else stays as written, because engines differ about İ and Σ."""
    return name.re_search(r"[^\x00-\x7F]").ifelse(name, name.lower())


def _second(written: ir.Value) -> ir.Value:
    """The date as a whole number. In dumps it is text, a number, or a number with a fraction."""
    return written.try_cast("float64").floor().cast("int64")


def _is_other(subreddit: ir.Value, options: Options) -> ir.Value:
    """Whether the subreddit is not on the list."""
    return ibis.literal(False) if options.subreddits == ALL else ~subreddit.lower().isin(options.names)


def _failed_rule(line: ir.Table, options: Options) -> ir.Value:
    """The code of the first rule that the line fails. Cheap rules come first, so few lines reach the expensive ones."""
    second = line.created_utc.try_cast("float64")
    checks: list[tuple[ir.Value, Rule]] = [
        (_is_incomplete(line), Rule.SET_ASIDE),
        (line.body.length() < options.min_chars, Rule.TOO_SHORT),
        (line.author == "[deleted]", Rule.DELETED_AUTHOR),
        (line.body.isin(("[deleted]", "[removed]")), Rule.REMOVED_TEXT),
        (line.is_other, Rule.OTHER_SUBREDDIT),
        (~line.created_utc.re_search(NUMBER) | second.isnull() | (second < 0) | (second > LAST_SECOND), Rule.SET_ASIDE),
        ((second < options.first_second) | (second >= options.end_second), Rule.OTHER_YEARS),
        (~line.body.re_search(r"[^\x00]"), Rule.TOO_SHORT),
        (~line.id.re_search(r"\A[0-9A-Za-z]{1,12}\z"), Rule.SET_ASIDE),
        (~line.subreddit.re_search(r"\A[0-9A-Za-z_:.\-]{1,50}\z"), Rule.SET_ASIDE),
    ]
    if not (options.keep_quotes and options.keep_entities):
        checks.append((line.text.length() < options.min_chars, Rule.NOT_OWN))
    return ibis.cases(*((condition, _code(rule)) for condition, rule in checks), else_=ibis.literal(KEPT_CODE, "int8"))


def _code(rule: Rule) -> ir.Value:
    return ibis.literal(RULES.index(rule), "int8")


def _is_incomplete(line: ir.Table) -> ir.Value:
    return ibis.or_(*(line[name].isnull() for name in RAW_COLUMNS), line.author == "", line.subreddit == "")


def _own_text(body: ir.Value, options: Options) -> ir.Value:
    """The author's own words. Dumps escape <, > and & as in HTML, nothing else; Postgres cannot store \\x00."""
    own = body if options.keep_quotes else body.re_search("&gt;|>").ifelse(_remove_quotes(body), body)
    if not options.keep_entities:
        own = own.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
    return body.re_search(r"[&>\x00]").ifelse(own.re_replace(r"\x00", ""), body)


def _remove_quotes(body: ir.Value) -> ir.Value:
    """Put a line end on both sides of each line, so that the pattern also matches neighbouring lines."""
    lines = ibis.literal("\n") + body.replace("\n", "\n\n") + "\n"
    return lines.re_replace(QUOTED_LINE, "").replace("\n\n", "\n").re_replace(OUTER_SPACE, "")
