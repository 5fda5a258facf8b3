"""SQL for counts and samples of a run's detections.

The index on detections starts with the comment, so these queries go by ranges of analysed comments.
"""

COUNTS_BY_TYPE = """
    SELECT detection.entity_type, count(*), count(DISTINCT detection.comment_id)
    FROM unnest(%(firsts)s::bigint[], %(lasts)s::bigint[]) AS part(first, last)
    JOIN profiles_detection detection
        ON detection.comment_id BETWEEN part.first AND part.last AND detection.run_id = %(run)s
    GROUP BY 1 ORDER BY 2 DESC, 1
"""
COUNTS_BY_SUBREDDIT = """
    WITH part AS (SELECT * FROM unnest(%(firsts)s::bigint[], %(lasts)s::bigint[]) AS part(first, last)),
    counted AS (
        SELECT detection.comment_id, count(*) AS detections
        FROM part JOIN profiles_detection detection
            ON detection.comment_id BETWEEN part.first AND part.last AND detection.run_id = %(run)s
        GROUP BY 1
    )
    SELECT subreddit.name, sum(counted.detections)::bigint, count(*)
    FROM part
    JOIN profiles_comment comment ON comment.id BETWEEN part.first AND part.last
    JOIN profiles_profile profile ON profile.id = comment.profile_id AND profile.corpus_id = %(corpus)s
    JOIN profiles_subreddit subreddit ON subreddit.id = comment.subreddit_id
    LEFT JOIN counted ON counted.comment_id = comment.id
    GROUP BY subreddit.id HAVING count(counted.detections) > 0
    ORDER BY 2 DESC, 1 LIMIT %(limit)s
"""
FREQUENT_STRINGS = """
    SELECT entity_type, string, times FROM (
        SELECT entity_type, string, count(*) AS times,
               row_number() OVER (PARTITION BY entity_type ORDER BY count(*) DESC, string) AS rank
        FROM (
            SELECT detection.entity_type,
                   lower(substring(comment.body FROM start + 1 FOR least("end" - start, %(longest)s))) AS string
            FROM unnest(%(firsts)s::bigint[], %(lasts)s::bigint[]) AS part(first, last)
            JOIN profiles_detection detection
                ON detection.comment_id BETWEEN part.first AND part.last AND detection.run_id = %(run)s
            JOIN profiles_comment comment ON comment.id = detection.comment_id
        ) marked GROUP BY 1, 2
    ) ranked WHERE rank <= %(limit)s ORDER BY sum(times) OVER (PARTITION BY entity_type) DESC, entity_type, rank
"""
SAMPLE = """
    SELECT comment.id, profile.id, profile.pseudonym, subreddit.name, drawn.entity_type, drawn.score,
           substring(comment.body FROM greatest(start - %(around)s, 0) + 1 FOR least(start, %(around)s)),
           substring(comment.body FROM start + 1 FOR least("end" - start, %(longest)s)),
           substring(comment.body FROM "end" + 1 FOR %(around)s)
    FROM (
        SELECT detection.* FROM unnest(%(firsts)s::bigint[], %(lasts)s::bigint[]) AS part(first, last)
        JOIN profiles_detection detection
            ON detection.comment_id BETWEEN part.first AND part.last AND detection.run_id = %(run)s
        ORDER BY hashint8extended(detection.id, %(seed)s), detection.id LIMIT %(limit)s
    ) drawn
    JOIN profiles_comment comment ON comment.id = drawn.comment_id
    JOIN profiles_profile profile ON profile.id = comment.profile_id
    JOIN profiles_subreddit subreddit ON subreddit.id = comment.subreddit_id
    ORDER BY hashint8extended(drawn.id, %(seed)s), drawn.id
"""
ANALYSED_BY_BOTH = """
    SELECT max(id) FILTER (WHERE rank <= %(limit)s), least(count(*), %(limit)s), count(*) > %(limit)s
    FROM (
        SELECT comment.id, row_number() OVER (ORDER BY comment.id) AS rank
        FROM unnest(%(firsts)s::bigint[], %(lasts)s::bigint[]) AS part(first, last)
        JOIN profiles_comment comment ON comment.id BETWEEN part.first AND part.last
        JOIN profiles_profile profile ON profile.id = comment.profile_id AND profile.corpus_id = %(corpus)s
        WHERE NOT EXISTS (
            SELECT FROM profiles_unanalysed unanalysed
            WHERE unanalysed.run_id IN (%(a)s, %(b)s) AND unanalysed.comment_id = comment.id
        )
        ORDER BY comment.id LIMIT %(limit)s + 1
    ) analysed
"""
MATCHES = """
    WITH matched AS MATERIALIZED (
        SELECT mine.id, mine.comment_id, mine.entity_type, mine.start, mine."end", mine.score,
               CASE WHEN theirs.same THEN 'both' WHEN theirs.span THEN 'type'
                    WHEN theirs.overlaps THEN 'overlap' ELSE 'only' END AS match
        FROM unnest(%(firsts)s::bigint[], %(lasts)s::bigint[]) AS part(first, last)
        JOIN profiles_detection mine ON mine.comment_id BETWEEN part.first AND part.last AND mine.run_id = %(run)s
        CROSS JOIN LATERAL (
            SELECT bool_or(other.start = mine.start AND other."end" = mine."end") AS span,
                   bool_or(other.start = mine.start AND other."end" = mine."end"
                           AND other.entity_type = mine.entity_type) AS same,
                   count(*) > 0 AS overlaps
            FROM profiles_detection other
            WHERE other.comment_id = mine.comment_id AND other.run_id = %(other)s
                AND other.start < mine."end" AND other."end" > mine.start
        ) theirs
        WHERE NOT EXISTS (
            SELECT FROM profiles_unanalysed unanalysed
            WHERE unanalysed.run_id IN (%(run)s, %(other)s) AND unanalysed.comment_id = mine.comment_id
        )
    ),
    counts AS (SELECT entity_type, match, count(*) AS times FROM matched GROUP BY 1, 2),
    drawn AS (
        SELECT * FROM matched WHERE match = 'only' ORDER BY hashint8extended(id, %(seed)s), id LIMIT %(excerpts)s
    ),
    strings AS (
        SELECT matched.entity_type, count(*) AS times,
               lower(substring(comment.body FROM start + 1 FOR least("end" - start, %(longest)s))) AS string,
               row_number() OVER (PARTITION BY matched.entity_type ORDER BY count(*) DESC,
                   lower(substring(comment.body FROM start + 1 FOR least("end" - start, %(longest)s)))) AS rank
        FROM matched JOIN profiles_comment comment ON comment.id = matched.comment_id
        WHERE match = 'only' GROUP BY 1, 3
    )
    SELECT
        (SELECT json_agg(json_build_array(entity_type, match, times)) FROM counts),
        (SELECT json_agg(json_build_array(
                comment.id, profile.id, profile.pseudonym, subreddit.name, drawn.entity_type, drawn.score,
                substring(comment.body FROM greatest(start - %(around)s, 0) + 1 FOR least(start, %(around)s)),
                substring(comment.body FROM start + 1 FOR least("end" - start, %(longest)s)),
                substring(comment.body FROM "end" + 1 FOR %(around)s)
            ) ORDER BY hashint8extended(drawn.id, %(seed)s), drawn.id)
         FROM drawn
         JOIN profiles_comment comment ON comment.id = drawn.comment_id
         JOIN profiles_profile profile ON profile.id = comment.profile_id
         JOIN profiles_subreddit subreddit ON subreddit.id = comment.subreddit_id),
        (SELECT json_agg(json_build_array(entity_type, string, times) ORDER BY entity_type, rank)
         FROM strings WHERE rank <= %(strings)s)
"""
TRIAL_COMMENTS = """
    WITH drawn AS (
        SELECT id, pseudonym FROM profiles_profile WHERE corpus_id = %(corpus)s
        ORDER BY hashint8extended(id, %(seed)s), id LIMIT %(limit)s
    )
    SELECT comment.id, drawn.id, drawn.pseudonym, subreddit.name, comment.body
    FROM drawn
    CROSS JOIN LATERAL (
        SELECT own.id, own.subreddit_id, own.body FROM profiles_comment own WHERE own.profile_id = drawn.id
        ORDER BY hashint8extended(own.id, %(seed)s), own.id
        LIMIT (SELECT ceil(%(limit)s::numeric / count(*)) FROM drawn)
    ) comment
    JOIN profiles_subreddit subreddit ON subreddit.id = comment.subreddit_id
    ORDER BY hashint8extended(comment.id, %(seed)s), comment.id LIMIT %(limit)s
"""
