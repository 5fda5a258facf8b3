"""What to score: a finished detection run, all of its corpus or one batch, gold or all judgements."""

from typing import Any

from django import forms

from annotator.models import Batch
from evaluation.spans.evidence.scopes import Scope, Source, finished_runs
from profiles.models import Corpus, DetectionRun

OTHER_CORPUS = "This batch belongs to another corpus."


class _RunField(forms.ModelChoiceField):  # type: ignore[type-arg]  # generic for the type checker only
    def label_from_instance(self, run: Any) -> str:
        return f"{run.corpus.name}: {run.recipe.name}"


class _BatchField(forms.ModelChoiceField):  # type: ignore[type-arg]  # generic for the type checker only
    def label_from_instance(self, batch: Any) -> str:
        return f"{batch.corpus.name}: {batch.name}"


class EvidenceForm(forms.Form):
    detection_run = _RunField(
        DetectionRun.objects.none(),
        label="Corpus and recipe",
        empty_label=None,
        help_text="Detection runs that have finished.",
    )
    batch = _BatchField(Batch.objects.none(), required=False, empty_label="All batches")
    source = forms.TypedChoiceField(
        label="Evidence",
        coerce=Source,
        initial=Source.GOLD,
        choices=[
            (Source.GOLD.value, "Of gold records: spans marked by evaluators whose answer became gold"),
            (Source.JUDGEMENTS.value, "Of all judgements that count: a span counts for each evaluator who marked it"),
        ],
        widget=forms.RadioSelect,
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        corpora = Corpus.objects.ready()
        runs = finished_runs().filter(corpus__in=corpora).order_by("corpus__name", "-pk")
        batches = Batch.objects.filter(corpus__in=corpora, is_practice=False).select_related("corpus")
        self.fields["detection_run"].queryset = runs  # type: ignore[attr-defined]
        self.fields["batch"].queryset = batches.order_by("corpus__name", "name")  # type: ignore[attr-defined]

    @property
    def has_runs(self) -> bool:
        """Whether there is anything to choose. 1 query."""
        return bool(self.fields["detection_run"].queryset.exists())  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        run, batch = values.get("detection_run"), values.get("batch")
        if run and batch and run.corpus_id != batch.corpus_id:
            self.add_error("batch", OTHER_CORPUS)
        return values

    def scope(self) -> Scope:
        values = self.cleaned_data
        run = values["detection_run"]
        return Scope(run.corpus, run, values["batch"], values["source"])
