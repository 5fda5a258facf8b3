"""Keep the texts that defences made, without those of profiles that were taken down meanwhile."""

from collections.abc import Iterator, Mapping

from evaluation.defences.study_texts import Texts
from evaluation.llm.attempts import lock_profiles
from evaluation.models import DefendedText, EvaluationRun
from evaluation.runs.results import storable

BATCH_SIZE = 1_000

Changed = Mapping[str, Mapping[int, str]]  # by defence, then by comment


def store_texts(run: EvaluationRun, texts: Texts, changed: Changed) -> None:
    """Called in the transaction that finishes the run. The lock makes a later takedown wait and see them."""
    present = lock_profiles(set(texts))
    rows = _rows(run, {profile: texts[profile] for profile in texts if profile in present}, changed)
    DefendedText.objects.bulk_create(rows, batch_size=BATCH_SIZE)


def _rows(run: EvaluationRun, texts: Texts, changed: Changed) -> Iterator[DefendedText]:
    for defence, bodies in changed.items():
        for profile, members in texts.items():
            for text in members:
                if text.id in bodies:
                    body = storable(bodies[text.id])
                    yield DefendedText(run=run, defence=defence, profile_id=profile, comment_id=text.id, body=body)
