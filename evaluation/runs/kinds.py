"""What differs from one kind of run to the next, in one table.

The features stand above this package and import it, so they are named by dotted paths. That also keeps numpy, which
only measurements need, out of the processes that serve pages. A kind without an entry is still listed.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.utils.module_loading import import_string

from annotator.core.http import AnnotatorRequest
from evaluation.models import EvaluationKind, EvaluationRun
from evaluation.reports.comparison import ComparedTable
from evaluation.runs.results import Measurement

Tell = Callable[[int, int], None]
Measure = Callable[[EvaluationRun, Tell], Measurement]
Page = Callable[[AnnotatorRequest, EvaluationRun], HttpResponse]
Render = Callable[[EvaluationRun], str]
Add = Callable[[EvaluationRun], dict[str, Any]]
Compare = Callable[[EvaluationRun, EvaluationRun], Sequence[ComparedTable]]


@dataclass(frozen=True, slots=True)
class Kind:
    """The functions of a kind, as dotted paths.

    `measure` takes the run and `tell`, which takes the progress and raises JobLost once somebody cancelled the run.
    `page` shows the report of a finished run, and `html` renders it as one file. `comparison` has what two runs of
    this kind add to the page that compares them; it may be empty. `additions` has what belongs beside the stored report
    in its JSON, because it came later. A kind that `goes_on` keeps what it has paid for:
    a killed run is taken up again, and one that stopped can go on.
    """

    measure: str
    page: str
    html: str
    comparison: str = ""
    additions: str = ""
    unit: str = "documents"  # of the progress
    goes_on: bool = False

    def load_measure(self) -> Measure:
        function: Measure = import_string(self.measure)
        return function

    def load_page(self) -> Page:
        function: Page = import_string(self.page)
        return function

    def load_html(self) -> Render:
        function: Render = import_string(self.html)
        return function

    def load_additions(self) -> Add | None:
        function: Add | None = import_string(self.additions) if self.additions else None
        return function

    def load_comparison(self) -> Compare | None:
        function: Compare | None = import_string(self.comparison) if self.comparison else None
        return function


KINDS: dict[str, Kind] = {
    EvaluationKind.SPANS: Kind(
        measure="evaluation.spans.measurement.measure_spans",
        page="evaluation.spans.views.reports.span_report",
        html="evaluation.spans.views.reports.span_html",
    ),
    EvaluationKind.EVIDENCE: Kind(
        measure="evaluation.spans.evidence.measurement.measure_run",
        page="evaluation.spans.views.evidence.evidence_report",
        html="evaluation.spans.views.evidence.evidence_html",
    ),
    EvaluationKind.INFERENCE: Kind(
        measure="evaluation.defences.defended_inference.measure_inference",
        page="evaluation.inference.views.reports.inference_report",
        html="evaluation.inference.views.reports.inference_html",
        comparison="evaluation.inference.run_comparison.compare_runs",
        additions="evaluation.inference.views.reports.inference_additions",
        unit="profiles",
        goes_on=True,
    ),
    EvaluationKind.PROBE: Kind(
        measure="evaluation.probes.measurement.measure_probe",
        page="evaluation.probes.views.reports.probe_report",
        html="evaluation.probes.views.reports.probe_html",
        comparison="evaluation.probes.run_comparison.compare_runs",
        unit="answers",
        goes_on=True,
    ),
    EvaluationKind.DEFENCE: Kind(
        measure="evaluation.defences.measurement.measure_defences",
        page="evaluation.defences.views.reports.defence_report",
        html="evaluation.defences.views.reports.defence_html",
        comparison="evaluation.defences.run_comparison.compare_runs",
        unit="answers",
        goes_on=True,
    ),
}
