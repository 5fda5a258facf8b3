"""The examples in the docs are what they say they are."""

import re
from pathlib import Path

import pytest

from evaluation.spans import readers
from evaluation.spans.label_files import PRESETS, parse_scheme
from evaluation.spans.readers import FORMAT_TITLES, conll, repair
from evaluation.spans.records import ProblemKind
from tests.evaluation.spans.readers.files import read_text

PAGE = (Path(__file__).parents[4] / "docs/reference/span-formats.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^### (.*)\n((?:(?!^##).*\n)*)", PAGE, re.MULTILINE))
EXAMPLES = [
    (re.findall(r"`([a-z-]+)`", heading), example)
    for heading, body in SECTIONS.items()
    for example in re.findall(r"^```\w*\n(.*?)^```", body, re.MULTILINE | re.DOTALL)
]


def test_every_format_has_a_section():
    described = [key for heading in SECTIONS for key in re.findall(r"`([a-z-]+)`", heading)]
    assert sorted(described) == sorted(FORMAT_TITLES)


@pytest.mark.parametrize(("formats", "example"), EXAMPLES)
def test_examples_are_read_without_problems(tmp_path, formats, example):
    for side in ("gold", "predictions"):
        file = read_text(tmp_path, example, side=side)
        assert file.format in formats
        assert file.problems == ()


def test_there_are_examples_of_all_text_formats():
    assert {key for formats, _ in EXAMPLES for key in formats} == set(FORMAT_TITLES) - {"docbin", "spreadsheet"}


def test_every_kind_of_problem_that_a_reader_reports_is_described():
    sources = "".join(path.read_text() for path in Path(readers.__file__).parent.glob("*.py"))
    kinds = {ProblemKind[name] for name in re.findall(r"ProblemKind\.([A-Z_]+)", sources)}
    assert ProblemKind.REPAIRED in kinds
    assert {kind for kind in kinds if f"`{kind}`" not in PAGE} == set()


def test_the_label_scheme_is_one_and_presets_are_listed():
    (example,) = re.findall(r"^```toml\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    assert parse_scheme(example, name="").mapped("LOCATION") == "LOC"
    assert [name for name in PRESETS if f"| `{name}` |" not in PAGE] == []


def test_the_limits_are_those_of_the_code():
    assert f"at most {repair.REACH:,} characters away" in PAGE
    assert f"within {conll.REACH:,} characters of the previous one" in PAGE
