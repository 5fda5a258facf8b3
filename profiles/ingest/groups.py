"""Which accounts become profiles, written once for every engine.

Asked when everything is read, because it needs all that an account wrote.
"""

from collections.abc import Iterable

import ibis
import ibis.expr.types as ir

from profiles.ingest.funnel import Rule
from profiles.ingest.options import Options
from profiles.ingest.rules import in_lower_case

BOTS = {"bot": "string"}
ACCOUNTS = {"account": "string", "comments": "int64", "rule": "string"}
# Case tells a bot from a Talbot: HelpfulBot, helpful_bot, bot-of-help.
BOT_NAME = r"[a-z0-9]Bot[0-9]*\z|[_-][Bb][Oo][Tt][0-9]*\z|\A[Bb]ot[_-]"
CONFESSIONS = ("i'm a bot", "i am a bot", "this action was performed automatically", "beep boop")
ENOUGH_TO_TELL = 20  # comments
OPENING = 40  # characters in which a template repeats itself
BUSIEST_HOUR = 100  # comments in one hour: more than a person writes


def ruled_accounts(kept: ir.Table, bots: ir.Table, options: Options) -> ir.Table:
    """Accounts with the first rule that they do not pass, or an empty one. An engine keeps it as a table `ACCOUNTS`:
    both of the next questions need it."""
    accounts = _with_rules(_once(kept, options), bots, options)
    return accounts if options.sample is None else _drawn(accounts, options)


def comments_of_profiles(kept: ir.Table, accounts: ir.Table, options: Options) -> ir.Table:
    return _once(kept, options).semi_join(accounts.filter(accounts.rule == ""), "account")


def removed_comments(accounts: ir.Table) -> ir.Table:
    """What each rule removed as `rule, comments`; the rule is empty for what is left."""
    return accounts.group_by("rule").agg(comments=accounts.comments.sum())


def profiles_of(comments: ir.Table) -> ir.Table:
    """One row for each profile: how much it wrote, when, and in how many subreddits."""
    return comments.group_by("account").agg(
        comments=comments.count(),
        first=comments.created.min(),
        last=comments.created.max(),
        subreddits=comments.subreddit.lower().nunique(),
    )


def _once(kept: ir.Table, options: Options) -> ir.Table:
    """With the number of the copy, and no copies but where they are wanted."""
    order = [kept.created, kept.subreddit, kept.author, kept.body]
    same = ibis.window(group_by=[kept.account, kept.id], order_by=order)
    numbered = kept.mutate(copy=ibis.row_number().over(same).cast("int64"))
    return numbered if options.keep_duplicates else numbered.filter(numbered.copy == 0)


def _with_rules(comments: ir.Table, bots: ir.Table, options: Options) -> ir.Table:
    accounts = comments.group_by("account").agg(comments=comments.count(), author=comments.author.min())
    asked: list[tuple[ir.Value, Rule]] = []
    if not options.keep_bots:
        accounts = _with_habits(accounts, comments, bots)
        asked.append((_is_bot(accounts), Rule.BOT))
    if options.min_comments > 1:
        asked.append((accounts.comments < options.min_comments, Rule.TOO_FEW))
    if options.max_comments is not None:
        asked.append((accounts.comments > options.max_comments, Rule.TOO_MANY))
    rule = ibis.cases(*((is_so, rule.value) for is_so, rule in asked), else_="") if asked else ibis.literal("")
    return accounts.select("account", "comments", rule=rule)


def _drawn(accounts: ir.Table, options: Options) -> ir.Table:
    """The same accounts for the same seed, in whatever order they come: those whose digests are lowest."""
    lot = (accounts.account + f":{options.seed}").hexdigest("sha256")
    left = accounts.rule == ""
    place = ibis.row_number().over(ibis.window(group_by=left, order_by=[lot, accounts.account]))
    is_out = left & (place >= options.sample)
    return accounts.select("account", "comments", rule=is_out.ifelse(Rule.NOT_DRAWN.value, accounts.rule))


def _with_habits(accounts: ir.Table, comments: ir.Table, bots: ir.Table) -> ir.Table:
    """How an account writes: the same beginning again and again, very fast, or saying what it is.

    Counted in two steps, so that memory does not grow with the number of different beginnings.
    """
    looked = comments.mutate(
        opening=comments.body.left(OPENING),
        hour=(comments.created / 3600).floor().cast("int64"),
        says_so=comments.body.re_search(_says_one_of(CONFESSIONS)).cast("int64"),
    )
    openings = looked.group_by(["account", "opening"]).agg(times=looked.count(), said=looked.says_so.sum())
    templates = openings.group_by("account").agg(template=openings.times.max(), said=openings.said.sum())
    hours = looked.group_by(["account", "hour"]).agg(times=looked.count())
    busiest = hours.group_by("account").agg(busiest=hours.times.max())
    known = bots.select(account=bots.bot, is_known=ibis.literal(True))
    with_all = accounts.join(templates, "account").join(busiest, "account")
    with_all = with_all.mutate(name=in_lower_case(with_all.account))
    return with_all.left_join(known, with_all.name == known.account).drop("account_right")


def _says_one_of(sentences: Iterable[str]) -> str:
    """As whole words in any case, spelled out: what (?i) and \\b cover beyond ASCII differs between engines."""
    spelled = ("".join(f"[{c.upper()}{c}]" if c.isalpha() else c for c in sentence) for sentence in sentences)
    return rf"(?:\A|[^0-9A-Za-z_])(?:{'|'.join(spelled)})(?:[^0-9A-Za-z_]|\z)"


def _is_bot(account: ir.Table) -> ir.Value:
    is_repeating = account.template * 5 >= account.comments * 4
    is_open = (account.said * 2 >= account.comments) & (account.comments >= 5)
    is_enough = account.comments >= ENOUGH_TO_TELL
    return (
        account.is_known.notnull()
        | account.author.re_search(BOT_NAME)
        | is_open
        | (account.busiest >= BUSIEST_HOUR)
        | (is_enough & is_repeating)
    )
