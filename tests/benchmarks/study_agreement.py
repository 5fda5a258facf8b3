"""How long agreement takes: reading the judgements that count, and measuring agreement with all resamples."""

import time
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Measured:
    judgements: int
    profiles: int
    people: int
    reading: float  # seconds, one COPY into arrays
    whole: float  # seconds, reading included: what a worker needs for a report


def measure(corpus_id: int) -> Measured:
    """Measure existing judgements; write nothing. Load the gazetteer before the clock starts, as in a warm worker."""
    from evaluation.agreement.judgements import counted_judgements
    from evaluation.agreement.reports import report_contents
    from evaluation.agreement.scopes import Scope, scope_state
    from profiles.gazetteer import warm
    from profiles.models import Corpus

    warm()
    scope = Scope(Corpus.objects.get(pk=corpus_id))
    began = time.perf_counter()
    counted_judgements(scope)
    read = time.perf_counter()
    contents = report_contents(scope, scope_state(scope).signature)
    whole = time.perf_counter() - read
    return Measured(contents["judgements"], contents["profiles"], contents["people"], read - began, whole)
