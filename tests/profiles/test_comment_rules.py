"""A comment belongs to a presence: its profile is known to have written in its subreddit."""

from datetime import UTC, datetime
from itertools import count

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.db.migrations.loader import MigrationLoader
from django.db.models import ProtectedError

from profiles.models import Comment, Presence, Profile, Subreddit
from tests.factories import make_profile, make_subreddit

DAY = datetime(2013, 5, 1, tzinfo=UTC)
BROKEN = "comment_is_of_a_presence"
MIGRATIONS = ("profiles", "0004_detection_chunks"), ("profiles", "0005_comments_of_presences")
DELETIONS = ["DELETE FROM profiles_presence", "DELETE FROM profiles_profile", "DELETE FROM profiles_subreddit"]
_reddit_ids = count(1_000_000)


def add_comment(**keys: int) -> None:
    with transaction.atomic():
        Comment.objects.create(**keys, reddit_id=next(_reddit_ids), written_at=DAY, body="I moved to Houston")


@pytest.mark.django_db(transaction=True)
def test_no_comment_without_its_presence():
    profile, place, other = make_profile(), make_subreddit(), make_subreddit("houston")
    add_comment(profile_id=profile.pk, subreddit_id=place.pk)
    for profile_id, subreddit_id in (
        (profile.pk, other.pk),
        (profile.pk, other.pk + 1000),
        (profile.pk + 1000, place.pk),
    ):
        with pytest.raises(IntegrityError, match=BROKEN):
            add_comment(profile_id=profile_id, subreddit_id=subreddit_id)
    assert Comment.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_the_presence_may_come_later_in_the_same_transaction():
    profile, place = make_profile(), make_subreddit("houston")
    with transaction.atomic():
        add_comment(profile_id=profile.pk, subreddit_id=place.pk)
        Presence.objects.create(profile=profile, subreddit=place, comment_count=1)
    assert profile.comments.filter(subreddit=place).count() == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("deletion", DELETIONS)
def test_what_a_comment_leans_on_stays(deletion):
    make_profile()
    with pytest.raises(DatabaseError), connection.cursor() as cursor:
        cursor.execute(deletion)
    assert (Presence.objects.count(), Profile.objects.count(), Subreddit.objects.count()) == (1, 1, 1)


@pytest.mark.django_db(transaction=True)
def test_a_profile_goes_with_its_comments_and_a_subreddit_does_not():
    profile = make_profile("I moved to Houston", "And back again")
    with pytest.raises(ProtectedError):
        Subreddit.objects.get().delete()
    profile.delete()
    assert (Comment.objects.count(), Presence.objects.count()) == (0, 0)


@pytest.mark.django_db(transaction=True)
def test_the_migration_goes_back_and_forth_with_comments_there():
    make_profile()
    loader, (before, name) = MigrationLoader(connection), MIGRATIONS
    migration, state = loader.get_migration(*name), loader.project_state(before)
    try:
        with connection.schema_editor() as editor:
            migration.unapply(state.clone(), editor)
        assert _foreign_keys() == {"profile_id", "subreddit_id"}
    finally:
        with connection.schema_editor() as editor:
            migration.apply(state.clone(), editor)
    assert _foreign_keys() == {"profile_id, subreddit_id"}
    assert Comment.objects.count() == 1


def _foreign_keys() -> set[str]:
    with connection.cursor() as cursor:
        constraints = connection.introspection.get_constraints(cursor, Comment._meta.db_table)
    return {", ".join(item["columns"]) for item in constraints.values() if item["foreign_key"]}
