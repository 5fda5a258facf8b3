"""SQL for the progress of a batch. Each statement reads the assignments once."""

from annotator.models.batches import HANDED_OVER_SQL

DAYS = f"""
    SELECT annotator_id, (coalesce(submitted_at, skipped_at) AT TIME ZONE 'UTC')::date AS day, skip_reason,
           count(*) AS slots, count(submitted_at) AS submitted, count(claimed_at) AS claimed,
           coalesce(sum(active_seconds) FILTER (WHERE submitted_at IS NOT NULL), 0) AS seconds
    FROM annotator_assignment WHERE batch_id = %(batch)s AND NOT {HANDED_OVER_SQL}
    GROUP BY annotator_id, day, skip_reason
"""  # noqa: S608 our own condition; values are bound as parameters
# Counting equal seconds before sorting is faster than percentile_cont, and gives the same median.
PEOPLE = """
    WITH spent AS (
        SELECT annotator_id, CASE WHEN submitted_at IS NOT NULL THEN active_seconds END AS seconds, count(*) AS slots,
               max(greatest(claimed_at, submitted_at, skipped_at, reopened_at)) AS last_at
        FROM annotator_assignment WHERE batch_id = %(batch)s AND annotator_id IS NOT NULL
        GROUP BY 1, 2
    ), ranked AS (
        SELECT *, sum(slots) OVER (PARTITION BY annotator_id ORDER BY seconds) AS up_to,
               sum(slots) OVER (PARTITION BY annotator_id) AS every
        FROM spent WHERE seconds IS NOT NULL
    )
    SELECT person.id, person.display_name, person.code, person.is_active,
           (SELECT avg(seconds)::float FROM ranked
            WHERE ranked.annotator_id = person.id AND 2 * up_to >= every AND 2 * (up_to - slots) <= every),
           (SELECT max(last_at) FROM spent WHERE spent.annotator_id = person.id)
    FROM annotator_annotator person WHERE person.id IN (SELECT annotator_id FROM spent)
    ORDER BY lower(person.display_name), person.id
"""
# Sample every n-th assignment of a large batch: that is enough for means.
DRIFT = """
    WITH turns AS (
        SELECT id, annotator_id, ntile(10) OVER (PARTITION BY annotator_id ORDER BY submitted_at, id) AS tenth
        FROM annotator_assignment
        WHERE batch_id = %(batch)s AND submitted_at IS NOT NULL AND id %% %(every)s = 0
    )
    SELECT turns.annotator_id, turns.tenth, count(*), sum(hardness), sum(certainty)
    FROM turns JOIN annotator_judgement judgement ON judgement.assignment_id = turns.id AND judgement.hardness > 0
    GROUP BY turns.annotator_id, turns.tenth
    ORDER BY turns.annotator_id, turns.tenth
"""
