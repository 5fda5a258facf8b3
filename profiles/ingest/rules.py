"""Which comments are kept, written once for every engine: DuckDB on one machine, Spark on many.

The rules are SQL in DuckDB's dialect; `spark.steps` translates it. An engine supplies the lines as text
(`RAW_COLUMNS`). Patterns use \\A and \\z, not ^ and $, which differ between engines.
"""

from profiles.ingest.columns import RAW_COLUMNS
from profiles.ingest.funnel import Rule
from profiles.ingest.options import ALL, Options

RULES = list(Rule)
KEPT_CODE = -1  # otherwise the rule's position in RULES, as numbers are faster than words
SET_ASIDE_CODE = RULES.index(Rule.SET_ASIDE)
LAST_SECOND = 253_402_300_799  # the year 9999

# Quoted lines start with > (as &gt; in dumps); a line that starts with >! is a spoiler, in the author's own words.
QUOTED_LINE = r"\n[ \t]*(?:&gt;|>)(?:[^!\n][^\n]*)?\n"
OUTER_SPACE = r"\A[ \t\r\n]+|[ \t\r\n]+\z"
NUMBER = r"\A[ \t\r\n]*[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?[ \t\r\n]*\z"

# Each line with the code of the rule that removed it, and with the comment itself if it is kept.
RULES_SQL = """
SELECT rule, {added}, CASE WHEN rule = {kept} THEN {{
    'account': {account}, 'author': author, 'subreddit': subreddit, 'id': lower(id),
    'created': CAST(floor(second) AS BIGINT), 'body': text
}} END AS comment
FROM (
    SELECT *, CASE {checks} ELSE {kept} END AS rule
    FROM (
        SELECT *, CASE WHEN is_other THEN NULL ELSE {text} END AS text
        FROM (SELECT *, {is_other} AS is_other, TRY_CAST(created_utc AS DOUBLE) AS second FROM {source}) AS lines
    ) AS texts
) AS checked
"""


def rules_sql(source: str, options: Options, *, added: str) -> str:
    """The rules over the named table or view. Its column `added` passes through."""
    return RULES_SQL.format(
        source=source,
        added=added,
        kept=KEPT_CODE,
        account="author" if options.exact_spelling else in_lower_case("author"),
        is_other=_is_other(options),
        text=_own_text(options),
        checks=" ".join(f"WHEN {condition} THEN {RULES.index(rule)}" for condition, rule in _checks(options)),
    )


def in_lower_case(name: str) -> str:
    """Reddit's names are ASCII. Anything else stays as written, because engines differ about İ and Σ."""
    return rf"CASE WHEN regexp_matches({name}, '[^\x00-\x7F]') THEN {name} ELSE lower({name}) END"


def quoted_list(words: tuple[str, ...]) -> str:
    return ", ".join("'" + word.replace("'", "''") + "'" for word in words)


def _is_other(options: Options) -> str:
    """Whether the subreddit is not on the list."""
    if options.subreddits == ALL:
        return "FALSE"
    return f"NOT lower(subreddit) IN ({quoted_list(options.names)})" if options.names else "TRUE"


def _checks(options: Options) -> list[tuple[str, Rule]]:
    """The conditions under which each rule removes a line.

    The first that holds counts. Cheap ones come first, so few lines reach the expensive ones.
    """
    is_incomplete = " OR ".join([*(f"{name} IS NULL" for name in RAW_COLUMNS), "author = ''", "subreddit = ''"])
    no_date = f"NOT regexp_matches(created_utc, '{NUMBER}') OR second IS NULL OR NOT second BETWEEN 0 AND {LAST_SECOND}"
    checks = [
        (is_incomplete, Rule.SET_ASIDE),
        (f"length(body) < {options.min_chars}", Rule.TOO_SHORT),
        ("author = '[deleted]'", Rule.DELETED_AUTHOR),
        ("body IN ('[deleted]', '[removed]')", Rule.REMOVED_TEXT),
        ("is_other", Rule.OTHER_SUBREDDIT),
        (no_date, Rule.SET_ASIDE),
        (f"second < {options.first_second} OR second >= {options.end_second}", Rule.OTHER_YEARS),
        (r"NOT regexp_matches(body, '[^\x00]')", Rule.TOO_SHORT),
        (r"NOT regexp_matches(id, '\A[0-9A-Za-z]{1,12}\z')", Rule.SET_ASIDE),
        (r"NOT regexp_matches(subreddit, '\A[0-9A-Za-z_:.\-]{1,50}\z')", Rule.SET_ASIDE),
    ]
    if not (options.keep_quotes and options.keep_entities):
        checks.append((f"length(text) < {options.min_chars}", Rule.NOT_OWN))
    return checks


def _own_text(options: Options) -> str:
    """The author's own words. Dumps escape <, > and & as in HTML, nothing else; Postgres cannot store \\x00."""
    own = "body"
    if not options.keep_quotes:
        own = f"CASE WHEN regexp_matches(body, '&gt;|>') THEN {_remove_quotes('body')} ELSE body END"
    if not options.keep_entities:
        own = f"replace(replace(replace({own}, '&lt;', '<'), '&gt;', '>'), '&amp;', '&')"
    return rf"CASE WHEN regexp_matches(body, '[&>\x00]') THEN regexp_replace({own}, '\x00', '', 'g') ELSE body END"


def _remove_quotes(body: str) -> str:
    """Put a line end on both sides of each line, so that the pattern also matches neighbouring lines."""
    lines = f"'\n' || replace({body}, '\n', '\n\n') || '\n'"
    own = f"replace(regexp_replace({lines}, '{QUOTED_LINE}', '', 'g'), '\n\n', '\n')"
    return f"regexp_replace({own}, '{OUTER_SPACE}', '', 'g')"
