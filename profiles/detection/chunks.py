"""Cut a run into chunks: comments in the order of their ids, with about the same amount of text in each."""

from django.db import connection, transaction
from django.utils import timezone

from profiles.models import Comment, DetectionChunk, DetectionRun

TEXT = 150_000  # bytes per chunk, which take a worker a second or two
EACH = 100  # overhead per comment, in bytes of text
AT_ONCE = 50_000  # comments cut in one transaction

CUT = """
    WITH next AS (
        SELECT comment.id, octet_length(comment.body) + %(each)s AS size
        FROM profiles_comment comment JOIN profiles_profile profile ON profile.id = comment.profile_id
        WHERE profile.corpus_id = %(corpus)s AND comment.id > %(after)s
        ORDER BY comment.id LIMIT %(most)s
    ), numbered AS (
        SELECT id, (sum(size) OVER (ORDER BY id) - size) / %(text)s AS number FROM next
    )
    SELECT min(id), max(id), count(*) FROM numbered GROUP BY floor(number) ORDER BY 1
"""


def has_more(run: DetectionRun) -> bool:
    """Whether the corpus has comments that are not in a chunk yet."""
    return Comment.objects.filter(profile__corpus=run.corpus_id, pk__gt=run.planned_to).exists()


def plan(run_id: int) -> None:
    """Cut the comments that are in no chunk yet. Concurrent calls take turns; after a kill, the next call resumes."""
    while _cut_some(run_id):
        pass


def _cut_some(run_id: int) -> bool:
    """Cut up to AT_ONCE comments, and return whether there may be more."""
    with transaction.atomic():
        run = DetectionRun.objects.select_for_update(no_key=True).get(pk=run_id)
        cut = _next_chunks(run)
        DetectionChunk.objects.bulk_create(
            DetectionChunk(run=run, first_comment=first, last_comment=last, comment_count=count)
            for first, last, count in cut
        )
        run.planned_to = max((last for _, last, _ in cut), default=run.planned_to)
        run.planned_at = None if cut else timezone.now()
        run.save(update_fields=["planned_to", "planned_at"])
    return bool(cut)


def _next_chunks(run: DetectionRun) -> list[tuple[int, int, int]]:
    about = {"corpus": run.corpus_id, "after": run.planned_to, "each": EACH, "text": TEXT, "most": AT_ONCE}
    with connection.cursor() as cursor:
        cursor.execute(CUT, about)
        return [(first, last, count) for first, last, count in cursor.fetchall()]
