"""After a takedown Postgres holds no words of the account: neither as deleted rows nor in its statistics."""

from time import monotonic, sleep

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.utils import Error

from annotator.core.vacuum import vacuum
from annotator.privacy.services import forget_account
from annotator.privacy.tasks import clean_up_after_takedown
from annotator.privacy.touched_tables import TOUCHED_TABLES, vacuum_touched_tables
from profiles.models import Comment
from tests.annotator.privacy.forgotten_account import NAME, make_account
from tests.annotator.privacy.test_takedown import models_leading_to_a_profile
from tests.factories import make_profile

MARKER = "zanzibarquux"


def make_analysed_account() -> None:
    """An account whose words are in the statistics of two tables."""
    profile = make_account(comments=20)
    profile.comments.update(body=f"I live in {MARKER}")
    run("UPDATE annotator_draft SET value = %s", [MARKER])
    run("ANALYZE")
    assert tables_with_marker() >= {"profiles_comment"}


def run(statement, values=()):
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return cursor.fetchall() if cursor.description else []


def tables_with_marker() -> set[str]:
    """Tables in whose statistics the planner keeps the word."""
    statistics = """SELECT tablename FROM pg_stats
        WHERE most_common_vals::text LIKE %(word)s OR histogram_bounds::text LIKE %(word)s
            OR most_common_elems::text LIKE %(word)s"""
    return {name for (name,) in run(statistics, {"word": f"%{MARKER}%"})}


def comment_bytes() -> int:
    return run("SELECT pg_relation_size('profiles_comment')")[0][0]


def wait_until_vacuumed() -> bool:
    """Vacuum until the file is empty. Rows that autovacuum's ANALYZE can still see have to wait for its end."""
    deadline = monotonic() + 20
    while monotonic() < deadline:
        vacuum_touched_tables()
        if comment_bytes() == 0:
            return True
        sleep(0.2)
    return False


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("others", [0, 30])
def test_the_statistics_hold_no_words_after_a_takedown(others):
    """Others: with rows left in the table, ANALYZE replaces the statistics; without any, it would keep them."""
    for number in range(others):
        make_profile(f"something else {number}")
    make_analysed_account()
    forget_account(NAME)
    clean_up_after_takedown()
    assert tables_with_marker() == set()
    assert Comment.objects.count() == others


@pytest.mark.django_db(transaction=True)
def test_deleted_rows_leave_the_files():
    make_analysed_account()
    before = comment_bytes()
    forget_account(NAME)
    assert comment_bytes() == before
    assert wait_until_vacuumed()


@pytest.mark.django_db(transaction=True)
def test_the_command_cleans_up_by_itself():
    make_analysed_account()
    call_command("forget_account", NAME, "--yes", verbosity=0)
    assert tables_with_marker() == set()


@pytest.mark.django_db(transaction=True)
def test_a_takedown_asks_a_worker_to_clean_up(monkeypatch):
    requests = []
    monkeypatch.setattr(clean_up_after_takedown, "delay", lambda: requests.append(True))
    make_account()
    forget_account(NAME)
    forget_account(NAME)
    assert requests == [True]


@pytest.mark.django_db
def test_vacuum_refuses_a_transaction():
    with pytest.raises(Error):
        vacuum([Comment])


def test_every_table_that_leads_to_a_profile_is_cleaned():
    assert set(models_leading_to_a_profile()) <= set(TOUCHED_TABLES)
