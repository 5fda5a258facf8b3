"""Which judgements count for agreement and gold, stated once.

Those of submitted slots, in batches that are not for practice, of profiles that were drawn and not planted. Whoever
judged a profile in two batches counts once for the corpus, with what they submitted last. Within one batch its own
judgements count.
"""

from profiles.models import Corpus

SUBMITTED = """
    SELECT slot.id, slot.batch_id, slot.profile_id, slot.annotator_id, slot.submitted_at, slot.active_seconds
    FROM annotator_assignment slot
    JOIN annotator_batch batch ON batch.id = slot.batch_id
    WHERE slot.submitted_at IS NOT NULL AND NOT slot.is_planted AND NOT batch.is_practice
"""
OF_BATCH = f"{SUBMITTED} AND slot.batch_id = %(batch)s"
OF_CORPUS = f"""{SUBMITTED}
      AND batch.corpus_id = %(corpus)s
      AND NOT EXISTS (
          SELECT FROM annotator_assignment later
          JOIN annotator_batch its_batch ON its_batch.id = later.batch_id
          WHERE later.profile_id = slot.profile_id AND later.annotator_id = slot.annotator_id
            AND (later.submitted_at, later.id) > (slot.submitted_at, slot.id)
            AND NOT later.is_planted AND NOT its_batch.is_practice
      )
"""  # to be used as `WITH counted AS (…)`


def counted(corpus: Corpus, batch: int | None = None) -> tuple[str, dict[str, int]]:
    """The statement and its values."""
    if batch is not None:
        return OF_BATCH, {"batch": batch}
    return OF_CORPUS, {"corpus": corpus.pk}
