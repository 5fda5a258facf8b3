"""SQL for blocks of comments. `{condition}` takes a `CommentFilter`'s condition, which contains no user input."""

ALL_CHAPTERS = """
    SELECT subreddit.id, subreddit.name, presence.comment_count
    FROM profiles_presence presence JOIN profiles_subreddit subreddit ON subreddit.id = presence.subreddit_id
    WHERE presence.profile_id = %(profile)s
"""
FILTERED_CHAPTERS = """
    SELECT subreddit.id, subreddit.name, count(*)
    FROM profiles_comment comment JOIN profiles_subreddit subreddit ON subreddit.id = comment.subreddit_id
    WHERE comment.profile_id = %(profile)s {condition}
    GROUP BY subreddit.id, subreddit.name
"""
MARKS = """
        (SELECT json_agg(json_build_array(start, "end", entity_type, score) ORDER BY id)
         FROM profiles_detection WHERE comment_id = comment.id AND run_id = %(run)s),
        (SELECT reason FROM profiles_unanalysed WHERE comment_id = comment.id AND run_id = %(run)s)
"""
BLOCK_ROWS = f"""
    SELECT piece.number, comment.id, comment.written_at, comment.body, {MARKS}
    FROM unnest(%(subreddits)s::int[], %(skips)s::int[], %(takes)s::int[])
        WITH ORDINALITY AS piece(subreddit_id, skip, take, number)
    CROSS JOIN LATERAL (
        SELECT comment.id, comment.written_at, comment.body FROM profiles_comment comment
        WHERE comment.profile_id = %(profile)s AND comment.subreddit_id = piece.subreddit_id {{condition}}
        ORDER BY comment.written_at, comment.id OFFSET piece.skip LIMIT piece.take
    ) comment
    ORDER BY piece.number, comment.written_at, comment.id
"""  # noqa: S608 no user input
COMMENT_ROW = f"""
    SELECT 1, comment.id, comment.written_at, comment.body, {MARKS}
    FROM profiles_comment comment WHERE comment.profile_id = %(profile)s AND comment.id = %(comment)s
"""  # noqa: S608 no user input
NUMBERED = """
    WITH numbered AS (
        SELECT comment.id, comment.body,
            row_number() OVER (ORDER BY chapter.number, comment.written_at, comment.id) - 1 AS position
        FROM profiles_comment comment
        JOIN unnest(%(order)s::int[]) WITH ORDINALITY AS chapter(id, number) ON chapter.id = comment.subreddit_id
        WHERE comment.profile_id = %(profile)s {condition}
    )
"""
DETECTION_POSITIONS = f"""{NUMBERED}
    SELECT numbered.position, numbered.id, count(*)
    FROM numbered JOIN profiles_detection detection ON detection.comment_id = numbered.id
    WHERE detection.run_id = %(run)s
        AND (%(type)s = '' OR detection.entity_type = %(type)s)
        AND (%(text)s = ''
             OR substr(numbered.body, detection.start + 1, detection."end" - detection.start) = %(text)s)
    GROUP BY numbered.position, numbered.id ORDER BY numbered.position
"""  # noqa: S608 no user input
HIT_POSITIONS = f"""{NUMBERED}
    SELECT position, id, greatest(1, least(%(limit)s,
        (length(lower(body)) - length(replace(lower(body), lower(%(words)s), ''))) / length(%(words)s)))
    FROM numbered WHERE body ILIKE %(like)s ORDER BY position
"""  # noqa: S608 no user input
ORDER = f"""{NUMBERED}
    SELECT position, id FROM numbered ORDER BY position
"""  # noqa: S608 no user input
COMMENT_POSITION = f"""{NUMBERED}
    SELECT position, id FROM numbered WHERE id = %(comment)s
"""  # noqa: S608 no user input
