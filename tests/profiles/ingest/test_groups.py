"""Which accounts become profiles, and what each account rule removed."""

import random
from dataclasses import replace
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from profiles.ingest import engine
from profiles.ingest import merge as merge_module
from profiles.ingest.columns import GROUPED_COLUMNS, KEPT_COLUMNS
from profiles.ingest.funnel import Rule
from profiles.ingest.groups import BOT_COMMENTS_AN_HOUR, MIN_COMMENTS_FOR_HABITS, known_bots
from profiles.ingest.merge import merge_shards
from profiles.ingest.options import ALL, Options
from tests.profiles.ingest.dumps import MAY_2013

SCHEMA = pa.schema([(name, pa.int64() if name == "created" else pa.string()) for name in KEPT_COLUMNS])
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
def merge(tmp_path):
    """The rows of some shards after the rules about accounts, and what these removed."""

    def merge(*shards, options=DEFAULT) -> tuple[list[dict[str, Any]], dict[str, int]]:
        paths = [tmp_path / f"{n}.shard" for n in range(len(shards))]
        for path, shard in zip(paths, shards, strict=True):
            path.mkdir(exist_ok=True)
            pq.write_table(pa.Table.from_pylist(shard, schema=SCHEMA), path / "0.parquet", row_group_size=2000)
        into = tmp_path / "grouped.parquet"
        removed = merge_shards(paths, options, into)
        table = pq.read_table(into)
        assert table.schema.names == list(GROUPED_COLUMNS)
        assert table.num_rows + sum(removed.values()) == sum(map(len, shards))
        assert not (tmp_path / "grouped.part").exists()
        return table.to_pylist(), removed

    return merge


def accounts(kept: list[dict[str, Any]]) -> list[str]:
    return sorted({row["account"] for row in kept})


def test_accounts_are_sorted_whatever_the_files(merge):
    shards = [rows("zoe", 5), rows("Ann", 5), rows("mia", 3)]
    mixed = [row for shard in shards for row in shard]
    random.Random(1).shuffle(mixed)  # noqa: S311
    kept, removed = merge(*shards)
    assert merge(mixed[:4], mixed[4:], []) == (kept, removed) == merge(*shards[::-1])
    assert [(row["account"], row["id"]) for row in kept] == sorted((row["account"], row["id"]) for row in mixed)


def test_empty_shards_give_no_profiles(merge):
    assert merge([]) == ([], {})


def test_a_comment_that_comes_twice_is_kept_once(merge):
    once = rows("ann", 3)
    kept, removed = merge(once, once[:2], [once[0] | {"body": "An edited text", "created": MAY_2013 + 9}])
    assert (kept, removed) == ([row | {"copy": 0} for row in once], {Rule.DUPLICATE: 3})


def test_copies_are_numbered_where_they_are_kept(merge):
    once = rows("ann", 2)
    kept, removed = merge(once, once, once[:1], options=replace(DEFAULT, keep_duplicates=True))
    assert [(row["id"], row["copy"]) for row in kept] == [
        ("ann0000", 0), ("ann0000", 1), ("ann0000", 2), ("ann0001", 0), ("ann0001", 1),
    ]  # fmt: skip
    assert not removed


def test_the_same_id_by_somebody_else_is_another_comment(merge):
    kept, removed = merge(rows("ann", id="c1"), rows("zoe", id="c1"))
    assert (accounts(kept), removed) == (["ann", "zoe"], {})


def test_spellings_are_one_account_or_several(merge):
    spelt = [*rows("Tinroof", id="c1"), *rows("tinroof", id="c2")]
    assert accounts(merge(spelt)[0]) == ["tinroof"]
    exact = [row | {"account": row["author"]} for row in spelt]
    assert accounts(merge(exact, options=EXACT)[0]) == ["Tinroof", "tinroof"]


def test_minimum_and_maximum_of_comments(merge):
    shard = [*rows("one", 1), *rows("two", 2), *rows("three", 3), *rows("four", 4)]
    kept, removed = merge(shard, options=replace(DEFAULT, min_comments=2, max_comments=3))
    assert (accounts(kept), removed) == (["three", "two"], {Rule.TOO_FEW: 1, Rule.TOO_MANY: 4})


def test_duplicates_do_not_lift_an_account_over_the_minimum(merge):
    shard = rows("ann", 1)
    assert merge(shard, shard, options=replace(DEFAULT, min_comments=2)) == (
        [],
        {Rule.DUPLICATE: 1, Rule.TOO_FEW: 1},
    )


BOT_NAMES = ["HelpfulBot", "helpful_bot", "Helpful-BOT", "HelpfulBot2", "helpful_bot42", "bot_of_help", "Bot-of-help"]
PEOPLE = ["Talbot", "abbot", "robotnik", "Bottleneck", "botany_fan", "botfly", "bottom_gear", "TheAbbot"]


def test_bots_are_known_by_their_names_and_people_are_not(merge):
    listed = sorted(known_bots())[0].upper()
    kept, removed = merge([row for name in [*BOT_NAMES, *PEOPLE, listed, "AutoModerator"] for row in rows(name)])
    assert accounts(kept) == sorted(name.lower() for name in PEOPLE)
    assert removed == {Rule.BOT: len(BOT_NAMES) + 2}
    assert merge(rows("HelpfulBot"), options=replace(DEFAULT, keep_bots=True))[1] == {}


def test_exact_spelling_finds_listed_bots_too(merge):
    shard = [row | {"account": row["author"]} for row in rows("AutoModerator")]
    assert merge(shard, options=EXACT) == ([], {Rule.BOT: 1})


ALIKE = "Thank you for your contribution to this place, number {n}."


@pytest.mark.parametrize(
    ("shard", "is_bot"),
    [
        (rows("ann", MIN_COMMENTS_FOR_HABITS, ALIKE), True),
        (rows("ann", MIN_COMMENTS_FOR_HABITS - 1, ALIKE), False),
        (rows("ann", 16, ALIKE) + rows("ann", 4, "{n} is different", created=5, subreddit="x", id=""), True),
        (rows("ann", BOT_COMMENTS_AN_HOUR, apart=30), True),
        (rows("ann", BOT_COMMENTS_AN_HOUR - 1, apart=30), False),
        (rows("ann", BOT_COMMENTS_AN_HOUR, apart=60), False),
        (rows("ann", 5, "{n}: Beep boop. I am a bot."), True),
        (rows("ann", 5, "{n}: i'm a bot, you know"), True),
        (rows("ann", 5, "{n}: I'm a bottle collector"), False),
        (rows("ann", 4, "{n}: I am a bot."), False),
        (rows("ann", 3, "{n}: I am a bot.") + rows("ann", 4, "{n}: Not at all.", subreddit="other", created=3), False),
    ],
)
def test_bots_are_known_by_their_habits(merge, shard, is_bot):
    comments = [row | {"id": f"c{n}"} for n, row in enumerate(shard)]
    assert merge(comments)[1] == ({Rule.BOT: len(comments)} if is_bot else {})


def test_a_sample_is_drawn_by_its_seed_alone(merge):
    shards = [rows(f"name{n}", n % 3 + 1) for n in range(40)]
    options = replace(DEFAULT, sample=10)
    kept, removed = merge(*shards, options=options)
    assert len(accounts(kept)) == 10
    assert list(removed) == [Rule.NOT_DRAWN]
    assert merge([row for shard in shards[::-1] for row in shard], options=options) == (kept, removed)
    assert accounts(merge(*shards, options=replace(options, seed=2))[0]) != accounts(kept)
    larger = accounts(merge(*shards, options=replace(options, sample=20))[0])
    assert set(accounts(kept)) < set(larger)


def test_a_sample_is_drawn_from_those_that_passed(merge):
    shards = [rows("HelpfulBot", 2), *(rows(f"name{n}", n + 1) for n in range(3))]
    kept, removed = merge(*shards, options=replace(DEFAULT, sample=2, min_comments=2))
    assert (accounts(kept), removed) == (["name1", "name2"], {Rule.BOT: 2, Rule.TOO_FEW: 1})


def test_more_than_fits_in_memory_is_sorted_on_the_disk(tmp_path, monkeypatch):
    """However many cores there are: each that sorts wants memory of its own."""
    monkeypatch.setattr(engine, "cores", lambda: 64)
    monkeypatch.setattr(merge_module, "cores", lambda: 64)
    monkeypatch.setattr(merge_module, "MEMORY", "72MB")
    shard, into = tmp_path / "0.shard", tmp_path / "grouped.parquet"
    shard.mkdir()
    duckdb.sql(MANY).write_parquet(str(shard / "0.parquet"), row_group_size=10_000)
    assert merge_shards([shard], replace(DEFAULT, keep_bots=True), into) == {}
    written = pq.read_table(into)["account"].to_pylist()
    assert len(written) == 200_000
    assert written == sorted(written)
