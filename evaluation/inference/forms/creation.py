"""What people choose for a new run."""

from decimal import Decimal
from typing import Any

from django import forms

from annotator.core.uploads import DumpUploadHandler
from annotator.models import Batch
from evaluation.inference.baselines import BASELINES
from evaluation.inference.plans import InferencePlan
from evaluation.inference.prompt_store import prompt_named, prompt_names
from evaluation.inference.prompts import CURRENT
from evaluation.inference.questions import QuestionSettings
from evaluation.inference.readers.vocabulary import Format
from evaluation.inference.scopes import Scope
from evaluation.inference.settings import (
    HIGHEST,
    MIN_CERTAINTY,
    MIN_HARDNESS,
    RESAMPLES,
    SEED,
    MissingPolicy,
    Settings,
)
from evaluation.llm.budget import OTHER_CURRENCY, Limit
from evaluation.llm.endpoints import EndpointRefused
from evaluation.llm.forms import ENDPOINT_REQUIRED, NO_PRICES, EndpointField
from evaluation.llm.stored_endpoints import endpoint_of, prices_of
from evaluation.models import ModelEndpoint
from evaluation.runs.forms import UploadedFilesField
from evaluation.runs.systems import System, SystemKind
from profiles.models import Corpus

DEFAULTS = QuestionSettings()
OTHER_CORPUS = "This batch belongs to another corpus."
CORPUS_REQUIRED = "Choose the corpus whose gold to use."
FILE_REQUIRED = "Upload a file with predictions."
NO_JUDGE_PRICES = "The judge’s endpoint has no prices. Enter them on its page, or limit the tokens."
SYSTEMS = [
    (SystemKind.ENDPOINT, "A language model"),
    (SystemKind.BASELINE, "A baseline (no model needed)"),
    (SystemKind.FILE, "A file with predictions and labels"),
]
PER_PROFILE, PER_ATTRIBUTE = "profile", "attribute"
ALL, LABELLED = "all", "labelled"
MISSING = [
    (MissingPolicy.COUNT, "They count as wrong"),
    (MissingPolicy.SKIP, "They are not scored, as in the original study"),
]


class PredictionUploadHandler(DumpUploadHandler):
    fields = frozenset({"predictions"})


class _BatchField(forms.ModelChoiceField):  # type: ignore[type-arg]  # generic for the type checker only
    def label_from_instance(self, batch: Any) -> str:
        return f"{batch.corpus.name}: {batch.name}"


def _rating(label: str, initial: int, least: int) -> forms.IntegerField:
    return forms.IntegerField(label=label, min_value=least, max_value=HIGHEST, initial=initial)


class InferenceForm(forms.Form):
    system = forms.TypedChoiceField(
        coerce=SystemKind, choices=SYSTEMS, initial=SystemKind.ENDPOINT, widget=forms.RadioSelect
    )
    endpoint = EndpointField(
        ModelEndpoint.objects.none(), required=False, empty_label="Choose one", help_text="Admins set up endpoints."
    )
    baseline = forms.ChoiceField(
        choices=[(name, f"{name}: {description}") for name, description in BASELINES.items()], required=False
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
    corpus = forms.ModelChoiceField(Corpus.objects.none(), required=False, empty_label="Choose one")
    batch = _BatchField(Batch.objects.none(), required=False, empty_label="All batches")
    judge = EndpointField(
        ModelEndpoint.objects.none(), required=False, empty_label="No judge",
        help_text="A second model that reviews place and occupation guesses that the rules mark wrong.",
    )  # fmt: skip
    prompt = forms.ChoiceField(initial=CURRENT)
    request_per = forms.ChoiceField(
        label="Requests", choices=[(PER_PROFILE, "One per profile"), (PER_ATTRIBUTE, "One per attribute")],
        initial=PER_PROFILE, help_text="One per attribute costs about eight times as much.",
    )  # fmt: skip
    asked_about = forms.ChoiceField(
        label="Ask about",
        choices=[(ALL, "All eight attributes"), (LABELLED, "Only attributes with a gold value")],
        initial=ALL,
        help_text="“All eight” also shows what a model “infers” where people could not tell.",
    )
    has_subreddits = forms.BooleanField(label="Tell the model the subreddit of each comment", required=False)
    profile_tokens = forms.IntegerField(
        label="Comment tokens", min_value=1, max_value=1_000_000, initial=DEFAULTS.profile_tokens,
        help_text="The most that is sent per profile. The report says how much was left out.",
    )  # fmt: skip
    max_tokens = forms.IntegerField(label="Answer tokens", min_value=1, max_value=100_000, initial=DEFAULTS.max_tokens)
    temperature = forms.FloatField(min_value=0, max_value=2, initial=DEFAULTS.temperature)
    budget_tokens = forms.IntegerField(
        label="Token budget",
        min_value=1,
        max_value=10**12,
        required=False,
        help_text="For answers and judge together. Leave empty for no limit.",
    )
    budget_money = forms.DecimalField(
        label="Cost budget", min_value=Decimal("0.01"), max_digits=10, decimal_places=2, required=False,
        help_text="In the endpoint’s currency. The endpoint must have prices.",
    )  # fmt: skip
    min_hardness = _rating("Hardness from", MIN_HARDNESS, 1)
    max_hardness = _rating("to", HIGHEST, 1)
    min_certainty = _rating("Certainty from", MIN_CERTAINTY, 0)
    max_certainty = _rating("to", HIGHEST, 0)
    missing = forms.ChoiceField(label="Profiles without an answer", choices=MISSING, initial=MissingPolicy.COUNT)
    bootstrap = forms.IntegerField(
        label="Bootstrap rounds", min_value=0, max_value=10_000, initial=RESAMPLES, help_text="0 for no intervals."
    )
    seed = forms.IntegerField(min_value=0, max_value=2**32 - 1, initial=SEED)
    name = forms.CharField(max_length=200, required=False, help_text="Leave empty to use the system and the corpus.")
    checked = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        corpora = Corpus.objects.ready().order_by("name")
        batches = Batch.objects.filter(corpus__in=corpora, is_practice=False).select_related("corpus")
        self.fields["corpus"].queryset = corpora  # type: ignore[attr-defined]
        self.fields["batch"].queryset = batches.order_by("corpus__name", "name")  # type: ignore[attr-defined]
        for name in ("endpoint", "judge"):
            self.fields[name].queryset = ModelEndpoint.objects.usable()  # type: ignore[attr-defined]
        self.fields["prompt"].choices = [(name, name) for name in prompt_names()]  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        values = super().clean() or self.cleaned_data
        system = values.get("system")
        if system == SystemKind.FILE:
            self._require("predictions", FILE_REQUIRED)
        elif system is not None:
            self._require("corpus", CORPUS_REQUIRED)
            self._check_batch(values)
        if system == SystemKind.ENDPOINT:
            self._require("endpoint", ENDPOINT_REQUIRED)
            self._check_endpoint("endpoint", values.get("budget_money"), NO_PRICES)
        if system in (SystemKind.ENDPOINT, SystemKind.BASELINE):
            self._check_endpoint("judge", values.get("budget_money"), NO_JUDGE_PRICES)
            self._check_currencies(values)
        self._check_scoring(values)
        return values

    def _require(self, name: str, sentence: str) -> None:
        if name not in self.errors and not self.cleaned_data.get(name):
            self.add_error(name, sentence)

    def _check_batch(self, values: dict[str, Any]) -> None:
        corpus, batch = values.get("corpus"), values.get("batch")
        if corpus and batch and batch.corpus_id != corpus.pk:
            self.add_error("batch", OTHER_CORPUS)

    def _check_endpoint(self, name: str, money: Decimal | None, no_prices: str) -> None:
        row = self.cleaned_data.get(name)
        if row is None:
            return
        try:
            endpoint_of(row)
        except EndpointRefused as refusal:
            self.add_error(name, str(refusal))
        if money is not None and prices_of(row) is None:
            self.add_error("budget_money", no_prices)

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

    @property
    def is_asked(self) -> bool:
        return bool(self.cleaned_data["system"] == SystemKind.ENDPOINT)

    def remember_check(self, plan: InferencePlan) -> None:
        """Put the digest of a plan into the form that is shown again: sent back with it, the run starts."""
        self.data = {**{name: self.data[name] for name in self.data}, "checked": plan.digest}

    def plan(self) -> InferencePlan:
        """Of a model or a baseline. A file has to be read first: `file_plan`."""
        values = self.cleaned_data
        scope, judge = Scope(values["corpus"], values["batch"]), values["judge"]
        limit = Limit(values["budget_tokens"], values["budget_money"])
        if not self.is_asked:
            system = System.baseline(values["baseline"] or next(iter(BASELINES)))
            limit = limit if judge else Limit()
            return InferencePlan(system, values["scoring"], scope, limit=limit, name=values["name"], judge=judge)
        return InferencePlan(
            System.stored(values["endpoint"]), values["scoring"], scope, self._question(),
            prompt_named(values["prompt"]), limit, values["name"], judge,
        )  # fmt: skip

    def file_plan(self, system: System) -> InferencePlan:
        return InferencePlan(system, self.cleaned_data["scoring"], name=self.cleaned_data["name"])

    def _question(self) -> QuestionSettings:
        values = self.cleaned_data
        return QuestionSettings(
            prompt=values["prompt"], has_subreddits=values["has_subreddits"],
            only_labelled=values["asked_about"] == LABELLED, profile_tokens=values["profile_tokens"],
            max_tokens=values["max_tokens"], temperature=values["temperature"],
            per_attribute=values["request_per"] == PER_ATTRIBUTE,
        )  # fmt: skip


def _missing(value: str) -> dict[str, Any]:
    return {"missing": MissingPolicy(value)}
