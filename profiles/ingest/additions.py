"""Add new comments to existing profiles, and update the counts."""

from collections.abc import Sequence

from django.db import connection

from profiles.encryption import unseal
from profiles.ingest.postgres_copy import Rows, copy_into
from profiles.models import Corpus

NEW_TABLE = "new_comments"

ADD_SQL = """
WITH added AS (
    INSERT INTO profiles_comment ({columns}) SELECT {columns} FROM {new} ORDER BY profile_id, reddit_id
    ON CONFLICT (profile_id, reddit_id, copy_number) DO NOTHING
    RETURNING profile_id, subreddit_id, written_at
), by_place AS (
    SELECT profile_id, subreddit_id, count(*) AS comments, min(written_at) AS first, max(written_at) AS last
    FROM added GROUP BY profile_id, subreddit_id
), counted AS (
    INSERT INTO profiles_presence (profile_id, subreddit_id, comment_count)
    SELECT profile_id, subreddit_id, comments FROM by_place ORDER BY profile_id, subreddit_id
    ON CONFLICT (profile_id, subreddit_id)
    DO UPDATE SET comment_count = profiles_presence.comment_count + excluded.comment_count
), grown AS (
    UPDATE profiles_profile AS profile SET
        comment_count = profile.comment_count + fresh.comments,
        first_written_at = least(profile.first_written_at, fresh.first),
        last_written_at = greatest(profile.last_written_at, fresh.last)
    FROM (
        SELECT profile_id, sum(comments) AS comments, min(first) AS first, max(last) AS last
        FROM by_place GROUP BY profile_id
    ) AS fresh WHERE profile.id = fresh.profile_id
)
SELECT count(*) FROM added
"""


SPELLINGS_SQL = """
SELECT account_digest, spelling, sealed FROM profiles_profile profile
JOIN profiles_accountname name ON name.profile_id = profile.id
WHERE corpus_id = %s AND account_digest = ANY(%s)
"""


def known_profiles(corpus: Corpus, keys: Sequence[tuple[bytes, int]]) -> dict[tuple[bytes, int], int]:
    """Ids of existing profiles by digest and spelling. 1 query."""
    with connection.cursor() as cursor:
        condition = "corpus_id = %s AND account_digest = ANY(%s)"
        query = f"SELECT id, account_digest, spelling FROM profiles_profile WHERE {condition}"
        cursor.execute(query, [corpus.pk, [digest for digest, _ in keys]])
        return {(bytes(digest), spelling): pk for pk, digest, spelling in cursor.fetchall()}


def known_spellings(corpus: Corpus, digests: Sequence[bytes]) -> dict[bytes, dict[str, int]]:
    """The number of each spelling by which an account is in the corpus. 1 query."""
    spellings: dict[bytes, dict[str, int]] = {}
    with connection.cursor() as cursor:
        cursor.execute(SPELLINGS_SQL, [corpus.pk, list(digests)])
        for digest, spelling, sealed in cursor.fetchall():
            spellings.setdefault(bytes(digest), {})[unseal(bytes(sealed))] = spelling
    return spellings


def taken_pseudonyms(corpus: Corpus, names: Sequence[str]) -> set[str]:
    """Which of the names are taken. 1 query."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pseudonym FROM profiles_profile WHERE corpus_id = %s AND pseudonym = ANY(%s)",
            [corpus.pk, list(names)],
        )
        return {name for (name,) in cursor.fetchall()}


def add_comments(columns: Sequence[str], comments: Rows) -> int:
    """Add the comments that are new, and return how many those are."""
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE TEMP TABLE IF NOT EXISTS {NEW_TABLE} (LIKE profiles_comment) ON COMMIT DROP")
        cursor.execute(f"ALTER TABLE {NEW_TABLE} ALTER COLUMN id DROP NOT NULL")
        copy_into(NEW_TABLE, columns, comments)
        cursor.execute(ADD_SQL.format(new=NEW_TABLE, columns=", ".join(columns)))
        added: int = cursor.fetchall()[0][0]
        cursor.execute(f"DROP TABLE {NEW_TABLE}")
    return added
