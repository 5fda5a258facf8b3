"""Forms to draw a batch and to change one."""

import re
from datetime import UTC, date, datetime, time
from typing import Any

from django import forms
from django.forms.boundfield import BoundField

from annotator.batches.drawing.candidates import Population, draw_weights
from annotator.batches.drawing.plan import Criteria, DrawOptions, Plan
from annotator.batches.drawing.shares import Share
from annotator.models import Annotator, GuidelineVersion
from profiles.attributes import Attribute
from profiles.models import Corpus, Recipe

DETECTIONS = [("", "With or without"), ("yes", "With detections"), ("no", "Without detections")]
SUBREDDIT = re.compile(r"[A-Za-z0-9_]{1,50}")
LANGUAGE = re.compile(r"[a-z]{2,3}")
MAX_NAMES = 200
PAST_DUE = "This date is in the past. Nothing was changed. Choose another date, or confirm this one."


class DueDateForm(forms.Form):
    """A due date. A day in the past needs a confirmation, which is asked for only then."""

    due_on = forms.DateField(
        label="Due date", required=False, widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )
    past_due = forms.BooleanField(label="Yes, the due date is in the past", required=False, widget=forms.HiddenInput)

    def clean(self) -> dict[str, Any]:
        fields: dict[str, Any] = super().clean() or self.cleaned_data
        is_new = "due_on" in self.changed_data
        if is_new and is_past(fields.get("due_on")) and not fields.get("past_due"):
            self.fields["past_due"].widget = forms.CheckboxInput()
            self.add_error("due_on", PAST_DUE)
        return fields


class CriteriaForm(forms.Form):
    """Everything that decides a draw: enough to preview it."""

    corpus = forms.ModelChoiceField(Corpus.objects.none(), empty_label=None)
    size = forms.IntegerField(label="Number of profiles", min_value=1, max_value=100_000, initial=50)
    seed = forms.IntegerField(
        min_value=0, max_value=2**31 - 1, initial=1, help_text="The same seed draws the same profiles."
    )
    recipe = forms.ModelChoiceField(
        Recipe.objects.none(), required=False, empty_label="From the newest run", label="Presidio recipe"
    )
    at_least = forms.IntegerField(label="Minimum comments", required=False, min_value=1, max_value=10_000_000)
    at_most = forms.IntegerField(label="Maximum comments", required=False, min_value=1, max_value=10_000_000)
    since = forms.DateField(
        label="Active on or after", required=False, widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )
    until = forms.DateField(
        label="Active on or before", required=False, widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )
    subreddits = forms.CharField(
        label="Wrote in one of", required=False, max_length=5000, help_text="Subreddits, separated by commas or spaces."
    )
    attributes = forms.MultipleChoiceField(
        label="With a hint about", required=False, choices=Attribute.choices, widget=forms.CheckboxSelectMultiple
    )
    detections = forms.ChoiceField(label="Detections", required=False, choices=DETECTIONS)
    languages = forms.CharField(
        label="Main language", required=False, max_length=200,
        help_text="Codes such as en or de, as detected in the Presidio run.",
    )  # fmt: skip
    unbatched = forms.BooleanField(label="Only profiles that aren’t in a batch yet", required=False)
    relabel = forms.BooleanField(
        label="Only profiles labelled by exactly one person", required=False,
        help_text="For a second opinion: nobody gets a profile that they have already labelled.",
    )  # fmt: skip
    prefer_thin = forms.BooleanField(
        label="Prefer profiles likely to fill unmet targets", required=False,
        help_text="Judged by hints and detections. The weights are saved with the batch.",
    )  # fmt: skip

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        corpora = Corpus.objects.ready().current().order_by("-created_at", "-pk")
        self.fields["corpus"].queryset = corpora  # type: ignore[attr-defined]
        self.fields["recipe"].queryset = Recipe.objects.order_by("name")  # type: ignore[attr-defined]

    def clean_subreddits(self) -> tuple[str, ...]:
        return _split_names(self.cleaned_data["subreddits"], SUBREDDIT, "is not a subreddit name")

    def clean_languages(self) -> tuple[str, ...]:
        return _split_names(self.cleaned_data["languages"].lower(), LANGUAGE, "is not a language code such as en")

    def clean_detections(self) -> bool | None:
        return {"yes": True, "no": False}.get(self.cleaned_data["detections"])

    def clean(self) -> dict[str, Any]:
        """Refuse ranges that no profile can satisfy."""
        data: dict[str, Any] = super().clean() or self.cleaned_data
        if data.get("at_least") and data.get("at_most") and data["at_least"] > data["at_most"]:
            self.add_error("at_most", "The maximum must not be lower than the minimum.")
        if data.get("since") and data.get("until") and data["since"] > data["until"]:
            self.add_error("until", "The end date must not be before the start date.")
        return data

    @property
    def criteria(self) -> Criteria:
        names = ("at_least", "at_most", "subreddits", "since", "until", "languages", "detections")
        values = {name: self.cleaned_data[name] for name in (*names, "unbatched", "relabel")}
        return Criteria(**values, attributes=tuple(self.cleaned_data["attributes"]))

    @property
    def recipe_or_newest(self) -> Recipe | None:
        recipe: Recipe | None = self.cleaned_data["recipe"]
        return recipe or self.cleaned_data["corpus"].runs.newest_recipe()

    def population(self, ignored_batch: int | None = None) -> Population:
        return Population(self.cleaned_data["corpus"], self.recipe_or_newest, ignored_batch)

    def draw_options(self) -> DrawOptions:
        """Raise DrawRefused if thin cells are preferred and there are none. Up to 2 queries."""
        data = self.cleaned_data
        weights = draw_weights(data["corpus"], prefer_thin=data["prefer_thin"])
        return DrawOptions(data["size"], data["seed"], self.criteria, weights)


class PlanForm(CriteriaForm, DueDateForm):
    """The plan of a whole batch."""

    name = forms.CharField(max_length=100, help_text="Evaluators see this name in their list of batches.")
    guideline = forms.ModelChoiceField(GuidelineVersion.objects.none(), empty_label=None, label="Guidelines")
    overlap = forms.IntegerField(
        label="Evaluators per profile", min_value=1, max_value=5, initial=1, help_text="From 1 to 5."
    )
    hints_shown = forms.BooleanField(
        label="Show hints", required=False, initial=True, help_text="Hide them to measure whether they bias evaluators."
    )
    planted = forms.IntegerField(
        label="Known profiles to plant", required=False, min_value=0, max_value=50,
        help_text="Mixed in when the batch starts. Only admins can tell which ones they are.",
    )  # fmt: skip
    version = forms.IntegerField(required=False, min_value=1, max_value=2**31 - 1, widget=forms.HiddenInput)

    def __init__(self, *args: Any, needs_name: bool = True, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].required = needs_name
        versions = GuidelineVersion.objects.defer("text").order_by("-number")
        self.fields["guideline"].queryset = versions  # type: ignore[attr-defined]
        self.evaluators = list(Annotator.objects.active_evaluators())
        for person in self.evaluators:
            self.fields[f"person_{person.pk}"] = forms.BooleanField(label=person.display_name, required=False)
            self.fields[f"quota_{person.pk}"] = forms.IntegerField(
                label=f"Maximum for {person.display_name}", required=False, min_value=1, max_value=100_000
            )

    @property
    def people(self) -> list[tuple[BoundField, BoundField]]:
        return [(self[f"person_{person.pk}"], self[f"quota_{person.pk}"]) for person in self.evaluators]

    @property
    def shares(self) -> tuple[Share, ...]:
        """People who are ticked, with their quotas. A quota without a tick is ignored."""
        data = self.cleaned_data
        chosen = [person.pk for person in self.evaluators if data[f"person_{person.pk}"]]
        return tuple(Share(person, data[f"quota_{person}"]) for person in chosen)

    @property
    def plan(self) -> Plan:
        data = self.cleaned_data
        return Plan(
            name=data["name"], corpus=data["corpus"], guideline=data["guideline"], size=data["size"],
            seed=data["seed"], criteria=self.criteria, prefer_thin=data["prefer_thin"], recipe=self.recipe_or_newest,
            overlap=data["overlap"], people=self.shares, hints_shown=data["hints_shown"],
            planted=data["planted"] or 0, due_at=end_of_day(data["due_on"]),
        )  # fmt: skip


class ChangeForm(forms.Form):
    """Any change to an existing batch. It carries the version that the person saw."""

    version = forms.IntegerField(
        min_value=1, max_value=2**31 - 1, widget=forms.HiddenInput,
        error_messages=dict.fromkeys(("required", "invalid"), "The form was incomplete. Reload the page."),
    )  # fmt: skip

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("person", "to"):
            if name in self.fields:
                self.fields[name].queryset = Annotator.objects.active_evaluators()  # type: ignore[attr-defined]

    @property
    def problems(self) -> list[str]:
        """Errors, each with the label of its field."""
        return [
            f"{self.fields[name].label or 'Form'}: {errors[0]}"
            for name, errors in self.errors.items()
            if name in self.fields
        ]


class CloseForm(ChangeForm):
    withdraw = forms.BooleanField(required=False)


class ExtendForm(ChangeForm):
    size = forms.IntegerField(
        label="Additional profiles", min_value=1, max_value=100_000, initial=10,
        help_text="Drawn by the same criteria with the next seed.",
    )  # fmt: skip


class RenameForm(ChangeForm, DueDateForm):
    name = forms.CharField(max_length=100)
    field_order = ["name", "due_on", "past_due"]

    @property
    def due_at(self) -> Any:
        return end_of_day(self.cleaned_data["due_on"])


class ReassignForm(ChangeForm):
    person = forms.ModelChoiceField(Annotator.objects.none(), label="From", empty_label=None)
    to = forms.ModelMultipleChoiceField(
        Annotator.objects.none(), label="To", required=False, widget=forms.CheckboxSelectMultiple,
        help_text="Shared out in turn. If you choose no one, the profiles go to the shared pool.",
    )  # fmt: skip

    def __init__(self, *args: Any, annotators: Any = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        people = Annotator.objects.filter(pk__in=annotators).order_by("display_name", "pk")
        self.fields["person"].queryset = people  # type: ignore[attr-defined]


class HandOutForm(ChangeForm):
    to = forms.ModelChoiceField(Annotator.objects.none(), label="To", required=False, empty_label="Shared pool")


def initial_values(plan: Plan) -> dict[str, Any]:
    """Initial values of `PlanForm` for a plan."""
    criteria, detections = plan.criteria, {True: "yes", False: "no", None: ""}[plan.criteria.detections]
    people = {f"person_{share.person}": True for share in plan.people}
    quotas = {f"quota_{share.person}": share.quota for share in plan.people}
    return people | quotas | {
        "name": plan.name, "corpus": plan.corpus.pk, "guideline": plan.guideline.pk, "size": plan.size,
        "seed": plan.seed, "recipe": plan.recipe.pk if plan.recipe else None, "overlap": plan.overlap,
        "at_least": criteria.at_least, "at_most": criteria.at_most, "since": criteria.since, "until": criteria.until,
        "subreddits": ", ".join(criteria.subreddits), "languages": ", ".join(criteria.languages),
        "attributes": list(criteria.attributes), "detections": detections, "unbatched": criteria.unbatched,
        "relabel": criteria.relabel, "prefer_thin": plan.prefer_thin, "hints_shown": plan.hints_shown,
        "planted": plan.planted or None, "due_on": plan.due_at.date() if plan.due_at else None,
    }  # fmt: skip


def end_of_day(day: date | None) -> datetime | None:
    """The last second of a day in UTC: the deadline of work due on that day."""
    return datetime.combine(day, time(23, 59, 59), UTC) if day else None


def is_past(day: date | None) -> bool:
    return day is not None and day < datetime.now(UTC).date()


def _split_names(text: str, pattern: re.Pattern[str], problem: str) -> tuple[str, ...]:
    names = [word.removeprefix("r/") for word in re.split(r"[,\s]+", text) if word]
    for name in names:
        if not pattern.fullmatch(name):
            raise forms.ValidationError(f"“{name[:50]}” {problem}.")
    if len(names) > MAX_NAMES:
        raise forms.ValidationError(f"Enter at most {MAX_NAMES}.")
    return tuple(names)
