"""`bin/manage forget_account`: removing accounts on the server."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from profiles.models import ForgottenAccount, Profile
from tests.annotator.accounts.sign_in_forms import actions, entry
from tests.annotator.privacy.forgotten_account import NAME, make_account

pytestmark = pytest.mark.django_db


def forget(*arguments: object) -> str:
    out = StringIO()
    call_command("forget_account", *map(str, arguments), stdout=out)
    return out.getvalue()


@pytest.fixture
def answers(monkeypatch):
    """Answer every question the same way; return the questions."""
    questions: list[str] = []

    def answer_with(answer):
        def ask(question):
            questions.append(question)
            if answer is None:
                raise EOFError
            return answer

        monkeypatch.setattr("builtins.input", ask)
        return questions

    return answer_with


def test_removes_accounts_and_says_how_much_without_their_names():
    make_account(comments=3)
    output = forget(NAME, "u/nobody", "--yes")
    assert "account 1 of 2: removed 1 profile, 3 comments, 3 detections" in output
    assert "account 2 of 2: in no corpus, now blocked" in output
    assert "Removed from all corpora: 1 profile, 3 comments" in output
    assert "tinroof" not in output.lower()
    assert "nobody" not in output
    assert not Profile.objects.exists()
    assert ForgottenAccount.objects.count() == 2


def test_does_it_again_without_harm():
    forget(NAME, "--yes")
    assert "removed earlier, nothing left to remove" in forget(NAME, "--yes")
    assert actions() == ["account_forgotten"]


def test_writes_down_the_reason_and_no_person():
    forget(NAME, "--yes", "--reason", "reddit")
    written = entry("account_forgotten")
    assert (written.actor, written.address, written.details["reason"]) == (None, None, "reddit")


def test_reads_names_from_a_file_and_takes_each_once(tmp_path):
    names = tmp_path / "names.txt"
    names.write_text(f"\nu/{NAME}\n  {NAME.lower()}  \n\nother\r\n", encoding="utf-8")
    assert "account 3 of 3" in forget("third", "--file", names, "--yes")
    assert ForgottenAccount.objects.count() == 3


@pytest.mark.parametrize("answer", ["y", " YES "])
def test_asks_once_for_all_and_says_how_much_it_is(answers, answer):
    make_account()
    make_account("other")
    questions = answers(answer)
    output = forget(NAME, "other")
    assert len(questions) == 1
    assert "This permanently removes: 2 profiles, 4 comments" in output
    assert not Profile.objects.exists()


@pytest.mark.parametrize("answer", ["", "n", "no", "yesterday", None])
def test_anything_but_yes_changes_nothing(answers, answer):
    make_account()
    answers(answer)
    with pytest.raises(CommandError, match="Nothing was changed"):
        forget(NAME)
    assert Profile.objects.exists()
    assert not ForgottenAccount.objects.exists()


@pytest.mark.parametrize("wrong", ["[deleted]", "two words", "a\x00b", "x" * 41])
def test_one_bad_name_and_nothing_is_done(wrong):
    make_account()
    with pytest.raises(CommandError, match=r"Name 2 is not .*Nothing was changed") as refusal:
        forget(NAME, wrong, "--yes")
    assert wrong not in str(refusal.value)
    assert Profile.objects.exists()


def test_refuses_to_do_nothing_and_files_it_cannot_read(tmp_path):
    with pytest.raises(CommandError, match="Name the accounts"):
        forget("--yes")
    for path in (tmp_path / "missing", tmp_path):
        with pytest.raises(CommandError, match="could not be read"):
            forget("--file", path, "--yes")
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(CommandError, match="could not be read"):
        forget("--file", tmp_path / "bytes", "--yes")


def test_never_logs_the_names(caplog):
    make_account()
    with caplog.at_level("DEBUG"):
        forget(NAME, "--yes")
    assert "tinroof" not in caplog.text.lower()
