"""SQL that submits a profile: one statement reads what was written, another one writes everything."""

from annotator.core.sql import HISTORY

# Locking comes first, in a statement of its own: this one then sees what another tab wrote meanwhile.
WORK = """
    SELECT
        (SELECT coalesce(json_agg(draft), '[]') FROM (
            SELECT id, attribute, value, hardness, certainty, required_subreddit, note, evidence, version
            FROM annotator_draft WHERE assignment_id = %(assignment)s
        ) draft),
        (SELECT coalesce(json_agg(json_build_array(active_seconds, card_seconds)), '[]')
         FROM annotator_sitting WHERE assignment_id = %(assignment)s)
"""
COLUMNS = "value, hardness, certainty, required_subreddit, note, geoname_id, judged_at, active_seconds"
CHANGES = ", ".join(f"{column} = excluded.{column}" for column in COLUMNS.split(", "))
SUBMIT = f"""
    WITH {HISTORY}, judgement AS (
        INSERT INTO annotator_judgement (assignment_id, attribute, {COLUMNS})
        SELECT %(assignment)s, answer.*, %(now)s::timestamptz, coalesce((%(seconds)s::jsonb ->> attribute)::int, 0)
        FROM history, jsonb_to_recordset(%(answers)s::jsonb) AS answer (
            attribute text, value text, hardness smallint, certainty smallint, required_subreddit boolean, note text,
            geoname_id int
        )
        ON CONFLICT (assignment_id, attribute) DO UPDATE SET {CHANGES}
        RETURNING id, attribute
    ), submission AS (
        INSERT INTO annotator_submission
            (assignment_id, number, submitted_at, nothing_inferred, answers, active_seconds)
        SELECT %(assignment)s, count(*) + 1, %(now)s::timestamptz, %(nothing)s, %(answers)s::jsonb, %(active)s
        FROM annotator_submission WHERE assignment_id = %(assignment)s
        RETURNING id, number
    ), assignment AS (
        UPDATE annotator_assignment
        SET submitted_at = %(now)s::timestamptz, reopened_at = NULL, active_seconds = %(active)s
        FROM history WHERE id = %(assignment)s
    ), entry AS (
        INSERT INTO annotator_auditentry (action, actor_id, address, details)
        SELECT %(action)s, %(actor)s::bigint, %(address)s::inet,
            jsonb_build_object('assignment', %(assignment)s::bigint, 'submission', number)
        FROM submission
    )
    SELECT id, number, (SELECT json_object_agg(attribute, id) FROM judgement) FROM submission
"""  # noqa: S608 our own columns; values are bound as parameters
