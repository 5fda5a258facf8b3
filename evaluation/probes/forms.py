"""What people choose for a probe."""

from collections.abc import Mapping, Sequence
from copy import copy
from decimal import Decimal
from typing import Any

from django import forms

from annotator.core.uploads import DumpUploadHandler
from annotator.models import Annotator
from evaluation.llm.budget import Limit
from evaluation.llm.endpoints import EndpointRefused
from evaluation.llm.forms import ENDPOINT_REQUIRED, NO_PRICES, EndpointField
from evaluation.llm.stored_endpoints import endpoint_of, prices_of
from evaluation.models import EvaluationInput, ModelEndpoint
from evaluation.probes.detection import Mode
from evaluation.probes.dreaddit import GENDERBENCH, STUDY, load_template
from evaluation.probes.dreaddit.baselines import Baseline
from evaluation.probes.dreaddit.items import Duplicates
from evaluation.probes.plans import OWN, ProbePlan
from evaluation.probes.settings import RESAMPLES, ROUNDS, SEED, ProbeSettings
from evaluation.probes.templates import MAX_BYTES, Template, TemplateUnusable, parse_template
from evaluation.runs.forms import UploadedFilesField
from evaluation.runs.held_files import FilesLost, find_held
from evaluation.runs.storage import InputFile, path_of
from evaluation.runs.systems import System, SystemKind

MAX_FILES = 5
DEFAULTS = ProbeSettings()
FILES_REQUIRED = "Upload Dreaddit's CSV files, or choose earlier ones."
FILES_GONE = "“{name}” is no longer on the server. Upload it again."
HELD_LOST = "The files that you uploaded are no longer on the server. Upload them again."
TEXT_REQUIRED = "Write the template, with {gender} and {text} once each."
NO_REPEATS = "Log-probabilities are the same each time. Ask once, or choose another mode."
SYSTEMS = [
    (SystemKind.ENDPOINT, "A language model"),
    (SystemKind.BASELINE, "A baseline (no model needed)"),
]
BASELINES = [
    (Baseline.RANDOM, "random: yes or no at random"),
    (Baseline.ALWAYS_YES, "always-yes: “yes” to everything"),
    (Baseline.TFIDF, "tfidf: a small classifier, trained on train and measured on test"),
]
MODES = [
    (Mode.FREE, "Free text, as in the study"),
    (Mode.JSON, "JSON with a schema"),
    (Mode.GRAMMAR, "Only yes or no (llama.cpp grammar)"),
    (Mode.LOGPROBS, "First-token probabilities"),
]
TEMPLATES = [(STUDY, "The study’s template"), (GENDERBENCH, "With GenderBench’s punctuation"), (OWN, "Your own")]
DUPLICATES = [
    (Duplicates.KEEP, "Keep all rows, as GenderBench does"),
    (Duplicates.DROP_CONTRADICTORY, "Leave out texts with both labels"),
    (Duplicates.FIRST, "Keep the first row of each text"),
]


class ItemUploadHandler(DumpUploadHandler):
    fields = frozenset({"texts"})


def _title(row: EvaluationInput) -> str:
    return f"{row.name} ({row.sha256[:8]}, {row.run.requested_at:%d %b %Y})"


def _count(label: str, initial: int | None, least: int, most: int, **options: Any) -> forms.IntegerField:
    return forms.IntegerField(label=label, min_value=least, max_value=most, initial=initial, **options)


class ProbeForm(forms.Form):
    texts = UploadedFilesField(
        label="Upload Dreaddit’s CSV files", required=False, at_most=MAX_FILES,
        help_text="With the columns “text” and “label”. Upload test, train or both.",
    )  # fmt: skip
    earlier = forms.MultipleChoiceField(
        label="Or use files from earlier probes", required=False, widget=forms.CheckboxSelectMultiple
    )
    held = forms.CharField(required=False, widget=forms.HiddenInput)
    duplicates = forms.TypedChoiceField(
        label="Repeated texts", coerce=Duplicates, choices=DUPLICATES, initial=Duplicates.KEEP
    )
    sample = _count(
        "Texts to ask about", None, 1, 1_000_000, required=False, help_text="Drawn with the seed. Leave empty for all."
    )
    seed = _count("Seed", SEED, 0, 2**32 - 1)
    repetitions = _count("Repetitions", 1, 1, 100, help_text="How many times each prompt is asked.")
    system = forms.TypedChoiceField(
        coerce=SystemKind, choices=SYSTEMS, initial=SystemKind.ENDPOINT, widget=forms.RadioSelect
    )
    endpoint = EndpointField(
        ModelEndpoint.objects.none(), required=False, empty_label="Choose one", help_text="Admins set up endpoints."
    )
    baseline = forms.ChoiceField(choices=BASELINES, required=False)
    mode = forms.TypedChoiceField(label="Answers", coerce=Mode, choices=MODES, initial=Mode.FREE, required=False)
    template = forms.ChoiceField(choices=TEMPLATES, initial=STUDY, required=False)
    own_template = forms.CharField(
        label="Your template", required=False, max_length=MAX_BYTES // 4, widget=forms.Textarea({"rows": 8}),
        help_text="It must contain {gender} and {text} once each.",
    )  # fmt: skip
    has_control = forms.BooleanField(label="Also ask about each text without a gender", required=False)
    temperature = forms.FloatField(min_value=0, max_value=2, initial=DEFAULTS.temperature, required=False)
    max_tokens = _count("Answer tokens", DEFAULTS.max_tokens, 1, 100_000, required=False)
    budget_tokens = _count("Token budget", None, 1, 10**12, required=False, help_text="Leave empty for no limit.")
    budget_money = forms.DecimalField(
        label="Cost budget", min_value=Decimal("0.01"), max_digits=10, decimal_places=2, required=False,
        help_text="In the endpoint’s currency. The endpoint must have prices.",
    )  # fmt: skip
    bootstrap = _count("Bootstrap rounds", RESAMPLES, 0, 10_000, help_text="0 for no intervals.")
    rounds = _count("Permutations", ROUNDS, 1, 10_000)
    name = forms.CharField(max_length=200, required=False, help_text="Leave empty to use the system and the files.")
    checked = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(
        self, *args: Any, person: Annotator, earlier_files: Mapping[str, EvaluationInput], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.person, self.earlier_files = person, earlier_files
        choices = [(sha256, _title(row)) for sha256, row in earlier_files.items()]
        self.fields["earlier"].choices = choices  # type: ignore[attr-defined]
        self.fields["endpoint"].queryset = ModelEndpoint.objects.usable()  # type: ignore[attr-defined]
        self.held_files: list[InputFile] = []

    # ── What is refused ─────────────────────────────────────────────────────

    def clean_earlier(self) -> list[EvaluationInput]:
        rows = [self.earlier_files[sha256] for sha256 in self.cleaned_data["earlier"]]
        for row in rows:
            if not path_of(row).exists():
                raise forms.ValidationError(FILES_GONE.format(name=row.name))
        return rows

    def clean(self) -> dict[str, Any]:
        values = super().clean() or self.cleaned_data
        self._check_files(values)
        if values.get("system") == SystemKind.ENDPOINT:
            self._check_endpoint(values)
            self._check_template(values)
            if values.get("mode") is Mode.LOGPROBS and values.get("repetitions", 1) > 1:
                self.add_error("repetitions", NO_REPEATS)
        return values

    def _check_files(self, values: Mapping[str, Any]) -> None:
        """Files that were uploaded before the dry run count until others are uploaded."""
        if {"texts", "earlier", "held"} & set(self.errors):
            return
        if values["held"] and not values["texts"]:
            try:
                self.held_files = find_held(values["held"], self.person)
            except FilesLost:
                self.add_error("texts", HELD_LOST)
                return
        if not values["texts"] and not values["earlier"] and not self.held_files:
            self.add_error("texts", FILES_REQUIRED)

    def _check_endpoint(self, values: Mapping[str, Any]) -> None:
        row = values.get("endpoint")
        if row is None:
            if "endpoint" not in self.errors:
                self.add_error("endpoint", ENDPOINT_REQUIRED)
            return
        try:
            endpoint_of(row)
        except EndpointRefused as refusal:
            self.add_error("endpoint", str(refusal))
        if values.get("budget_money") is not None and prices_of(row) is None:
            self.add_error("budget_money", NO_PRICES)

    def _check_template(self, values: dict[str, Any]) -> None:
        field = "own_template" if values.get("template") == OWN else "template"
        if field in self.errors:
            return
        if field == "own_template" and not values["own_template"]:
            self.add_error(field, TEXT_REQUIRED)
            return
        try:
            template = self._template(values)
            if values["has_control"]:
                template.fill_control("")
        except TemplateUnusable as refusal:
            self.add_error(field, str(refusal))

    # ── What it means ───────────────────────────────────────────────────────

    @property
    def is_asked(self) -> bool:
        return bool(self.cleaned_data["system"] == SystemKind.ENDPOINT)

    @property
    def held_names(self) -> str:
        return ", ".join(file.name for file in self.held_files)

    def remember_check(self, digest: str, files: Sequence[InputFile], held: str) -> None:
        """Put a plan's digest and its files into the form that is shown again: sent back with it, the run starts."""
        contents: Any = copy(self.data)  # the request's own can't be changed
        contents["checked"], contents["held"] = digest, held
        self.data, self.held_files = contents, list(files)

    def kept_files(self) -> list[InputFile]:
        """Files that lie on the server already: held since the dry run, or of earlier runs."""
        earlier = [InputFile(EvaluationInput.Role.GOLD, path_of(row), row.name) for row in self.cleaned_data["earlier"]]
        return [*self.held_files, *earlier]

    def plan(self, files: Sequence[InputFile]) -> ProbePlan:
        values = self.cleaned_data
        if not self.is_asked:
            system = System.baseline(values["baseline"] or Baseline.RANDOM.value)
            settings = ProbeSettings(**self._draws())
            return ProbePlan(system, settings, load_template(), files, values["duplicates"], name=values["name"])
        limit = Limit(values["budget_tokens"], values["budget_money"])
        return ProbePlan(
            System.stored(values["endpoint"]), self._settings(), self._template(values), files, values["duplicates"],
            limit, values["name"],
        )  # fmt: skip

    def _draws(self) -> dict[str, Any]:
        return {name: self.cleaned_data[name] for name in ("repetitions", "sample", "seed", "bootstrap", "rounds")}

    def _settings(self) -> ProbeSettings:
        values = self.cleaned_data
        temperature, tokens = values["temperature"], values["max_tokens"]
        return ProbeSettings(
            mode=values["mode"] or Mode.FREE, has_control=values["has_control"],
            temperature=DEFAULTS.temperature if temperature is None else temperature,
            max_tokens=tokens or DEFAULTS.max_tokens, **self._draws(),
        )  # fmt: skip

    def _template(self, values: Mapping[str, Any]) -> Template:
        """Raises TemplateUnusable."""
        if values["template"] == OWN:
            return parse_template(values["own_template"], OWN)
        return load_template(values["template"] or STUDY)
