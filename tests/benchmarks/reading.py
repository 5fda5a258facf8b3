"""The pages that evaluators and admins open: does a giant profile or a large corpus cost more than a small one?

.venv/bin/python -m annotator.embedded.throwaway .venv/bin/python -m tests.benchmarks.reading --check
"""

from datetime import UTC, datetime, timedelta

from tests.benchmarks.table import Bar, Row, best_of, report, set_up

START = datetime(2012, 1, 1, tzinfo=UTC)


def main() -> None:
    set_up()
    client, giant, ordinary = prepare()
    corpus = ordinary.corpus_id
    last = last_cursor(corpus)
    rows = [
        Row("profile of 40 comments", seconds(client, f"/profiles/{ordinary.pk}/"), 1),
        Row("profile of 20,000 comments, first page", seconds(client, f"/profiles/{giant.pk}/"), 1),
        Row("profile of 20,000 comments, last page", seconds(client, f"/profiles/{giant.pk}/?page=100"), 1),
        Row("10,000 profiles, first page", seconds(client, f"/corpora/{corpus}/"), 1),
        Row("10,000 profiles, last page", seconds(client, f"/corpora/{corpus}/?after={last}"), 1),
    ]
    small, first, end, top, bottom = (row.seconds for row in rows)
    report(
        "Reading pages, server time",
        rows,
        [
            Bar("giant profile against an ordinary one", first / small, at_most=5),
            Bar("last page of the giant against its first", end / first, at_most=2),
            Bar("last page of profiles against the first", bottom / top, at_most=1.5),
        ],
    )


def seconds(client, path: str) -> float:
    assert client.get(path).status_code == 200
    return best_of(7, lambda: client.get(path))


def prepare():
    """An admin's client, a profile of 20,000 comments, and one of 40, in a corpus with 10,000 others of one or two."""
    from django.conf import settings
    from django.test import Client

    from annotator.models import Annotator
    from profiles.bulk_load import CommentRecord, ProfileRecord, load_profiles
    from profiles.models import Corpus, Profile

    settings.ALLOWED_HOSTS = ["testserver"]
    settings.STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    corpus = Corpus.objects.create(name="benchmark")

    def profile(account: str, first: int, comments: int) -> ProfileRecord:
        return ProfileRecord(
            account,
            [
                CommentRecord(f"{first + n:07x}", f"place{n % 30}", START + timedelta(hours=n), f"Comment {n}. " * 15)
                for n in range(comments)
            ],
        )

    load_profiles(corpus, [profile("giant", 0, 20_000), profile("ordinary", 20_000, 40)])
    load_profiles(corpus, (profile(f"other{n}", 30_000 + 2 * n, 1 + n % 2) for n in range(10_000)))
    admin = Annotator.objects.create_user("bench", display_name="Bench", roles=["admin"])
    client = Client()
    client.force_login(admin)
    by_size = Profile.objects.order_by("-comment_count")
    return client, by_size[0], by_size[1]


def last_cursor(corpus: int) -> str:
    from profiles.models import Profile

    rows = Profile.objects.filter(corpus=corpus).order_by("comment_count", "-pk")
    return f"{rows[30].comment_count}-{rows[30].pk}"


if __name__ == "__main__":
    main()
