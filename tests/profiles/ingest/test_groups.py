"""Which accounts become profiles, and what each rule about them removed."""

import random
from dataclasses import replace
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from profiles.ingest import engine, merge
from profiles.ingest.bots import known_bots
from profiles.ingest.comment_batches import GROUPED
from profiles.ingest.funnel import Rule
from profiles.ingest.groups import BUSIEST_HOUR, ENOUGH_TO_TELL
from profiles.ingest.merge import gather
from profiles.ingest.options import ALL, Options
from profiles.ingest.shards import SCHEMA
from tests.profiles.ingest.dumps import MAY_2013

DEFAULT = Options(subreddits=ALL)
EXACT = replace(DEFAULT, exact_spelling=True)


def rows(
    author: str, number: int = 1, body: str = "Text {n} by {author}.", apart: int = 3600, **fields
) -> list[dict[str, Any]]:
    return [
        {"account": author.lower(), "author": author, "subreddit": "houston", "id": f"{author.lower()[:6]}{n:04d}",
         "created": MAY_2013 + apart * n, "body": body.format(n=n, author=author)} | fields
        for n in range(number)
    ]  # fmt: skip


MANY = """
SELECT 'name' || hash(n) % 9000 AS account, account AS author, 'houston' AS subreddit, to_base(n + 1000000, 36) AS id,
    1367366400 + n * 97 % 100000000 AS created, repeat(md5(n::VARCHAR), 8) AS body FROM range(200000) AS numbers(n)
"""


@pytest.fixture
def gathered(tmp_path):
    """The rows of some shards after the rules about accounts, and what these removed."""

    def gathered(*shards, options=DEFAULT) -> tuple[list[dict[str, Any]], dict[str, int]]:
        paths = [tmp_path / f"{n}.parquet" for n in range(len(shards))]
        for path, shard in zip(paths, shards, strict=True):
            pq.write_table(pa.Table.from_pylist(shard, schema=SCHEMA), path, row_group_size=2000)
        into = tmp_path / "grouped.parquet"
        removed = gather(paths, options, into)
        table = pq.read_table(into)
        assert (table.schema.names, table.schema.types) == (GROUPED.names, GROUPED.types)
        assert table.num_rows + sum(removed.values()) == sum(map(len, shards))
        assert not (tmp_path / "grouped.part").exists()
        return table.to_pylist(), removed

    return gathered


def accounts(kept: list[dict[str, Any]]) -> list[str]:
    return sorted({one["account"] for one in kept})


def test_accounts_stand_together_in_one_order_whatever_the_files(gathered):
    shards = [rows("zoe", 5), rows("Ann", 5), rows("mia", 3)]
    mixed = [one for shard in shards for one in shard]
    random.Random(1).shuffle(mixed)  # noqa: S311
    kept, removed = gathered(*shards)
    assert gathered(mixed[:4], mixed[4:], []) == (kept, removed) == gathered(*shards[::-1])
    assert [(one["account"], one["id"]) for one in kept] == sorted((one["account"], one["id"]) for one in mixed)


def test_nothing_gives_nothing(gathered):
    assert gathered([]) == ([], {})


def test_a_comment_that_comes_twice_is_kept_once(gathered):
    once = rows("ann", 3)
    kept, removed = gathered(once, once[:2], [once[0] | {"body": "An edited text", "created": MAY_2013 + 9}])
    assert (kept, removed) == ([one | {"copy": 0} for one in once], {Rule.DUPLICATE: 3})


def test_copies_are_numbered_where_they_are_kept(gathered):
    once = rows("ann", 2)
    kept, removed = gathered(once, once, once[:1], options=replace(DEFAULT, keep_duplicates=True))
    assert [(one["id"], one["copy"]) for one in kept] == [
        ("ann0000", 0), ("ann0000", 1), ("ann0000", 2), ("ann0001", 0), ("ann0001", 1),
    ]  # fmt: skip
    assert not removed


def test_the_same_id_by_somebody_else_is_another_comment(gathered):
    kept, removed = gathered(rows("ann", id="c1"), rows("zoe", id="c1"))
    assert (accounts(kept), removed) == (["ann", "zoe"], {})


def test_spellings_are_one_account_or_several(gathered):
    spelt = [*rows("Tinroof", id="c1"), *rows("tinroof", id="c2")]
    assert accounts(gathered(spelt)[0]) == ["tinroof"]
    exact = [one | {"account": one["author"]} for one in spelt]
    assert accounts(gathered(exact, options=EXACT)[0]) == ["Tinroof", "tinroof"]


def test_few_and_many(gathered):
    shard = [*rows("one", 1), *rows("two", 2), *rows("three", 3), *rows("four", 4)]
    kept, removed = gathered(shard, options=replace(DEFAULT, min_comments=2, max_comments=3))
    assert (accounts(kept), removed) == (["three", "two"], {Rule.TOO_FEW: 1, Rule.TOO_MANY: 4})


def test_duplicates_do_not_lift_an_account_over_the_minimum(gathered):
    shard = rows("ann", 1)
    assert gathered(shard, shard, options=replace(DEFAULT, min_comments=2)) == (
        [],
        {Rule.DUPLICATE: 1, Rule.TOO_FEW: 1},
    )


BOTS = ["HelpfulBot", "helpful_bot", "Helpful-BOT", "HelpfulBot2", "helpful_bot42", "bot_of_help", "Bot-of-help"]
PEOPLE = ["Talbot", "abbot", "robotnik", "Bottleneck", "botany_fan", "botfly", "bottom_gear", "TheAbbot"]


def test_bots_are_known_by_their_names_and_people_are_not(gathered):
    listed = sorted(known_bots())[0].upper()
    kept, removed = gathered([one for name in [*BOTS, *PEOPLE, listed, "AutoModerator"] for one in rows(name)])
    assert accounts(kept) == sorted(name.lower() for name in PEOPLE)
    assert removed == {Rule.BOT: len(BOTS) + 2}
    assert gathered(rows("HelpfulBot"), options=replace(DEFAULT, keep_bots=True))[1] == {}


def test_exact_spelling_finds_listed_bots_too(gathered):
    shard = [one | {"account": one["author"]} for one in rows("AutoModerator")]
    assert gathered(shard, options=EXACT) == ([], {Rule.BOT: 1})


ALIKE = "Thank you for your contribution to this place, number {n}."


@pytest.mark.parametrize(
    ("shard", "is_bot"),
    [
        (rows("ann", ENOUGH_TO_TELL, ALIKE), True),
        (rows("ann", ENOUGH_TO_TELL - 1, ALIKE), False),
        (rows("ann", 16, ALIKE) + rows("ann", 4, "{n} is different", created=5, subreddit="x", id=""), True),
        (rows("ann", BUSIEST_HOUR, apart=30), True),
        (rows("ann", BUSIEST_HOUR - 1, apart=30), False),
        (rows("ann", BUSIEST_HOUR, apart=60), False),
        (rows("ann", 5, "{n}: Beep boop. I am a bot."), True),
        (rows("ann", 5, "{n}: i'm a bot, you know"), True),
        (rows("ann", 5, "{n}: I'm a bottle collector"), False),
        (rows("ann", 4, "{n}: I am a bot."), False),
        (rows("ann", 3, "{n}: I am a bot.") + rows("ann", 4, "{n}: Not at all.", subreddit="other", created=3), False),
    ],
)
def test_bots_are_known_by_their_habits(gathered, shard, is_bot):
    each = [one | {"id": f"c{n}"} for n, one in enumerate(shard)]
    assert gathered(each)[1] == ({Rule.BOT: len(each)} if is_bot else {})


def test_a_sample_is_drawn_by_its_seed_alone(gathered):
    shards = [rows(f"name{n}", n % 3 + 1) for n in range(40)]
    options = replace(DEFAULT, sample=10)
    kept, removed = gathered(*shards, options=options)
    assert len(accounts(kept)) == 10
    assert list(removed) == [Rule.NOT_DRAWN]
    assert gathered([one for shard in shards[::-1] for one in shard], options=options) == (kept, removed)
    assert accounts(gathered(*shards, options=replace(options, seed=2))[0]) != accounts(kept)
    larger = accounts(gathered(*shards, options=replace(options, sample=20))[0])
    assert set(accounts(kept)) < set(larger)


def test_a_sample_is_drawn_from_those_that_passed(gathered):
    shards = [rows("HelpfulBot", 2), *(rows(f"name{n}", n + 1) for n in range(3))]
    kept, removed = gathered(*shards, options=replace(DEFAULT, sample=2, min_comments=2))
    assert (accounts(kept), removed) == (["name1", "name2"], {Rule.BOT: 2, Rule.TOO_FEW: 1})


def test_more_than_fits_in_memory_is_sorted_on_the_disk(tmp_path, monkeypatch):
    """However many cores there are: each that sorts wants memory of its own."""
    monkeypatch.setattr(engine, "cores", lambda: 64)
    monkeypatch.setattr(merge, "cores", lambda: 64)
    monkeypatch.setattr(merge, "MEMORY", "72MB")
    shard, into = tmp_path / "0.parquet", tmp_path / "grouped.parquet"
    duckdb.sql(MANY).write_parquet(str(shard), row_group_size=10_000)
    assert gather([shard], replace(DEFAULT, keep_bots=True), into) == {}
    written = pq.read_table(into)["account"].to_pylist()
    assert len(written) == 200_000
    assert written == sorted(written)
