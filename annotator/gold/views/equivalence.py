"""Decisions on whether answers mean the same: made on a profile's page, listed and undone on their own page."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from annotator.core.access import admin_required
from annotator.core.http import AnnotatorRequest
from annotator.core.sort_order import Sorting
from annotator.gold.build import build_profile
from annotator.gold.equivalence import FREE_TEXT_ATTRIBUTES
from annotator.gold.forms.adjudication import EquivalenceForm
from annotator.gold.judgements import counted_judgements
from annotator.gold.queries.decisions import MEANING_COLUMNS, decided_meanings
from annotator.gold.services.equivalence import decide_equivalence, undo_equivalence
from annotator.gold.views.cited_comments import judged_profile
from annotator.models import SameMeaning
from profiles.attributes import Attribute
from profiles.models import Profile


@admin_required
@require_safe
def meanings(request: AnnotatorRequest) -> HttpResponse:
    sorting = Sorting.read(request.GET, MEANING_COLUMNS, default="when")
    page = decided_meanings(sorting, request.GET.get("page", "1"))
    context = {"name": "Equivalent answers", "page": page, "sorting": sorting}
    return render(request, "annotator/gold/meanings.html", context)


@admin_required
@require_POST
def same_meaning(request: AnnotatorRequest, profile_id: int) -> HttpResponse:
    """Decide about two answers for this profile. Rebuild its gold immediately; a worker rebuilds the rest."""
    profile, form = judged_profile(request, profile_id), EquivalenceForm(request.POST)
    if form.is_valid() and _are_answers_about(profile, form):
        data = form.cleaned_data
        decide_equivalence(
            Attribute(data["attribute"]), (data["one"], data["other"]), is_same=data["is_same"], by=request.user,
            request=request,
        )  # fmt: skip
        build_profile(profile)
        relation = "mean the same" if data["is_same"] else "do not mean the same"
        messages.success(request, f"From now on “{data['one']}” and “{data['other']}” {relation}, for every profile.")
    else:
        messages.error(request, "These are not two free-text answers about this profile. Nothing was changed.")
    return redirect(f"{reverse('annotator:adjudicate', args=[profile.pk])}?{request.GET.urlencode()}")


@admin_required
@require_POST
def undo_meaning(request: AnnotatorRequest, meaning_id: int) -> HttpResponse:
    decision = get_object_or_404(SameMeaning, pk=meaning_id)
    undo_equivalence(decision, by=request.user, request=request)
    messages.success(
        request,
        f"The decision about “{decision.one}” and “{decision.other}” was undone. Gold is being rebuilt.",
    )
    return redirect("annotator:meanings")


def _are_answers_about(profile: Profile, form: EquivalenceForm) -> bool:
    attribute, first, second = (form.cleaned_data[name] for name in ("attribute", "one", "other"))
    judgements = counted_judgements(profile.corpus, [profile.pk]).get((profile.pk, attribute), [])
    answers = {judgement.value for judgement in judgements}
    return attribute in FREE_TEXT_ATTRIBUTES and first != second and {first, second} <= answers
