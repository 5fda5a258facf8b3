"""The comments beside a decision: a block at a time, with everybody's evidence."""

from collections.abc import Iterable

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from annotator.comments.forms import MAX_POSITION
from annotator.comments.presidio_results import runs_to_show
from annotator.comments.profiles import readable_profiles
from annotator.core.access import admin_required
from annotator.core.http import AnnotatorRequest
from annotator.core.parameters import read_number
from annotator.gold.queries.cited_comments import CitedEvidence, CommentBlock, cited_evidence, read_comments
from annotator.gold.views.disputes import page_query
from annotator.models import Assignment
from profiles.attributes import Attribute
from profiles.models import Profile


@admin_required
@require_safe
def cited_comments(request: AnnotatorRequest, profile_id: int) -> HttpResponse:
    """A block of comments, for scrolling on and for jumps to evidence."""
    profile = judged_profile(request, profile_id)
    block = comment_block(request, profile, cited_evidence(profile))
    context = {"profile": profile, "comments": block, "here": page_query(request.GET)}
    return render(request, "annotator/gold/_cited_comments.html#comment-block", context)


def judged_profile(request: AnnotatorRequest, profile_id: int) -> Profile:
    """A profile with judgements that count, or 404. 1 query."""
    judged = Assignment.objects.counted()
    return get_object_or_404(readable_profiles(request.user).filter(pk__in=judged.values("profile")), pk=profile_id)


def comment_block(
    request: AnnotatorRequest, profile: Profile, cited: CitedEvidence, about: str | None = None
) -> CommentBlock:
    """The block that the address asks for, or else the one with the first evidence for an attribute."""
    first = read_number(request.GET.get("first"), at_most=MAX_POSITION)
    comment = read_number(request.GET.get("comment"))
    if comment is None and first is None and about:
        comment = cited.first_comment(about)
    run = runs_to_show(profile, request.user).first()
    return read_comments(profile, run, cited, first=first or 0, comment=comment)


def attribute_in_question(request: AnnotatorRequest, disputed: Iterable[Attribute]) -> str | None:
    """The disputed attribute that the address names, or the first."""
    attributes = [attribute.value for attribute in disputed]
    named = [request.GET.get(name) for name in ("about", "attribute")]
    return next((attribute for attribute in (*named, *attributes) if attribute in attributes), None)
