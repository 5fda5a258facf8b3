"""Loading a corpus: COPY compared with bulk_create, and whether time grows no faster than the comments.

.venv/bin/python -m annotator.embedded.throwaway .venv/bin/python -m tests.benchmarks.loading --check
"""

from datetime import UTC, datetime, timedelta

from tests.benchmarks.table import Bar, Row, best_of, report, set_up

START = datetime(2012, 1, 1, tzinfo=UTC)
BODY = "The best ice cream is two streets from here, and I will not say which two. " * 4  # 300 characters


def main() -> None:
    set_up()
    small, large = 400, 1600
    rows = [
        Row(f"bulk_create, {small * 25:,} comments", best_of(2, lambda: by_bulk_create(small)), small * 25),
        Row(f"COPY, {small * 25:,} comments", best_of(3, lambda: by_copy(small)), small * 25),
        Row(f"COPY, {large * 25:,} comments", best_of(2, lambda: by_copy(large)), large * 25),
    ]
    bulk, copy, four_times = rows
    report(
        "Loading comments into Postgres",
        rows,
        [
            Bar("COPY against bulk_create, comments a second", copy.rate / bulk.rate, at_least=2),
            Bar("time for four times the comments", four_times.seconds / copy.seconds, at_most=4.8),
        ],
    )


def records(profiles: int):
    from profiles.bulk_load import CommentRecord, ProfileRecord

    for number in range(profiles):
        comments = [
            CommentRecord(f"{number * 25 + n:07x}", f"place{n % 5}", START + timedelta(hours=n), BODY)
            for n in range(25)
        ]
        yield ProfileRecord(f"account{number}", comments)


def by_copy(profiles: int) -> None:
    from profiles.bulk_load import load_profiles

    load_profiles(new_corpus(), records(profiles))


def by_bulk_create(profiles: int) -> None:
    """Write the same rows the way most Django projects do."""
    from django.db import transaction

    from profiles.encryption import account_digest, seal
    from profiles.models import AccountName, Comment, Presence, Profile
    from profiles.pseudonyms import pseudonym
    from profiles.subreddits import ensure_subreddits

    corpus, made = new_corpus(), list(records(profiles))
    with transaction.atomic():
        places = ensure_subreddits(comment.subreddit for record in made for comment in record.comments)
        rows = Profile.objects.bulk_create(
            Profile(
                corpus=corpus, pseudonym=pseudonym(account_digest(record.account)),
                account_digest=account_digest(record.account), comment_count=25, first_written_at=START,
                last_written_at=START + timedelta(hours=24),
            )
            for record in made
        )  # fmt: skip
        pairs = list(zip(rows, made, strict=True))
        AccountName.objects.bulk_create(AccountName(profile=row, sealed=seal(record.account)) for row, record in pairs)
        Presence.objects.bulk_create(
            Presence(profile=row, subreddit_id=place, comment_count=5) for row, _ in pairs for place in places.values()
        )
        Comment.objects.bulk_create(
            (
                Comment(
                    profile=row, subreddit_id=places[c.subreddit], reddit_id=int(c.reddit_id, 36),
                    written_at=c.written_at, body=c.body,
                )
                for row, record in pairs
                for c in record.comments
            ),
            batch_size=2000,
        )  # fmt: skip


def new_corpus():
    from profiles.models import Corpus

    return Corpus.objects.create(name=f"benchmark {Corpus.objects.count()}")


if __name__ == "__main__":
    main()
