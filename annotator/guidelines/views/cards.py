"""What the guidelines say on the cards. A page asks once, and the browser keeps it: a version never changes."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import JsonResponse
from django.shortcuts import get_object_or_404
from django.template.loader import render_to_string
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from annotator.core.http import AnnotatorRequest
from annotator.guidelines.text import AttributeRules, Step, read_guidelines
from annotator.models import GuidelineVersion
from profiles.attributes import Attribute


@login_required
@gzip_page
@require_safe
def guideline_cards(request: AnnotatorRequest, number: int) -> JsonResponse:
    text = get_object_or_404(GuidelineVersion, number=number).text
    guidelines = read_guidelines(text)
    said: dict[str, Any] = {
        "hardness": _steps(guidelines.hardness),
        "certainty": _steps(guidelines.certainty),
        "attributes": {attribute.value: _rules(guidelines.for_attribute(attribute)) for attribute in Attribute},
    }
    response = JsonResponse(said)
    response["Cache-Control"] = "private, max-age=3600"
    return response


def _steps(steps: dict[int, Step]) -> dict[int, dict[str, str]]:
    return {number: {"definition": step.definition, "example": step.example} for number, step in steps.items()}


def _rules(rules: AttributeRules) -> dict[str, Any]:
    html = render_to_string("annotator/guidelines/_blocks.html", {"blocks": [*rules.asked, *rules.cases]})
    return {"html": html, "hardness": rules.hardness}
