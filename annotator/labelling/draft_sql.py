"""SQL that writes a card as one statement: lock the assignment, compare versions, write.

`LOCKED` takes the lock that every write of the labelling page takes, under the rule of `Assignment.objects.writable()`.
"""

LOCKED = """
    FROM annotator_assignment assignment
    JOIN annotator_batch batch ON batch.id = assignment.batch_id
    WHERE assignment.id = %(this)s AND assignment.annotator_id = %(person)s AND assignment.skipped_at IS NULL
        AND (assignment.submitted_at IS NULL AND assignment.claimed_at IS NOT NULL
             OR assignment.reopened_at IS NOT NULL)
        AND batch.started_at IS NOT NULL AND batch.closed_at IS NULL
    FOR NO KEY UPDATE OF assignment
"""
FIELDS = "value, hardness, certainty, required_subreddit, note, evidence"
VALUES = (
    "%(value)s, %(hardness)s::smallint, %(certainty)s::smallint, %(required_subreddit)s, %(note)s, %(evidence)s::jsonb"
)
FIRST_DRAFT = f"""
    WITH locked AS (SELECT assignment.id {LOCKED})
    INSERT INTO annotator_draft AS draft (assignment_id, attribute, {FIELDS}, version, saved_at)
    SELECT locked.id, %(attribute)s, {VALUES}, 1, %(saved_at)s::timestamptz FROM locked
    ON CONFLICT (assignment_id, attribute) DO NOTHING
    RETURNING {{columns}}
"""  # noqa: S608 values are bound as parameters
NEXT_DRAFT = f"""
    WITH locked AS (SELECT assignment.id {LOCKED})
    UPDATE annotator_draft draft
    SET ({FIELDS}) = ROW ({VALUES}), version = draft.version + 1, saved_at = %(saved_at)s::timestamptz
    FROM locked
    WHERE draft.assignment_id = locked.id AND draft.attribute = %(attribute)s AND draft.version = %(based_on)s
        AND ({FIELDS}) IS DISTINCT FROM ({VALUES})
    RETURNING {{columns}}
"""  # noqa: S608 as above
