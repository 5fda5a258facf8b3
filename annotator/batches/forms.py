"""What an admin may ask of a draw, and of a batch."""

import re
from datetime import UTC, date, datetime, time
from typing import Any

from django import forms
from django.forms.boundfield import BoundField

from annotator.batches.drawing.candidates import Ground
from annotator.batches.drawing.criteria import Criteria
from annotator.batches.drawing.draw import Wish
from annotator.batches.drawing.people import active_evaluators
from annotator.batches.drawing.plan import Plan
from annotator.batches.drawing.shares import Share
from annotator.detection.queries.recipes import newest_recipe
from annotator.models import Annotator, GuidelineVersion
from profiles.attributes import Attribute
from profiles.models import Corpus, Recipe

DETECTIONS = [("", "With or without"), ("yes", "With detections"), ("no", "Without detections")]
SUBREDDIT = re.compile(r"[A-Za-z0-9_]{1,50}")
LANGUAGE = re.compile(r"[a-z]{2,3}")
MOST_NAMES = 200


class CriteriaForm(forms.Form):
    """What decides the draw. Enough to count and to preview it."""

    corpus = forms.ModelChoiceField(Corpus.objects.none(), empty_label=None)
    size = forms.IntegerField(label="Profiles", min_value=1, max_value=100_000, initial=50)
    seed = forms.IntegerField(
        min_value=0, max_value=2**31 - 1, initial=1, help_text="The same seed draws the same profiles again."
    )
    recipe = forms.ModelChoiceField(
        Recipe.objects.none(), required=False, empty_label="That of the newest run", label="Presidio’s recipe"
    )
    at_least = forms.IntegerField(label="At least comments", required=False, min_value=1, max_value=10_000_000)
    at_most = forms.IntegerField(label="At most comments", required=False, min_value=1, max_value=10_000_000)
    since = forms.DateField(
        label="Wrote on or after", required=False, widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )
    until = forms.DateField(
        label="Wrote on or before", required=False, widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )
    subreddits = forms.CharField(
        label="Wrote in one of", required=False, max_length=5000, help_text="Subreddits, between commas or spaces."
    )
    attributes = forms.MultipleChoiceField(
        label="With a hint at one of", required=False, choices=Attribute.choices, widget=forms.CheckboxSelectMultiple
    )
    detections = forms.ChoiceField(label="Detections", required=False, choices=DETECTIONS)
    languages = forms.CharField(
        label="Mostly in one of the languages", required=False, max_length=200,
        help_text="Codes such as en or de, as Presidio’s run told them apart.",
    )  # fmt: skip
    unbatched = forms.BooleanField(label="Only profiles that are in no batch yet", required=False)
    relabel = forms.BooleanField(
        label="Only profiles that exactly one person has labelled", required=False,
        help_text="To be labelled again by somebody else: nobody gets a profile that they labelled before.",
    )  # fmt: skip
    prefer_thin = forms.BooleanField(
        label="Prefer profiles that promise what the targets still miss", required=False,
        help_text="By their hints and detections. The weights are kept with the batch.",
    )  # fmt: skip

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        corpora = Corpus.objects.ready().order_by("-created_at", "-pk")
        self.fields["corpus"].queryset = corpora  # type: ignore[attr-defined]
        self.fields["recipe"].queryset = Recipe.objects.order_by("name")  # type: ignore[attr-defined]

    def clean_subreddits(self) -> tuple[str, ...]:
        return _names(self.cleaned_data["subreddits"], SUBREDDIT, "is no name of a subreddit")

    def clean_languages(self) -> tuple[str, ...]:
        return _names(self.cleaned_data["languages"].lower(), LANGUAGE, "is no code of a language, such as en")

    def clean_detections(self) -> bool | None:
        return {"yes": True, "no": False}.get(self.cleaned_data["detections"])

    def clean(self) -> dict[str, Any]:
        """Two ends that leave nothing between them are a slip, and not a wish for nothing."""
        said = self.cleaned_data
        if said.get("at_least") and said.get("at_most") and said["at_least"] > said["at_most"]:
            self.add_error("at_most", "No profile has more than the most and fewer than the least.")
        if said.get("since") and said.get("until") and said["since"] > said["until"]:
            self.add_error("until", "It must not come before the first day.")
        return said

    @property
    def criteria(self) -> Criteria:
        names = ("at_least", "at_most", "subreddits", "since", "until", "languages", "detections")
        said = {name: self.cleaned_data[name] for name in (*names, "unbatched", "relabel")}
        return Criteria(**said, attributes=tuple(self.cleaned_data["attributes"]))

    @property
    def recipe_meant(self) -> Recipe | None:
        chosen: Recipe | None = self.cleaned_data["recipe"]
        return chosen or newest_recipe(self.cleaned_data["corpus"])

    def ground(self, apart_from: int | None = None) -> Ground:
        return Ground(self.cleaned_data["corpus"], self.recipe_meant, apart_from)

    def wish(self, weights: dict[str, float]) -> Wish:
        return Wish(self.cleaned_data["size"], self.cleaned_data["seed"], self.criteria, weights)


class PlanForm(CriteriaForm):
    """A whole batch."""

    name = forms.CharField(max_length=100, help_text="Evaluators see it among their batches.")
    guideline = forms.ModelChoiceField(GuidelineVersion.objects.none(), empty_label=None, label="Guidelines")
    overlap = forms.IntegerField(
        label="Readers of each profile", min_value=1, max_value=5, initial=1, help_text="From 1 to 5."
    )
    hints_shown = forms.BooleanField(
        label="Show hints", required=False, initial=True, help_text="Hidden, one can measure whether they lead astray."
    )
    planted = forms.IntegerField(
        label="Known profiles to plant", required=False, min_value=0, max_value=50,
        help_text="Among the others when the batch is started; only admins can tell.",
    )  # fmt: skip
    due_on = forms.DateField(
        label="Due", required=False, widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )
    version = forms.IntegerField(required=False, min_value=1, max_value=2**31 - 1, widget=forms.HiddenInput)

    def __init__(self, *args: Any, needs_name: bool = True, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].required = needs_name
        versions = GuidelineVersion.objects.defer("text").order_by("-number")
        self.fields["guideline"].queryset = versions  # type: ignore[attr-defined]
        self.evaluators = list(active_evaluators())
        for person in self.evaluators:
            self.fields[f"person_{person.pk}"] = forms.BooleanField(label=person.display_name, required=False)
            self.fields[f"quota_{person.pk}"] = forms.IntegerField(
                label=f"At most, for {person.display_name}", required=False, min_value=1, max_value=100_000
            )

    @property
    def people(self) -> list[tuple[BoundField, BoundField]]:
        return [(self[f"person_{person.pk}"], self[f"quota_{person.pk}"]) for person in self.evaluators]

    @property
    def shares(self) -> tuple[Share, ...]:
        """A quota without a tick is no wish: whoever is not ticked gets nothing."""
        said = self.cleaned_data
        chosen = [person.pk for person in self.evaluators if said[f"person_{person.pk}"]]
        return tuple(Share(person, said[f"quota_{person}"]) for person in chosen)

    @property
    def plan(self) -> Plan:
        said = self.cleaned_data
        return Plan(
            name=said["name"], corpus=said["corpus"], guideline=said["guideline"], size=said["size"],
            seed=said["seed"], criteria=self.criteria, prefer_thin=said["prefer_thin"], recipe=self.recipe_meant,
            overlap=said["overlap"], people=self.shares, hints_shown=said["hints_shown"],
            planted=said["planted"] or 0, due_at=end_of(said["due_on"]),
        )  # fmt: skip


class ChangeForm(forms.Form):
    version = forms.IntegerField(
        min_value=1, max_value=2**31 - 1, widget=forms.HiddenInput,
        error_messages=dict.fromkeys(("required", "invalid"), "Open the page again: the form was not complete."),
    )  # fmt: skip

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("person", "to"):
            if name in self.fields:
                self.fields[name].queryset = active_evaluators()  # type: ignore[attr-defined]

    @property
    def problems(self) -> list[str]:
        """What is wrong, with the field it is about."""
        return [
            f"{self.fields[name].label or 'Form'}: {told[0]}"
            for name, told in self.errors.items()
            if name in self.fields
        ]


class CloseForm(ChangeForm):
    withdraw = forms.BooleanField(required=False)


class ExtendForm(ChangeForm):
    size = forms.IntegerField(
        label="Further profiles", min_value=1, max_value=100_000, initial=10,
        help_text="By the same criteria, with the next seed.",
    )  # fmt: skip


class RenameForm(ChangeForm):
    name = forms.CharField(max_length=100)
    due_on = forms.DateField(
        label="Due", required=False, widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )

    @property
    def due_at(self) -> Any:
        return end_of(self.cleaned_data["due_on"])


class ReassignForm(ChangeForm):
    person = forms.ModelChoiceField(Annotator.objects.none(), label="Profiles of", empty_label=None)
    to = forms.ModelMultipleChoiceField(
        Annotator.objects.none(), label="Go to", required=False, widget=forms.CheckboxSelectMultiple,
        help_text="To these in turn. To nobody: anybody may take them.",
    )  # fmt: skip

    def __init__(self, *args: Any, readers: Any = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        people = Annotator.objects.filter(pk__in=readers).order_by("display_name", "pk")
        self.fields["person"].queryset = people  # type: ignore[attr-defined]


class HandOutForm(ChangeForm):
    to = forms.ModelChoiceField(Annotator.objects.none(), label="To", required=False, empty_label="Anybody")


def initial_of(plan: Plan) -> dict[str, Any]:
    """A plan as the form shows it."""
    kept, detections = plan.criteria, {True: "yes", False: "no", None: ""}[plan.criteria.detections]
    people = {f"person_{share.person}": True for share in plan.people}
    quotas = {f"quota_{share.person}": share.quota for share in plan.people}
    return people | quotas | {
        "name": plan.name, "corpus": plan.corpus.pk, "guideline": plan.guideline.pk, "size": plan.size,
        "seed": plan.seed, "recipe": plan.recipe.pk if plan.recipe else None, "overlap": plan.overlap,
        "at_least": kept.at_least, "at_most": kept.at_most, "since": kept.since, "until": kept.until,
        "subreddits": ", ".join(kept.subreddits), "languages": ", ".join(kept.languages),
        "attributes": list(kept.attributes), "detections": detections, "unbatched": kept.unbatched,
        "relabel": kept.relabel, "prefer_thin": plan.prefer_thin, "hints_shown": plan.hints_shown,
        "planted": plan.planted or None, "due_on": plan.due_at.date() if plan.due_at else None,
    }  # fmt: skip


def end_of(day: date | None) -> datetime | None:
    """Due on a day means: to its end, in UTC."""
    return datetime.combine(day, time(23, 59, 59), UTC) if day else None


def _names(written: str, grammar: re.Pattern[str], problem: str) -> tuple[str, ...]:
    names = [word.removeprefix("r/") for word in re.split(r"[,\s]+", written) if word]
    for name in names:
        if not grammar.fullmatch(name):
            raise forms.ValidationError(f"“{name[:50]}” {problem}.")
    if len(names) > MOST_NAMES:
        raise forms.ValidationError(f"At most {MOST_NAMES} at once.")
    return tuple(names)
