"""`bin/manage subreddit_hints`: the subreddit list from the command line."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from profiles.hints.store import SHIPPED_FILE, load_hints, shipped_hints, stored_hints
from profiles.models import AttributeHint
from tests.annotator.accounts.sign_in_forms import actions, entry

pytestmark = pytest.mark.django_db
HEAD = "subreddit,attribute,value,reason\n"


def hints(*arguments: object) -> tuple[str, str]:
    out, errors = StringIO(), StringIO()
    call_command("subreddit_hints", *map(str, arguments), stdout=out, stderr=errors)
    return out.getvalue(), errors.getvalue()


@pytest.fixture
def file(tmp_path):
    return tmp_path / "hints.csv"


def test_what_is_exported_can_be_imported(file):
    load_hints()
    assert hints("export", file)[0] == f"exported {len(shipped_hints())} hints to {file}\n"
    assert file.read_bytes() == SHIPPED_FILE.read_bytes()
    AttributeHint.objects.all().delete()
    assert f"{len(shipped_hints())} added" in hints("import", file)[0]
    assert "0 added, 0 changed, 0 removed" in hints("import", file)[0]
    assert list(stored_hints()) == shipped_hints()
    assert actions() == ["hints_changed"]
    assert entry("hints_changed").actor is None


def test_sets_bad_rows_aside_and_says_why(file):
    file.write_text(f"{HEAD}Oslo,location,,x\nBergen,age,old,x\n")
    out, errors = hints("import", file)
    assert "1 added" in out
    assert "1 row set aside" in out
    assert "line 3: Write an age as 27" in errors


def test_replaces_only_when_asked_and_only_by_a_good_file(file):
    load_hints()
    file.write_text(f"{HEAD}Oslo,sex,both,x\n")
    with pytest.raises(CommandError, match="Nothing was changed"):
        hints("import", file, "--replace")
    file.write_text(f"{HEAD}Oslo,location,,x\n")
    hints("import", file)
    assert AttributeHint.objects.count() > 400
    assert "removed" in hints("import", file, "--replace")[0]
    assert [hint.subreddit.lower() for hint in stored_hints()] == ["oslo"]


def test_goes_back_to_the_shipped_list(file):
    file.write_text(f"{HEAD}nowhere,location,,x\n")
    hints("import", file)
    assert "1 removed" in hints("reset")[0]
    assert list(stored_hints()) == shipped_hints()
    assert "0 added, 0 changed, 0 removed" in hints("reset")[0]


@pytest.mark.parametrize("action", ["import", "export"])
def test_explains_a_file_that_it_cannot_use(tmp_path, action):
    with pytest.raises(CommandError, match=r"cannot be (read|written)"):
        hints(action, tmp_path)


def test_explains_a_file_that_it_cannot_read(file):
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(CommandError, match="not UTF-8"):
        hints("import", file)
