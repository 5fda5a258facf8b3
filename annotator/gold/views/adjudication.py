"""Deciding about one profile."""

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from annotator.comments.profiles import readable_profiles
from annotator.core.access import admin_required
from annotator.core.http import AnnotatorRequest
from annotator.corpora.views.corpora import COMMENTS_PER_PAGE
from annotator.gold.forms.adjudication import DecisionForm
from annotator.gold.queries.adjudication import attributes_on_page
from annotator.gold.services.adjudication import ChangedMeanwhile, Decision, How, ReasonNeeded, decide
from annotator.gold.services.leases import HeldByAnother, Lease, give_back, record_view, renew_lease, take_lease
from annotator.gold.views.attribute_forms import case_on_page
from annotator.gold.views.disputes import kept_filters, where_next
from annotator.models import Assignment, Dispute
from profiles.attributes import Attribute
from profiles.models import Profile


@admin_required
@require_safe
def adjudicate(request: AnnotatorRequest, profile_id: int) -> HttpResponse:
    """The profile's attributes with what was said about them. Whoever opens it has it for some minutes."""
    profile = judged_profile(request, profile_id)
    lease = take_lease(profile, request.user)
    record_view(profile, lease, request.user, request)
    return page(request, profile, lease)


@admin_required
@require_POST
def decide_attribute(request: AnnotatorRequest, profile_id: int, attribute: str) -> HttpResponse:
    profile = judged_profile(request, profile_id)
    if attribute not in Attribute.values:
        raise Http404
    form = DecisionForm(request.POST, attribute=Attribute(attribute))
    if not form.is_valid():
        return page(request, profile, take_lease(profile, request.user), form=form)
    try:
        decide(profile, form.attribute, _decision(form), by=request.user, request=request)
    except (HeldByAnother, ChangedMeanwhile) as refusal:
        messages.error(request, str(refusal))
        return page(request, profile, take_lease(profile, request.user), form=form, status=409)
    except ReasonNeeded as needed:
        form.add_error("reason", str(needed))
        return page(request, profile, take_lease(profile, request.user), form=form)
    messages.success(request, f"{form.attribute.label} of {profile.pseudonym} is decided.")
    return redirect(_onwards(request, profile))


@admin_required
@require_POST
def renew(request: AnnotatorRequest, profile_id: int) -> HttpResponse:
    """The page says that it is still open. Where somebody else has the profile now, it says so."""
    if renew_lease(judged_profile(request, profile_id), request.user):
        return HttpResponse(status=204)
    return render(request, "annotator/gold/adjudicate.html#lease-lost", {})


def judged_profile(request: AnnotatorRequest, profile_id: int) -> Profile:
    """One that somebody judged. 1 query."""
    judged = Assignment.objects.submitted().filter(is_planted=False, batch__is_practice=False)
    return get_object_or_404(readable_profiles(request.user).filter(pk__in=judged.values("profile")), pk=profile_id)


def page(
    request: AnnotatorRequest, profile: Profile, lease: Lease, *, form: DecisionForm | None = None, status: int = 422
) -> HttpResponse:
    cases = [case_on_page(row, form) for row in attributes_on_page(profile, COMMENTS_PER_PAGE) if row.sides or row.gold]
    context = {
        "profile": profile, "lease": lease, "disputed": [case for case in cases if case.row.dispute],
        "others": [case for case in cases if not case.row.dispute], "is_refused": form is not None,
        "with_names": "names" in request.GET, "query": kept_filters(request.GET), "ratings": range(6),
    }  # fmt: skip
    return render(request, "annotator/gold/adjudicate.html", context, status=status if form else 200)


def _decision(form: DecisionForm) -> Decision:
    said = form.cleaned_data
    plain = {name: said[name] for name in ("seen", "judgement", "value", "hardness", "certainty", "required_subreddit")}
    return Decision(how=How(said["how"]), reason=said["reason"], **plain)


def _onwards(request: AnnotatorRequest, profile: Profile) -> str:
    """To what else is disputed about the profile, then to the next one."""
    if Dispute.objects.filter(profile=profile).exists():
        return f"{reverse('annotator:adjudicate', args=[profile.pk])}?{request.GET.urlencode()}"
    give_back(profile, request.user)
    return where_next(request, but=profile)
