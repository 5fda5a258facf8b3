"""What people choose for a run over defences."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms

from annotator.core.uploads import DumpUploadHandler
from annotator.models import Annotator
from evaluation.defences.detector_files import DetectorFile
from evaluation.defences.plans import DEFAULT_KEYS, KEYS, NEEDS_MODEL, DefencePlan, recipe_of
from evaluation.defences.recipes import MAX_ROUNDS, REPLACEMENT_TITLES, Method, Replacement
from evaluation.inference.forms.attack import AttackForm
from evaluation.inference.prompt_store import prompt_named
from evaluation.inference.settings import Settings
from evaluation.llm.budget import Limit
from evaluation.llm.forms import NO_PRICES, EndpointField
from evaluation.models import ModelEndpoint
from evaluation.runs.forms import UploadedFilesField
from evaluation.runs.held_files import FilesLost, find_held
from evaluation.runs.storage import InputFile
from evaluation.runs.systems import System
from evaluation.spans.evidence.scopes import NoDetection, finished_run, finished_runs
from profiles.models import DetectionRun

NO_DEFENCE = "Choose at least one defence."
OTHER_RUN = "This detection run belongs to another corpus."
HELD_LOST = "The file that you uploaded is no longer on the server. Upload it again."
UPLOADS = {"detections_file": "held_detections", "population": "held_population"}  # by the field of its token
MASKS = {
    Method.DETECTIONS: ("Detections", "What Presidio marked, or the file below."),
    Method.EVIDENCE: ("Evidence", "What people marked as evidence."),
    Method.BOTH: ("Both", "Detections and evidence."),
    Method.RANDOM: ("Random words", "A control: as many characters, anywhere."),
}
DETECTED_PREFIXES = (f"{Method.DETECTIONS}-", f"{Method.BOTH}-")
COLUMNS = {Replacement.TAG: "Type, [LOCATION]", Replacement.STARS: "Stars, ***", Replacement.SURROGATE: "Surrogate"}


class DefenceUploadHandler(DumpUploadHandler):
    fields = frozenset(UPLOADS)


class _RunField(forms.ModelChoiceField):  # type: ignore[type-arg]  # generic for the type checker only
    def label_from_instance(self, run: Any) -> str:
        return f"{run.corpus.name}: {run.recipe.name}, {run.finished_at:%d %b %Y}"


@dataclass(frozen=True, slots=True)
class Choice:
    """A checkbox. `label` says all of it, for those who don't see the table around it."""

    value: str
    label: str
    is_checked: bool


@dataclass(frozen=True, slots=True)
class MaskRow:
    title: str
    help: str
    choices: Sequence[Choice]


class DefenceForm(AttackForm):
    defences = forms.MultipleChoiceField(
        choices=[(key, key) for key in KEYS], initial=DEFAULT_KEYS, error_messages={"required": NO_DEFENCE}
    )
    rewriter = EndpointField(
        ModelEndpoint.objects.none(), label="Model that rewrites", required=False, empty_label="The attacking model",
        help_text="Another one infers first, then rewrites. The attacker reads the result.",
    )  # fmt: skip
    detection = _RunField(
        DetectionRun.objects.none(), label="Presidio’s detections", required=False,
        empty_label="The newest finished run of the corpus",
    )  # fmt: skip
    detections_file = UploadedFilesField(
        label="Or another detector’s file", required=False, help_text="Replaces Presidio’s detections."
    )
    held_detections = forms.CharField(required=False, widget=forms.HiddenInput)
    population = UploadedFilesField(
        label="Population table", required=False,
        help_text="CSV: columns named after attributes, and “count”. For sizes of groups.",
    )  # fmt: skip
    held_population = forms.CharField(required=False, widget=forms.HiddenInput)
    name = forms.CharField(max_length=200, required=False, help_text="Leave empty to use the attacker.")

    def __init__(self, *args: Any, person: Annotator, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.person = person
        self.fields["detection"].queryset = finished_runs().order_by("corpus__name", "-pk")  # type: ignore[attr-defined]
        self.fields["rewriter"].queryset = ModelEndpoint.objects.usable()  # type: ignore[attr-defined]
        self.held: dict[str, InputFile] = {}

    # ── As the page shows it ────────────────────────────────────────────────

    def mask_rows(self) -> Iterator[MaskRow]:
        for method, (title, help_text) in MASKS.items():
            choices = [
                self._choice(f"{method}-{replacement}", f"{title}, {REPLACEMENT_TITLES[replacement]}")
                for replacement in COLUMNS
            ]
            yield MaskRow(title, help_text, choices)

    def mask_columns(self) -> list[str]:
        return list(COLUMNS.values())

    def round_choices(self) -> list[Choice]:
        return [
            self._choice(f"{Method.REWRITE}-{rounds}", f"{rounds} round{'s' if rounds > 1 else ''}")
            for rounds in range(1, MAX_ROUNDS + 1)
        ]

    def _choice(self, value: str, label: str) -> Choice:
        return Choice(value, label, value in (self["defences"].value() or ()))

    # ── What is refused ─────────────────────────────────────────────────────

    def clean(self) -> dict[str, Any]:
        values = super().clean() or self.cleaned_data
        self.check_scope()
        self.check_system()
        self.check_endpoint("rewriter", NO_PRICES)
        self._find_held(values)
        if not {"defences", "system"} & set(self.errors):
            self._check_defences(values)
        return values

    def _find_held(self, values: dict[str, Any]) -> None:
        """Files that were uploaded before the dry run count until others are uploaded."""
        for field, token in UPLOADS.items():
            if {field, token} & set(self.errors) or values.get(field) or not values.get(token):
                continue
            try:
                (self.held[field],) = find_held(values[token], self.person)
            except FilesLost:
                self.add_error(field, HELD_LOST)

    def _check_defences(self, values: dict[str, Any]) -> None:
        keys = values["defences"]
        rewrites = any(key.startswith(Method.REWRITE) for key in keys)
        if rewrites and not self.asks_models:
            self.add_error("defences", NEEDS_MODEL)
        is_file = values.get("detections_file") or "detections_file" in self.held
        if is_file or {"corpus", "detection", "detections_file"} & set(self.errors):
            values["detection"] = None
            return
        chosen = values["detection"]
        if chosen and chosen.corpus_id != values["corpus"].pk:
            self.add_error("detection", OTHER_RUN)
        elif not chosen:
            values["detection"] = self._newest(values, keys)

    def _newest(self, values: dict[str, Any], keys: Sequence[str]) -> DetectionRun | None:
        try:
            return finished_run(values["corpus"])
        except NoDetection as refusal:
            if any(key.startswith(DETECTED_PREFIXES) for key in keys):
                self.add_error("detection", str(refusal))
            return None

    # ── What it means ───────────────────────────────────────────────────────

    @property
    def asks_models(self) -> bool:
        return self.is_asked or bool(self.cleaned_data.get("rewriter"))

    def plan(self, detector: DetectorFile | None, population: str) -> DefencePlan:
        """Raises PlanRefused."""
        values = self.cleaned_data
        limit = Limit(values["budget_tokens"], values["budget_money"]) if self.asks_models else Limit()
        return DefencePlan(
            system=self.chosen_system(),
            scope=self.scope(),
            recipes=[recipe_of(key, values["seed"]) for key in values["defences"]],
            detection=values["detection"],
            detector=detector,
            rewriter=System.stored(values["rewriter"]) if values["rewriter"] else None,
            question=self.question() if self.asks_models else None,
            prompt=prompt_named(values["prompt"]) if self.asks_models else None,
            scoring=Settings(bootstrap=values["bootstrap"], seed=values["seed"]),
            limit=limit,
            population=population,
            name=values["name"],
        )
