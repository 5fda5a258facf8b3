"""The form for a new evaluation."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django import forms

from annotator.core.uploads import MAX_OTHER_BYTES, DumpUploadHandler
from evaluation.models import EvaluationInput
from evaluation.runs.forms import UploadedFilesField
from evaluation.runs.storage import path_of
from evaluation.spans.alignment import MissingPolicy
from evaluation.spans.label_files import PRESETS, UnreadableScheme, parse_scheme
from evaluation.spans.labels import IgnorePolicy
from evaluation.spans.settings import RESAMPLES, SEED, THRESHOLD
from profiles.detection.spacy_models import installed_models

MAX_SYSTEMS = 8
PRESIDIO, FILES = "presidio", "files"
GOLD_REQUIRED = "Upload a gold file, or choose an earlier one."
GOLD_TWICE = "Either upload a gold file or choose an earlier one, not both."
GOLD_GONE = "This file is no longer on the server. Upload it again."
PREDICTIONS_REQUIRED = "Upload the output of a system, or let Presidio run here."
PREDICTIONS_UNUSED = "Presidio runs here, so these files would not be used. Choose “Uploaded predictions”."
SCHEME_TOO_LARGE = "This file is too large to be a label file. Check that it is the right one."
SYSTEMS = [(PRESIDIO, "Presidio, run here over the texts of the gold file"), (FILES, "Uploaded predictions")]
PRESET_HELP = {
    "identity": "labels as they are",
    "echr-study": "Presidio’s labels to TAB’s; ORG, CODE, QUANTITY and MISC not scored",
    "echr-study-phase1": "the same, as in the study’s first script",
    "presidio-evaluator": "the hierarchy of presidio-evaluator",
}
IGNORE = [
    (IgnorePolicy.SYMMETRIC, "They never count: predictions inside them are dropped"),
    (IgnorePolicy.STUDY, "They count if they are found (the ECHR study’s rule)"),
    (IgnorePolicy.NONE, "All types are scored"),
]
MISSING = [
    (MissingPolicy.COUNT, "All their spans are missed"),
    (MissingPolicy.SKIP, "They are not scored"),
]


class SpanUploadHandler(DumpUploadHandler):
    fields = frozenset({"gold", "predictions"})


class EvaluationForm(forms.Form):
    name = forms.CharField(max_length=200, required=False, help_text="Leave empty to use the system and the gold file.")
    gold = UploadedFilesField(label="Upload a gold file", required=False)
    earlier_gold = forms.TypedChoiceField(label="Or an earlier one", required=False, coerce=int, empty_value=None)
    system = forms.ChoiceField(choices=SYSTEMS, initial=PRESIDIO, widget=forms.RadioSelect)
    predictions = UploadedFilesField(
        label="Predictions", required=False, at_most=MAX_SYSTEMS,
        help_text="The first file is the system; others are compared with it.",
    )  # fmt: skip
    model = forms.ChoiceField(required=False)
    entities = forms.CharField(
        max_length=1000, required=False, help_text="“all”, “mapped” (what the scheme knows), or names with commas.",
        initial="mapped",
    )  # fmt: skip
    score_threshold = forms.FloatField(
        label="Minimum score",
        min_value=0,
        max_value=1,
        initial=0,
        required=False,
        help_text="Detections below it are dropped.",
    )
    scheme = forms.ChoiceField(
        label="Label scheme", choices=[(name, f"{name}: {PRESET_HELP.get(name, 'preset')}") for name in PRESETS],
        initial="echr-study",
    )  # fmt: skip
    scheme_file = forms.FileField(
        label="Or your own scheme", required=False, help_text="TOML or JSON; replaces the choice above."
    )
    threshold = forms.FloatField(
        label="Overlap threshold",
        min_value=0.01,
        max_value=1,
        initial=THRESHOLD,
        help_text="Minimum overlap (IoU) for a match.",
    )
    ignore = forms.ChoiceField(label="Types that are not scored", choices=IGNORE, initial=IgnorePolicy.SYMMETRIC)
    missing = forms.ChoiceField(label="Documents without predictions", choices=MISSING, initial=MissingPolicy.COUNT)
    bootstrap = forms.IntegerField(
        label="Bootstrap rounds", min_value=0, max_value=10_000, initial=RESAMPLES, help_text="0 for no intervals."
    )
    seed = forms.IntegerField(min_value=0, max_value=2**32 - 1, initial=SEED)

    def __init__(self, *args: Any, earlier: Sequence[tuple[int, str]] = (), **kwargs: Any) -> None:
        """`earlier` are the gold files to choose from, by the number of their input."""
        super().__init__(*args, **kwargs)
        self.fields["earlier_gold"].choices = [("", "None"), *earlier]  # type: ignore[attr-defined]
        models = [(model.name, f"{model.name} {model.version}") for model in installed_models()]
        self.fields["model"].choices = [("", "The best one for English"), *models]  # type: ignore[attr-defined]

    def clean_scheme_file(self) -> str:
        """The text of the scheme, which is checked here."""
        file = self.cleaned_data["scheme_file"]
        if not file:
            return ""
        if file.size > MAX_OTHER_BYTES // 10:
            raise forms.ValidationError(SCHEME_TOO_LARGE)
        try:
            text: str = file.read().decode("utf-8-sig")
            parse_scheme(text, name=Path(file.name).stem)
        except UnicodeDecodeError as error:
            raise forms.ValidationError("The label file isn't UTF-8. Save it as UTF-8.") from error
        except UnreadableScheme as error:
            raise forms.ValidationError(str(error)) from error
        return text

    def clean_earlier_gold(self) -> EvaluationInput | None:
        stored = EvaluationInput.objects.filter(pk=self.cleaned_data["earlier_gold"]).first()
        if stored and not path_of(stored).exists():
            raise forms.ValidationError(GOLD_GONE)
        return stored

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("gold") and cleaned.get("earlier_gold"):
            self.add_error("gold", GOLD_TWICE)
        elif not {"gold", "earlier_gold"} & set(self.errors) and not (cleaned.get("gold") or cleaned["earlier_gold"]):
            self.add_error("gold", GOLD_REQUIRED)
        if "predictions" not in self.errors and "system" not in self.errors:
            self._check_system(cleaned)
        return cleaned

    def _check_system(self, cleaned: dict[str, Any]) -> None:
        if cleaned["system"] == FILES and not cleaned["predictions"]:
            self.add_error("predictions", PREDICTIONS_REQUIRED)
        if cleaned["system"] == PRESIDIO and cleaned["predictions"]:
            self.add_error("predictions", PREDICTIONS_UNUSED)

    def settings(self) -> dict[str, Any]:
        """What the run needs beside its files."""
        data = self.cleaned_data
        return {name: data[name] for name in ("scheme", "threshold", "ignore", "missing", "bootstrap", "seed")} | {
            "system": self._system()
        }

    def _system(self) -> dict[str, Any]:
        data = self.cleaned_data
        if data["system"] == FILES:
            return {"kind": FILES}
        return {
            "kind": PRESIDIO, "model": data["model"], "entities": data["entities"].strip() or "all",
            "threshold": data["score_threshold"] or 0.0,
        }  # fmt: skip
