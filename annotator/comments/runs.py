"""Which run of Presidio is shown with a profile, and how far it is."""

from django.db.models import BooleanField, ExpressionWrapper, F, OuterRef, Q, QuerySet, Subquery

from annotator.models import Annotator, Role
from profiles.models import DetectionChunk, DetectionRun, Profile


def runs_to_show(profile: Profile, annotator: Annotator) -> QuerySet[DetectionRun]:
    """Admins and researchers choose among all, the newest first; evaluators have their batch's. 1 query."""
    runs = profile.corpus.runs.select_related("recipe").order_by("-pk")
    if annotator.has_role(Role.ADMIN, Role.RESEARCHER):
        return runs
    given = annotator.assignments.filter(profile=profile)
    last = given.order_by(F("claimed_at").desc(nulls_last=True), "-pk")
    return runs.filter(recipe=Subquery(last.values("batch__recipe")[:1]))


def analysed_comments(run: DetectionRun, profile: Profile) -> int:
    """How many of the profile's comments lie in a chunk that is done. 1 query.

    Of a hundred thousand chunks only one is looked at for a comment: the last that begins before it.
    Chunks that were cut do not overlap; those of comments tried once more do, and are left out.
    """
    is_done = ExpressionWrapper(Q(done_at__isnull=False, last_comment__gte=OuterRef("pk")), BooleanField())
    cut = DetectionChunk.objects.filter(run=run, comment_count__gt=0, first_comment__lte=OuterRef("pk"))
    nearest = cut.order_by("-first_comment").values_list(is_done)[:1]
    return profile.comments.annotate(is_analysed=Subquery(nearest)).filter(is_analysed=True).count()
