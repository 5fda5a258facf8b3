"""Requirements name a metric of an attribute report and the least value that passes."""

import pytest

from evaluation.inference.report import build_report
from evaluation.inference.requirements import EXAMPLE, failures
from evaluation.inference.settings import Settings
from evaluation.reports.requirements import Requirement, RequirementUnusable
from tests.evaluation.inference.cases import make_case
from tests.evaluation.inference.test_report import make_file

CASES = (
    make_case("sex", "male", ("male",), published=(0, 1)),
    make_case("sex", "male", ("female", "male"), published=(0,)),
    make_case("sex", "male", ("male",), published=(0,)),
    make_case("occupation", "nurse", ("xylophonist",), published=(0,)),
)


def unmet(*texts: str) -> list[str]:
    report = build_report([make_file(*CASES)], Settings(bootstrap=0))
    return failures(report, [Requirement.parse(text, EXAMPLE) for text in texts])


@pytest.mark.parametrize(
    "text",
    [
        "top1=0.5",
        "top2=0.75",
        "sound-top1=0.5",
        "macro-top1=0.33",
        "sex-top2=1",
        "compat-sex-top3=1",
        "published-top1=0",
    ],
)
def test_what_is_reached_passes(text):
    assert unmet(text) == []


@pytest.mark.parametrize(
    ("text", "value"), [("top1=0.51", "0.5000"), ("published-top2=0.3", "0.2500"), ("macro-top1=0.4", "0.3333")]
)
def test_what_is_not_reached_is_a_sentence(text, value):
    (sentence,) = unmet(text, "top1=0")
    assert value in sentence
    assert text.partition("=")[0] in sentence


@pytest.mark.parametrize("text", ["top4=0.5", "age-top1=0.5", "accuracy=1"])
def test_an_unknown_metric_is_named_with_those_that_exist(text):
    with pytest.raises(RequirementUnusable, match="published-macro-top1"):
        unmet(text)


@pytest.mark.parametrize("text", ["top1", "top1=70", "=0.5"])
def test_refuses_what_is_no_requirement(text):
    with pytest.raises(RequirementUnusable, match=r"top1=0\.8"):
        unmet(text)
