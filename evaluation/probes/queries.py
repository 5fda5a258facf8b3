"""Files of earlier probes, to choose from."""

from evaluation.models import EvaluationInput, EvaluationKind

MAX_CHOICES = 30


def earlier_files() -> dict[str, EvaluationInput]:
    """By SHA-256, each once, newest first. 1 query."""
    rows = EvaluationInput.objects.filter(run__kind=EvaluationKind.PROBE).select_related("run").order_by("-pk")
    newest: dict[str, EvaluationInput] = {}
    for row in rows.defer("run__report")[: 4 * MAX_CHOICES]:
        newest.setdefault(row.sha256, row)
    return dict(list(newest.items())[:MAX_CHOICES])
