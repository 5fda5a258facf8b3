"""What people choose about an attack by inference: who is asked about whom, how, and what it may cost."""

from copy import copy
from decimal import Decimal
from typing import Any

from django import forms

from annotator.models import Batch
from evaluation.inference.baselines import BASELINES
from evaluation.inference.prompt_store import prompt_names
from evaluation.inference.prompted_answers import TITLES as PROMPTED_TITLES
from evaluation.inference.prompted_answers import Prompted
from evaluation.inference.prompts import CURRENT
from evaluation.inference.questions import QuestionSettings
from evaluation.inference.scopes import Scope
from evaluation.inference.settings import RESAMPLES, SEED
from evaluation.llm.endpoints import EndpointRefused
from evaluation.llm.forms import ENDPOINT_REQUIRED, NO_PRICES, EndpointField
from evaluation.llm.stored_endpoints import endpoint_of, prices_of
from evaluation.models import ModelEndpoint
from evaluation.runs.systems import System, SystemKind
from profiles.models import Corpus

DEFAULTS = QuestionSettings()
OTHER_CORPUS = "This batch belongs to another corpus."
CORPUS_REQUIRED = "Choose the corpus whose gold to use."
SYSTEMS = [
    (SystemKind.ENDPOINT, "A language model"),
    (SystemKind.BASELINE, "A baseline (no model needed)"),
]
PER_PROFILE, PER_ATTRIBUTE = "profile", "attribute"
ALL, LABELLED = "all", "labelled"


class _BatchField(forms.ModelChoiceField):  # type: ignore[type-arg]  # generic for the type checker only
    def label_from_instance(self, batch: Any) -> str:
        return f"{batch.corpus.name}: {batch.name}"


class AttackForm(forms.Form):
    """The fields that all runs with an attack by inference share."""

    system = forms.TypedChoiceField(
        coerce=SystemKind, choices=SYSTEMS, initial=SystemKind.ENDPOINT, widget=forms.RadioSelect
    )
    endpoint = EndpointField(
        ModelEndpoint.objects.none(), required=False, empty_label="Choose one", help_text="Admins set up endpoints."
    )
    baseline = forms.ChoiceField(
        choices=[(name, f"{name}: {description}") for name, description in BASELINES.items()], required=False
    )
    corpus = forms.ModelChoiceField(Corpus.objects.none(), required=False, empty_label="Choose one")
    batch = _BatchField(Batch.objects.none(), required=False, empty_label="All batches")
    prompted = forms.ChoiceField(
        label="Model-prompted answers", choices=list(PROMPTED_TITLES.items()), initial=Prompted.OTHERS, required=False,
        help_text="What people confirmed in a second look, after a model had claimed it.",
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
        label="Token budget", min_value=1, max_value=10**12, required=False, help_text="Leave empty for no limit."
    )
    budget_money = forms.DecimalField(
        label="Cost budget", min_value=Decimal("0.01"), max_digits=10, decimal_places=2, required=False,
        help_text="In the endpoint’s currency. The endpoint must have prices.",
    )  # fmt: skip
    bootstrap = forms.IntegerField(
        label="Bootstrap rounds", min_value=0, max_value=10_000, initial=RESAMPLES, help_text="0 for no intervals."
    )
    seed = forms.IntegerField(min_value=0, max_value=2**32 - 1, initial=SEED)
    checked = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        corpora = Corpus.objects.ready().order_by("name")
        batches = Batch.objects.filter(corpus__in=corpora, is_practice=False).select_related("corpus")
        self.fields["corpus"].queryset = corpora  # type: ignore[attr-defined]
        self.fields["batch"].queryset = batches.order_by("corpus__name", "name")  # type: ignore[attr-defined]
        self.fields["endpoint"].queryset = ModelEndpoint.objects.usable()  # type: ignore[attr-defined]
        self.fields["prompt"].choices = [(name, name) for name in prompt_names()]  # type: ignore[attr-defined]

    # ── What is refused ─────────────────────────────────────────────────────

    def check_scope(self) -> None:
        self.require("corpus", CORPUS_REQUIRED)
        corpus, batch = self.cleaned_data.get("corpus"), self.cleaned_data.get("batch")
        if corpus and batch and batch.corpus_id != corpus.pk:
            self.add_error("batch", OTHER_CORPUS)

    def check_system(self) -> None:
        if self.cleaned_data.get("system") == SystemKind.ENDPOINT:
            self.require("endpoint", ENDPOINT_REQUIRED)
            self.check_endpoint("endpoint", NO_PRICES)

    def require(self, name: str, sentence: str) -> None:
        if name not in self.errors and not self.cleaned_data.get(name):
            self.add_error(name, sentence)

    def check_endpoint(self, name: str, no_prices: str) -> None:
        row = self.cleaned_data.get(name)
        if row is None:
            return
        try:
            endpoint_of(row)
        except EndpointRefused as refusal:
            self.add_error(name, str(refusal))
        if self.cleaned_data.get("budget_money") is not None and prices_of(row) is None:
            self.add_error("budget_money", no_prices)

    # ── What it means ───────────────────────────────────────────────────────

    @property
    def is_asked(self) -> bool:
        return bool(self.cleaned_data["system"] == SystemKind.ENDPOINT)

    def remember(self, **values: str) -> None:
        """Put values into hidden fields of the form that is shown again, such as the digest of a checked plan."""
        contents: Any = copy(self.data)  # the request's own can't be changed
        for name, value in values.items():
            contents[name] = value
        self.data = contents

    def chosen_system(self) -> System:
        if self.is_asked:
            return System.stored(self.cleaned_data["endpoint"])
        return System.baseline(self.cleaned_data["baseline"] or next(iter(BASELINES)))

    def scope(self) -> Scope:
        values = self.cleaned_data
        prompted = Prompted(values["prompted"] or Prompted.OTHERS)
        return Scope(values["corpus"], values["batch"], prompted=prompted, system=self.chosen_system().title)

    def question(self) -> QuestionSettings:
        values = self.cleaned_data
        return QuestionSettings(
            prompt=values["prompt"], has_subreddits=values["has_subreddits"],
            only_labelled=values["asked_about"] == LABELLED, profile_tokens=values["profile_tokens"],
            max_tokens=values["max_tokens"], temperature=values["temperature"],
            per_attribute=values["request_per"] == PER_ATTRIBUTE,
        )  # fmt: skip
