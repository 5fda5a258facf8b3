"""What people choose for a new run."""

from typing import Any

from django import forms

from annotator.core.uploads import DumpUploadHandler
from evaluation.inference.forms.attack import SYSTEMS, AttackForm
from evaluation.inference.plans import InferencePlan
from evaluation.inference.prompt_store import prompt_named
from evaluation.inference.readers.vocabulary import Format
from evaluation.inference.settings import (
    HIGHEST,
    MIN_CERTAINTY,
    MIN_HARDNESS,
    MissingPolicy,
    Settings,
)
from evaluation.llm.budget import OTHER_CURRENCY, Limit
from evaluation.llm.forms import EndpointField
from evaluation.llm.stored_endpoints import prices_of
from evaluation.models import ModelEndpoint
from evaluation.runs.forms import UploadedFilesField
from evaluation.runs.systems import System, SystemKind

FILE = (SystemKind.FILE, "A file with predictions and labels")
FILE_REQUIRED = "Upload a file with predictions."
NO_JUDGE_PRICES = "The judge’s endpoint has no prices. Enter them on its page, or limit the tokens."
MISSING = [
    (MissingPolicy.COUNT, "They count as wrong"),
    (MissingPolicy.SKIP, "They are not scored, as in the original study"),
]


class PredictionUploadHandler(DumpUploadHandler):
    fields = frozenset({"predictions"})


def _rating(label: str, initial: int, least: int) -> forms.IntegerField:
    return forms.IntegerField(label=label, min_value=least, max_value=HIGHEST, initial=initial)


class InferenceForm(AttackForm):
    system = forms.TypedChoiceField(
        coerce=SystemKind, choices=[*SYSTEMS, FILE], initial=SystemKind.ENDPOINT, widget=forms.RadioSelect
    )
    predictions = UploadedFilesField(
        label="File with predictions", required=False, help_text="JSON lines in the format of llmprivacy or SynthPAI."
    )
    model = forms.CharField(
        label="Model in the file", max_length=200, required=False, help_text="Required if the file has several models."
    )
    reviewer = forms.CharField(
        label="Reviewer", max_length=200, required=False, help_text="Required if the file has several reviewers."
    )
    file_format = forms.ChoiceField(
        label="File format", required=False,
        choices=[("", "Detect automatically"), *((form.value, form.value) for form in Format)],
    )  # fmt: skip
    judge = EndpointField(
        ModelEndpoint.objects.none(), required=False, empty_label="No judge",
        help_text="A second model that reviews place and occupation guesses that the rules mark wrong.",
    )  # fmt: skip
    budget_tokens = forms.IntegerField(
        label="Token budget",
        min_value=1,
        max_value=10**12,
        required=False,
        help_text="For answers and judge together. Leave empty for no limit.",
    )
    min_hardness = _rating("Hardness from", MIN_HARDNESS, 1)
    max_hardness = _rating("to", HIGHEST, 1)
    min_certainty = _rating("Certainty from", MIN_CERTAINTY, 0)
    max_certainty = _rating("to", HIGHEST, 0)
    missing = forms.ChoiceField(label="Profiles without an answer", choices=MISSING, initial=MissingPolicy.COUNT)
    name = forms.CharField(max_length=200, required=False, help_text="Leave empty to use the system and the corpus.")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["judge"].queryset = ModelEndpoint.objects.usable()  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        values = super().clean() or self.cleaned_data
        system = values.get("system")
        if system == SystemKind.FILE:
            self.require("predictions", FILE_REQUIRED)
        elif system is not None:
            self.check_scope()
        self.check_system()
        if system in (SystemKind.ENDPOINT, SystemKind.BASELINE):
            self.check_endpoint("judge", NO_JUDGE_PRICES)
            self._check_currencies(values)
        self._check_scoring(values)
        return values

    def _check_currencies(self, values: dict[str, Any]) -> None:
        """A limit in money is shared by the answers and the judge."""
        rows = [values.get("endpoint") if values["system"] == SystemKind.ENDPOINT else None, values.get("judge")]
        prices = [prices_of(row) for row in rows if row]
        if values.get("budget_money") is not None and len({price.currency for price in prices if price}) > 1:
            self.add_error("budget_money", OTHER_CURRENCY)

    def _check_scoring(self, values: dict[str, Any]) -> None:
        names = ("min_hardness", "max_hardness", "min_certainty", "max_certainty", "bootstrap", "seed", "missing")
        if set(names) & set(self.errors):
            return
        try:
            values["scoring"] = Settings(**{name: values[name] for name in names[:-1]} | _missing(values["missing"]))
        except ValueError as refusal:
            name = "min_hardness" if values["min_hardness"] > values["max_hardness"] else "min_certainty"
            self.add_error(name, str(refusal))

    def plan(self) -> InferencePlan:
        """Of a model or a baseline. A file has to be read first: `file_plan`."""
        values = self.cleaned_data
        limit, judge = Limit(values["budget_tokens"], values["budget_money"]), values["judge"]
        if not self.is_asked:
            limit = limit if judge else Limit()
            return InferencePlan(
                self.chosen_system(), values["scoring"], self.scope(), limit=limit, name=values["name"], judge=judge
            )
        return InferencePlan(
            self.chosen_system(), values["scoring"], self.scope(), self.question(),
            prompt_named(values["prompt"]), limit, values["name"], judge,
        )  # fmt: skip

    def file_plan(self, system: System) -> InferencePlan:
        return InferencePlan(system, self.cleaned_data["scoring"], name=self.cleaned_data["name"])


def _missing(value: str) -> dict[str, Any]:
    return {"missing": MissingPolicy(value)}
