"""Requirements name a metric of the report and the least value that passes."""

import pytest

from evaluation.reports.requirements import Requirement, RequirementUnusable
from evaluation.spans.requirements import EXAMPLE, failures
from tests.evaluation.spans.example_report import make_report


def unmet(*texts: str) -> list[str]:
    return failures(make_report(), [Requirement.parse(text, EXAMPLE) for text in texts])


@pytest.mark.parametrize(
    "text",
    ["f1=0.8657", "macro-f1=0.6", "[b]PERSON-recall=0.85", "compat-strict-f1=0.86", "tokens-f2=0.9", "precision=0"],
)
def test_what_is_reached_passes(text):
    assert unmet(text) == []


@pytest.mark.parametrize(
    ("text", "value"), [("f1=0.8658", "0.8657"), ("macro-f1=0.8", "0.6125"), ("compat-relaxed-recall=1", "0.9021")]
)
def test_what_is_not_reached_is_a_sentence(text, value):
    (sentence,) = unmet(text, "f1=0")
    assert value in sentence
    assert text.partition("=")[0] in sentence


def test_what_is_undefined_does_not_pass():
    (sentence,) = unmet("LOC-f1=0")
    assert "undefined" in sentence


@pytest.mark.parametrize("text", ["", "f1", "=0.5", "f1=", "f1=80", "f1=-0.1", "f1=nan", "f1=high"])
def test_refuses_what_is_no_requirement(text):
    with pytest.raises(RequirementUnusable, match=r"f1=0\.8"):
        unmet(text)


def test_an_unknown_metric_is_named_with_those_that_exist():
    with pytest.raises(RequirementUnusable, match="macro-f1"):
        unmet("f3=0.5")
