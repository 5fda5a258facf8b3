"""What means the same: decided beside a profile, remembered for all, and undone on a page of its own."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from annotator.core.access import admin_required
from annotator.core.http import AnnotatorRequest
from annotator.gold.build import build_profile
from annotator.gold.equivalence import IN_WORDS
from annotator.gold.forms.adjudication import MeaningForm
from annotator.gold.judgements import said_about
from annotator.gold.queries.disputes import meanings as remembered
from annotator.gold.services.equivalence import decide_meaning, forget_meaning
from annotator.gold.views.adjudication import judged_profile
from annotator.models import SameMeaning
from profiles.attributes import Attribute
from profiles.models import Profile


@admin_required
@require_safe
def meanings(request: AnnotatorRequest) -> HttpResponse:
    return render(
        request, "annotator/gold/meanings.html", {"page": remembered(request.GET.get("page", "1")), "query": ""}
    )


@admin_required
@require_POST
def same_meaning(request: AnnotatorRequest, profile_id: int) -> HttpResponse:
    """Two answers that were given about this profile. It is worked out anew at once, the others soon."""
    profile, form = judged_profile(request, profile_id), MeaningForm(request.POST)
    if form.is_valid() and _were_said(profile, form):
        said = form.cleaned_data
        decide_meaning(
            Attribute(said["attribute"]), (said["one"], said["other"]), is_same=said["is_same"], by=request.user,
            request=request,
        )  # fmt: skip
        build_profile(profile)
        told = "mean the same" if said["is_same"] else "do not mean the same"
        messages.success(request, f"From now on “{said['one']}” and “{said['other']}” {told}, for every profile.")
    else:
        messages.error(request, "These are not two answers in words about this profile. Nothing was changed.")
    return redirect(f"{reverse('annotator:adjudicate', args=[profile.pk])}?{request.GET.urlencode()}")


@admin_required
@require_POST
def undo_meaning(request: AnnotatorRequest, meaning_id: int) -> HttpResponse:
    decision = get_object_or_404(SameMeaning, pk=meaning_id)
    forget_meaning(decision, by=request.user, request=request)
    told = f"It is forgotten what was decided about “{decision.one}” and “{decision.other}”. Gold is worked out anew."
    messages.success(request, told)
    return redirect("annotator:meanings")


def _were_said(profile: Profile, form: MeaningForm) -> bool:
    attribute, one, other = (form.cleaned_data[name] for name in ("attribute", "one", "other"))
    said = said_about(profile.corpus, [profile.pk]).get((profile.pk, attribute), [])
    return attribute in IN_WORDS and one != other and {one, other} <= {opinion.value for opinion in said}
