"""Which accounts become profiles, written once for every engine.

Applied once everything is read, because the rules need all comments of an account.
"""

from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

import ibis
import ibis.expr.types as ir

from profiles.ingest.funnel import Rule
from profiles.ingest.options import Options
from profiles.ingest.rules import in_lower_case

BOT_COLUMNS = {"bot": "string"}
ACCOUNT_COLUMNS = {"account": "string", "comments": "int64", "rule": "string"}
BOTS_FILE = Path(__file__).resolve().parents[1] / "data" / "bots.txt"
# Matches HelpfulBot, helpful_bot and bot-of-help. Case distinguishes them from names like Talbot.
BOT_NAME = r"[a-z0-9]Bot[0-9]*\z|[_-][Bb][Oo][Tt][0-9]*\z|\A[Bb]ot[_-]"
BOT_PHRASES = ("i'm a bot", "i am a bot", "this action was performed automatically", "beep boop")
MIN_COMMENTS_FOR_HABITS = 20
OPENING_LENGTH = 40  # characters, which comments made from a template share
BOT_COMMENTS_AN_HOUR = 100  # more than a person writes


@lru_cache(maxsize=1)
def known_bots() -> frozenset[str]:
    """Accounts known to be bots, in lower case."""
    lines = (line.strip() for line in BOTS_FILE.read_text(encoding="utf-8").splitlines())
    return frozenset(line.lower() for line in lines if line and not line.startswith("#"))


def accounts_with_rules(kept: ir.Table, bots: ir.Table, options: Options) -> ir.Table:
    """Accounts with the first rule that they fail, or "".

    The engine stores them as a table (`ACCOUNT_COLUMNS`), which the next two functions need.
    """
    accounts = _with_rules(_number_copies(kept, options), bots, options)
    return accounts if options.sample is None else _draw_sample(accounts, options)


def comments_of_profiles(kept: ir.Table, accounts: ir.Table, options: Options) -> ir.Table:
    return _number_copies(kept, options).semi_join(accounts.filter(accounts.rule == ""), "account")


def removed_comments(accounts: ir.Table) -> ir.Table:
    """Comments removed by each rule, as `rule, comments`. The rule is empty for those that are left."""
    return accounts.group_by("rule").agg(comments=accounts.comments.sum())


def summarize_profiles(comments: ir.Table) -> ir.Table:
    """One row per profile: how many comments, when, and in how many subreddits."""
    return comments.group_by("account").agg(
        comments=comments.count(),
        first=comments.created.min(),
        last=comments.created.max(),
        subreddits=comments.subreddit.lower().nunique(),
    )


def _number_copies(kept: ir.Table, options: Options) -> ir.Table:
    """Number the copies of a comment, and drop all but the first unless the options keep duplicates."""
    order = [kept.created, kept.subreddit, kept.author, kept.body]
    same = ibis.window(group_by=[kept.account, kept.id], order_by=order)
    numbered = kept.mutate(copy=ibis.row_number().over(same).cast("int64"))
    return numbered if options.keep_duplicates else numbered.filter(numbered.copy == 0)


def _with_rules(comments: ir.Table, bots: ir.Table, options: Options) -> ir.Table:
    accounts = comments.group_by("account").agg(comments=comments.count(), author=comments.author.min())
    checks: list[tuple[ir.Value, Rule]] = []
    if not options.keep_bots:
        accounts = _with_habits(accounts, comments, bots)
        checks.append((_is_bot(accounts), Rule.BOT))
    if options.min_comments > 1:
        checks.append((accounts.comments < options.min_comments, Rule.TOO_FEW))
    if options.max_comments is not None:
        checks.append((accounts.comments > options.max_comments, Rule.TOO_MANY))
    rule = ibis.cases(*((is_so, rule.value) for is_so, rule in checks), else_="") if checks else ibis.literal("")
    return accounts.select("account", "comments", rule=rule)


def _draw_sample(accounts: ir.Table, options: Options) -> ir.Table:
    """Draw the accounts with the lowest digests: the same ones for the same seed, whatever their order."""
    ticket = (accounts.account + f":{options.seed}").hexdigest("sha256")
    left = accounts.rule == ""
    place = ibis.row_number().over(ibis.window(group_by=left, order_by=[ticket, accounts.account]))
    is_out = left & (place >= options.sample)
    return accounts.select("account", "comments", rule=is_out.ifelse(Rule.NOT_DRAWN.value, accounts.rule))


def _with_habits(accounts: ir.Table, comments: ir.Table, bots: ir.Table) -> ir.Table:
    """Add each account's habits: repeated openings, comments in its busiest hour, and confessions to be a bot.

    Counted in two steps, so that memory does not grow with the number of different openings.
    """
    habits = comments.mutate(
        opening=comments.body.left(OPENING_LENGTH),
        hour=(comments.created / 3600).floor().cast("int64"),
        is_confession=comments.body.re_search(_phrase_pattern(BOT_PHRASES)).cast("int64"),
    )
    openings = habits.group_by(["account", "opening"]).agg(times=habits.count(), confessions=habits.is_confession.sum())
    templates = openings.group_by("account").agg(template=openings.times.max(), confessions=openings.confessions.sum())
    hours = habits.group_by(["account", "hour"]).agg(times=habits.count())
    busiest = hours.group_by("account").agg(busiest=hours.times.max())
    known = bots.select(account=bots.bot, is_known=ibis.literal(True))
    with_all = accounts.join(templates, "account").join(busiest, "account")
    with_all = with_all.mutate(name=in_lower_case(with_all.account))
    return with_all.left_join(known, with_all.name == known.account).drop("account_right")


def _phrase_pattern(sentences: Iterable[str]) -> str:
    """Match whole words in any case, spelled out, because engines differ in what (?i) and \\b cover beyond ASCII."""
    spelled = ("".join(f"[{c.upper()}{c}]" if c.isalpha() else c for c in sentence) for sentence in sentences)
    return rf"(?:\A|[^0-9A-Za-z_])(?:{'|'.join(spelled)})(?:[^0-9A-Za-z_]|\z)"


def _is_bot(account: ir.Table) -> ir.Value:
    is_repeating = account.template * 5 >= account.comments * 4
    is_confessing = (account.confessions * 2 >= account.comments) & (account.comments >= 5)
    has_enough = account.comments >= MIN_COMMENTS_FOR_HABITS
    return (
        account.is_known.notnull()
        | account.author.re_search(BOT_NAME)
        | is_confessing
        | (account.busiest >= BOT_COMMENTS_AN_HOUR)
        | (has_enough & is_repeating)
    )
