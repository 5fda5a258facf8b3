"""SQL for the progress of a batch: each statement reads its assignments once."""

DAYS = """
    SELECT annotator_id, (coalesce(submitted_at, skipped_at) AT TIME ZONE 'UTC')::date AS day, skip_reason,
           count(*) AS slots, count(submitted_at) AS submitted, count(claimed_at) AS claimed,
           coalesce(sum(active_seconds) FILTER (WHERE submitted_at IS NOT NULL), 0) AS seconds
    FROM annotator_assignment WHERE batch_id = %(batch)s
    GROUP BY annotator_id, day, skip_reason
"""
# Counting seconds before sorting them is faster than percentile_cont, and gives the same median.
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
FLAGS = """
    SELECT slot.annotator_id, count(*)
    FROM annotator_flag flag JOIN annotator_assignment slot ON slot.id = flag.assignment_id
    WHERE slot.batch_id = %(batch)s
    GROUP BY slot.annotator_id
"""
LAST_SITTINGS = """
    SELECT slot.annotator_id, max(sitting.last_at)
    FROM annotator_assignment slot JOIN annotator_sitting sitting ON sitting.assignment_id = slot.id
    WHERE slot.batch_id = %(batch)s
      AND slot.claimed_at IS NOT NULL AND slot.submitted_at IS NULL AND slot.skipped_at IS NULL
    GROUP BY slot.annotator_id
"""
# Of a large batch every n-th assignment: that is enough for the means.
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
