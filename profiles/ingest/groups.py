"""Which accounts become profiles, written once for every engine, as SQL in DuckDB's dialect.

Applied once everything is read, because the rules need all comments of an account. The queries read the tables `kept`
(`KEPT_COLUMNS`), `bots` (`bot`) and `accounts` (the result of `accounts_with_rules`, which the engine stores).
"""

from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from profiles.ingest.funnel import Rule
from profiles.ingest.options import Options
from profiles.ingest.rules import in_lower_case

BOTS_FILE = Path(__file__).resolve().parents[1] / "data" / "bots.txt"
# Matches HelpfulBot, helpful_bot and bot-of-help. Case distinguishes them from names like Talbot.
BOT_NAME = r"[a-z0-9]Bot[0-9]*\z|[_-][Bb][Oo][Tt][0-9]*\z|\A[Bb]ot[_-]"
BOT_PHRASES = ("i'm a bot", "i am a bot", "this action was performed automatically", "beep boop")
MIN_COMMENTS_FOR_HABITS = 20
OPENING_LENGTH = 40  # characters, which comments made from a template share
BOT_COMMENTS_AN_HOUR = 100  # more than a person writes

# Comments removed by each rule. The rule is empty for those that are left.
REMOVED_SQL = "SELECT rule, sum(comments) AS comments FROM accounts GROUP BY rule"
# One row per profile: how many comments, when, and in how many subreddits.
PROFILES_SQL = """
SELECT account, count(*) AS comments, min(created) AS first, max(created) AS last,
    count(DISTINCT lower(subreddit)) AS subreddits
FROM {comments} GROUP BY account
"""
COPIES_SQL = """
SELECT * FROM (
    SELECT *, row_number() OVER (PARTITION BY account, id ORDER BY created, subreddit, author, body) - 1 AS copy
    FROM kept
) AS numbered {condition}
"""
PLAIN_SQL = "SELECT account, count(*) AS comments, min(author) AS author FROM comments GROUP BY account"
# Each account's habits: repeated openings, comments in its busiest hour, and confessions to be a bot. Counted in two
# steps, so that memory does not grow with the number of different openings.
HABITS_SQL = """
SELECT plain.account, plain.comments, plain.author, template, confessions, busiest, bots.bot IS NOT NULL AS is_known
FROM ({plain}) AS plain
JOIN (
    SELECT account, max(times) AS template, sum(confessions) AS confessions
    FROM (
        SELECT account, left(body, {opening}) AS opening, count(*) AS times,
            sum(CASE WHEN regexp_matches(body, '{phrases}') THEN 1 ELSE 0 END) AS confessions
        FROM comments GROUP BY account, left(body, {opening})
    ) AS openings
    GROUP BY account
) AS templates ON plain.account = templates.account
JOIN (
    SELECT account, max(times) AS busiest
    FROM (
        SELECT account, floor(created / 3600) AS hour, count(*) AS times
        FROM comments GROUP BY account, floor(created / 3600)
    ) AS hours
    GROUP BY account
) AS hours ON plain.account = hours.account
LEFT JOIN bots ON {name} = bots.bot
"""
IS_BOT = f"""
is_known OR regexp_matches(author, '{BOT_NAME}') OR (confessions * 2 >= comments AND comments >= 5)
OR busiest >= {BOT_COMMENTS_AN_HOUR} OR (comments >= {MIN_COMMENTS_FOR_HABITS} AND template * 5 >= comments * 4)
"""
ACCOUNTS_SQL = """
WITH comments AS ({comments})
SELECT account, comments, {rule} AS rule FROM ({accounts}) AS accounts
"""
# The accounts with the lowest digests: the same ones for the same seed, whatever their order.
SAMPLE_SQL = """
SELECT account, comments, CASE WHEN rule = '' AND place > {sample} THEN '{not_drawn}' ELSE rule END AS rule
FROM (
    SELECT *, row_number() OVER (PARTITION BY rule = '' ORDER BY sha256(account || ':{seed}'), account) AS place
    FROM ({accounts}) AS ruled
) AS placed
"""


@lru_cache(maxsize=1)
def known_bots() -> frozenset[str]:
    """Accounts known to be bots, in lower case."""
    lines = (line.strip() for line in BOTS_FILE.read_text(encoding="utf-8").splitlines())
    return frozenset(line.lower() for line in lines if line and not line.startswith("#"))


def accounts_with_rules(options: Options) -> str:
    """Accounts as `account, comments, rule`: the first rule that they fail, or ""."""
    accounts = ACCOUNTS_SQL.format(
        comments=_number_copies(options), accounts=_accounts(options), rule=_failed_rule(options)
    )
    if options.sample is None:
        return accounts
    return SAMPLE_SQL.format(
        accounts=accounts, sample=options.sample, seed=options.seed, not_drawn=Rule.NOT_DRAWN.value
    )


def comments_of_profiles(options: Options) -> str:
    profiles = "SELECT account FROM accounts WHERE rule = ''"
    return f"SELECT * FROM ({_number_copies(options)}) AS comments WHERE account IN ({profiles})"


def _number_copies(options: Options) -> str:
    """Number the copies of a comment, and drop all but the first unless the options keep duplicates."""
    return COPIES_SQL.format(condition="" if options.keep_duplicates else "WHERE copy = 0")


def _accounts(options: Options) -> str:
    if options.keep_bots:
        return PLAIN_SQL
    return HABITS_SQL.format(
        plain=PLAIN_SQL, opening=OPENING_LENGTH, phrases=_phrase_pattern(BOT_PHRASES),
        name=in_lower_case("plain.account"),
    )  # fmt: skip


def _failed_rule(options: Options) -> str:
    checks: list[tuple[str, Rule]] = []
    if not options.keep_bots:
        checks.append((IS_BOT, Rule.BOT))
    if options.min_comments > 1:
        checks.append((f"comments < {options.min_comments}", Rule.TOO_FEW))
    if options.max_comments is not None:
        checks.append((f"comments > {options.max_comments}", Rule.TOO_MANY))
    cases = " ".join(f"WHEN {condition} THEN '{rule.value}'" for condition, rule in checks)
    return f"CASE {cases} ELSE '' END" if cases else "''"


def _phrase_pattern(sentences: Iterable[str]) -> str:
    """Match whole words in any case, spelled out, because engines differ in what (?i) and \\b cover beyond ASCII."""
    spelled = ("".join(f"[{c.upper()}{c}]" if c.isalpha() else c for c in sentence) for sentence in sentences)
    words = "|".join(spelled).replace("'", "''")
    return rf"(?:\A|[^0-9A-Za-z_])(?:{words})(?:[^0-9A-Za-z_]|\z)"
