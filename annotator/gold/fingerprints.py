"""Which profiles need a build: those whose fingerprint differs from the one that their gold was built from.

A fingerprint covers everything that a build reads, so an incremental build ends where a full one would. It is a sum
of hashes, because a sum needs no sorting.
"""

from collections.abc import Iterable

from django.db import connection

from annotator.core.sql import named_sql
from annotator.gold.consensus import RULE
from annotator.models import Assignment
from profiles.models import Corpus

# Times are hashed as numbers, because their text depends on the session. A decision about two answers matters only
# where a profile has both, so looking for the first is enough.
CURRENT = """
    WITH counted AS MATERIALIZED ({counted}), judged AS (
        SELECT counted.profile_id, count(*) AS judgements, sum(hashtextextended(concat_ws(' ',
            judgement.id, counted.annotator_id, counted.batch_id, batch.guideline_id, judgement.attribute,
            judgement.hardness, judgement.certainty, judgement.required_subreddit,
            extract(epoch FROM judgement.judged_at), judgement.value), 0)) AS total
        FROM counted JOIN annotator_batch batch ON batch.id = counted.batch_id
        JOIN annotator_judgement judgement ON judgement.assignment_id = counted.id
        GROUP BY 1
    ), quoted AS (
        SELECT counted.profile_id, sum(hashtextextended(concat_ws(' ',
            judgement.id, evidence.comment_id, evidence.start, evidence."end", evidence.text), 0)) AS total
        FROM counted JOIN annotator_judgement judgement ON judgement.assignment_id = counted.id
        JOIN annotator_evidence evidence ON evidence.judgement_id = judgement.id
        GROUP BY 1
    ), decided AS (
        SELECT counted.profile_id, sum(hashtextextended(concat_ws(' ',
            judgement.id, meaning.is_same, meaning.other), 0)) AS total
        FROM annotator_samemeaning meaning
        JOIN annotator_judgement judgement ON judgement.attribute = meaning.attribute AND judgement.value = meaning.one
        JOIN counted ON counted.id = judgement.assignment_id
        GROUP BY 1
    )
    SELECT profile_id, md5(concat_ws(' ', %(rule)s::text, judgements, judged.total, coalesce(quoted.total, 0),
                                     coalesce(decided.total, 0))) AS fingerprint
    FROM judged LEFT JOIN quoted USING (profile_id) LEFT JOIN decided USING (profile_id)
"""
COMPARED = """
    SELECT profile_id, current.fingerprint
    FROM ({current}) current FULL JOIN (
        SELECT built.profile_id, built.fingerprint
        FROM annotator_builtgold built JOIN profiles_profile profile ON profile.id = built.profile_id
        WHERE profile.corpus_id = %(corpus)s AND (%(profiles)s::bigint[] IS NULL OR profile.id = ANY(%(profiles)s))
    ) built USING (profile_id)
    WHERE %(everything)s OR current.fingerprint IS DISTINCT FROM built.fingerprint
    ORDER BY profile_id
"""

Fingerprints = dict[int, str | None]  # by profile; None where no judgement counts any more


def profiles_to_build(corpus: Corpus, *, among: Iterable[int] | None = None, everything: bool = False) -> Fingerprints:
    """Profiles whose gold is not built from their current judgements, or all that have any. 1 query."""
    counted = Assignment.objects.counted_in(corpus)
    profiles = None if among is None else list(among)
    if profiles is not None:
        counted = counted.filter(profile__in=profiles)
    rule, more = named_sql(counted.values("id", "profile_id", "annotator_id", "batch_id"))
    values = more | {"rule": RULE, "corpus": corpus.pk, "profiles": profiles, "everything": everything}
    with connection.cursor() as cursor:
        cursor.execute(COMPARED.format(current=CURRENT.format(counted=rule)), values)
        return dict(cursor.fetchall())
