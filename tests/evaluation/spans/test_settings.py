"""What a person can choose, and the signature that it goes into."""

import pytest

from evaluation.spans.labels import LabelScheme
from evaluation.spans.settings import Settings
from tests.evaluation.spans.files import make_file

FILE = make_file({"a": []}, name="tab")


@pytest.mark.parametrize(
    "fields",
    [{"threshold": 0.5}, {"seed": 1}, {"bootstrap": 10}, {"scheme": LabelScheme("other")}, {"ignore": "none"},
     {"missing": "skip"}],
)  # fmt: skip
def test_every_choice_changes_the_signature(fields):
    assert str(Settings(**fields).signature(FILE, FILE)) != str(Settings().signature(FILE, FILE))


def test_names_cannot_forge_a_signature():
    signature = str(Settings().signature(make_file({}, name="a|seed:1"), FILE))
    assert signature.count("|seed:") == 1


@pytest.mark.parametrize("fields", [{"threshold": 0}, {"threshold": 1.01}, {"bootstrap": -1}])
def test_impossible_choices_are_refused(fields):
    with pytest.raises(ValueError, match=r"must|can't"):
        Settings(**fields)
