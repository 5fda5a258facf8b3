"""The shared templates render: the style guide with everything in it, error pages without any context."""

import re

import pytest
from django import forms
from django.template.loader import render_to_string

from annotator.site.styleguide import SAMPLES, SECTIONS, styleguide_context

ERROR_PAGES = ["400", "403", "403_csrf", "404", "422", "429", "500", "503"]


class SampleForm(forms.Form):
    name = forms.CharField(help_text="As evaluators see it.")
    note = forms.CharField(required=False, widget=forms.Textarea)
    hints = forms.BooleanField(label="Show hints", required=False)
    sex = forms.ChoiceField(choices=[("male", "Male"), ("female", "Female")], widget=forms.RadioSelect)


def test_the_guide_shows_every_sample_chart_and_token():
    html = render_to_string("annotator/site/styleguide.html", styleguide_context())
    assert all(f'id="{name}"' in html for name in SECTIONS)
    assert all(words in html for words in ("Comments per month", "12 of 50", "--space-1", "hue-nrp"))


def test_every_sample_is_in_the_guide():
    assert {f"_{name}.html" for name in SECTIONS} == {path.name for path in SAMPLES.iterdir()}


@pytest.mark.parametrize("page", ERROR_PAGES)
def test_error_pages_need_no_context_and_blame_nobody(page):
    html = render_to_string(f"{page}.html")
    heading = re.search(r"<h1[^>]*>(.*?)</h1>", html, re.DOTALL)
    assert heading
    assert not re.search(r"\d|error|illegal|invalid|forbidden", heading[1], re.IGNORECASE)
    assert 'href="/"' in html


def test_a_field_is_tied_to_its_help_and_its_error():
    html = render_to_string("_fields.html", {"form": SampleForm({"name": ""})})
    assert 'aria-describedby="id_name_helptext id_name_error"' in html
    assert all(f'id="{name}"' in html for name in ("id_name_helptext", "id_name_error"))
    assert html.count("<fieldset") == 1


def test_a_form_printed_plainly_looks_like_ours():
    html = str(SampleForm())
    assert 'class="field"' in html
    assert 'class="check"' in html
    assert "(optional)" in html
