"""The adjudication page of one profile."""

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from annotator.core.access import admin_required
from annotator.core.http import AnnotatorRequest
from annotator.gold.forms.adjudication import DecisionForm, UndoForm
from annotator.gold.queries.adjudication import attributes_on_page, last_decision
from annotator.gold.queries.cited_comments import cited_evidence
from annotator.gold.services.adjudication import Decision, DecisionMethod, JudgementsChanged, ReasonNeeded, decide
from annotator.gold.services.leases import Lease, LeaseLost, acquire_lease, record_view, release_lease, renew_lease
from annotator.gold.services.undo import DecisionChanged, undo_decision
from annotator.gold.views.attribute_forms import attribute_forms
from annotator.gold.views.cited_comments import attribute_in_question, comment_block, judged_profile
from annotator.gold.views.disputes import filter_query, next_address, page_query
from annotator.models import Dispute
from profiles.attributes import Attribute
from profiles.models import Profile


@admin_required
@require_safe
def adjudicate(request: AnnotatorRequest, profile_id: int) -> HttpResponse:
    """The profile's attributes with their judgements. Opening the page acquires the lease."""
    profile = judged_profile(request, profile_id)
    lease = acquire_lease(profile, request.user)
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
        return page(request, profile, acquire_lease(profile, request.user), form=form)
    try:
        decide(profile, form.attribute, _decision(form), by=request.user, request=request)
    except (LeaseLost, JudgementsChanged) as refusal:
        messages.error(request, str(refusal))
        return page(request, profile, acquire_lease(profile, request.user), form=form, status=409)
    except ReasonNeeded as needed:
        form.add_error("reason", str(needed))
        return page(request, profile, acquire_lease(profile, request.user), form=form)
    return redirect(_next_address_after(request, profile))


@admin_required
@require_POST
def undo(request: AnnotatorRequest, profile_id: int, attribute: str) -> HttpResponse:
    """Undo a decision and go back to its profile. If that's refused, stay on the page that offered it."""
    profile = judged_profile(request, profile_id)
    if attribute not in Attribute.values:
        raise Http404
    form = UndoForm(request.POST)
    form.is_valid()  # without a decision nothing is undone; without a page to leave, the profile itself is next
    token, left = form.cleaned_data.get("decision", ""), form.cleaned_data.get("left") or profile
    lease = acquire_lease(profile, request.user)
    try:
        undo_decision(profile, Attribute(attribute), token=token, by=request.user, request=request)
    except (LeaseLost, DecisionChanged) as refusal:
        messages.error(request, str(refusal))
        if lease.is_new and left != profile:
            release_lease(profile, request.user)
        return redirect(_address(request, left))
    record_view(profile, lease, request.user, request)
    if left != profile:
        release_lease(left, request.user)
    messages.success(request, f"Undone: {Attribute(attribute).label.lower()} of {profile.pseudonym}.")
    return redirect(f"{_address(request, profile)}#{attribute}")


@admin_required
@require_POST
def renew(request: AnnotatorRequest, profile_id: int) -> HttpResponse:
    """Extend the lease of an open page, or tell the adjudicator that it was lost."""
    if renew_lease(judged_profile(request, profile_id), request.user):
        return HttpResponse(status=204)
    return render(request, "annotator/gold/adjudicate.html#lease-lost", {})


def page(
    request: AnnotatorRequest, profile: Profile, lease: Lease, *, form: DecisionForm | None = None, status: int = 422
) -> HttpResponse:
    cited = cited_evidence(profile)
    rows = [row for row in attributes_on_page(profile, cited) if row.judgements or row.gold]
    items = [attribute_forms(row, form) for row in rows]
    disputed = [item for item in items if item.row.dispute]
    about = form.attribute.value if form else attribute_in_question(request, [item.row.attribute for item in disputed])
    context = {
        "profile": profile, "lease": lease, "disputed": disputed,
        "others": [item for item in items if not item.row.dispute], "is_refused": form is not None,
        "with_names": "names" in request.GET, "query": filter_query(request.GET), "ratings": range(6),
        "here": page_query(request.GET),
        "last_decision": last_decision(request.user),
        "about": about, "people": sorted(cited.people.values(), key=lambda person: person.number),
        "comments": comment_block(request, profile, cited, about),
    }  # fmt: skip
    return render(request, "annotator/gold/adjudicate.html", context, status=status if form else 200)


def _decision(form: DecisionForm) -> Decision:
    data = form.cleaned_data
    names = ("judgement", "value", "hardness", "certainty", "required_subreddit", "reason")
    fields = {name: data[name] for name in names}
    return Decision(method=DecisionMethod(data["how"]), fingerprint=data["seen"], **fields)


def _next_address_after(request: AnnotatorRequest, profile: Profile) -> str:
    """The same profile while it has disputes, otherwise the next one."""
    if Dispute.objects.filter(profile=profile).exists():
        return _address(request, profile)
    release_lease(profile, request.user)
    return next_address(request, leaving=profile)


def _address(request: AnnotatorRequest, profile: Profile) -> str:
    return f"{reverse('annotator:adjudicate', args=[profile.pk])}?{request.GET.urlencode()}"
