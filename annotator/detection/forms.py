"""What an admin may say about a recipe. What a pattern or a word list is, `profiles.detection.patterns` decides."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from django import forms
from django.http import QueryDict

from profiles.detection.patterns import LONGEST_REGEX, NotAPattern, read_pattern, read_word_list
from profiles.detection.recipes import Contents, Model, Pattern, WordList
from profiles.models import EntityType

PATTERNS, WORD_LISTS = 5, 3
LONGEST_LIST = 1_000_000
NO_NAME = "Give the recipe a name, so that its run can be told from others."
TWICE = "There is another of this name. Choose a name for each."
NOTHING_TO_TRY = "Write a pattern or a word list first; then it can be tried."
TYPE_HELP = "One of the five, or one of your own, such as STREET_CORNER."


class RecipeForm(forms.Form):
    """What stands in every recipe. The model is asked for only where there is a choice."""

    name = forms.CharField(
        label="Name of the recipe", max_length=100, required=False, help_text="Needed to start the run, not to try it."
    )
    model = forms.ChoiceField(label="Model")
    threshold = forms.FloatField(
        min_value=0, max_value=1, help_text="From 0 to 1. What scores less is not kept.",
        widget=forms.NumberInput(attrs={"step": "0.05"}),
    )  # fmt: skip
    entities = forms.MultipleChoiceField(
        label="Entity types", choices=EntityType.choices, widget=forms.CheckboxSelectMultiple
    )
    context = forms.CharField(
        label="Context words", required=False, max_length=5000,
        help_text="Between commas. They count as standing near every detection, and raise its score.",
    )  # fmt: skip

    def __init__(self, *args: Any, installed: Iterable[Model] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.models = {model.name: model for model in installed}
        self.fields["model"].choices = [(one.name, f"{one.name} {one.version}") for one in self.models.values()]  # type: ignore[attr-defined]
        if len(self.models) < 2:
            del self.fields["model"]

    def clean_context(self) -> tuple[str, ...]:
        return _checked(context=self.cleaned_data["context"]).context


class OwnForm(forms.Form):
    """A recogniser of one's own; one that was left empty is none."""

    name = forms.CharField(max_length=200)
    entity_type = forms.CharField(label="Entity type", max_length=100, help_text=TYPE_HELP)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **({"empty_permitted": True, "use_required_attribute": False} | kwargs))
        self.fields["entity_type"].widget.attrs |= {"list": "entity-types", "autocapitalize": "characters"}

    def clean_name(self) -> str:
        return _checked(name=self.cleaned_data["name"]).name

    def clean_entity_type(self) -> str:
        return _checked(entity_type=self.cleaned_data["entity_type"]).entity_type

    def has_changed(self) -> bool:
        """A score says nothing alone: it stands there from the beginning."""
        return not set(self.changed_data) <= {"score"}

    @property
    def is_open(self) -> bool:
        """Whether there is something in it to see."""
        return self.has_changed() if self.is_bound else bool(self.initial)


class PatternForm(OwnForm):
    regex = forms.CharField(
        label="Regular expression", max_length=LONGEST_REGEX * 2, strip=False,
        widget=forms.TextInput(attrs={"class": "code", "spellcheck": "false", "autocomplete": "off"}),
        help_text="Upper and lower case make no difference.",
    )  # fmt: skip
    score = forms.FloatField(initial=0.5, widget=forms.NumberInput(attrs={"step": "0.05", "min": "0", "max": "1"}))
    context = forms.CharField(
        label="Context words",
        required=False,
        max_length=12_000,
        help_text="Between commas. Near by they raise the score.",
    )
    field_order = ["name", "entity_type", "regex", "score", "context"]

    def clean_regex(self) -> str:
        return _checked(regex=self.cleaned_data["regex"]).regex

    def clean_score(self) -> float:
        return _checked(score=self.cleaned_data["score"]).score

    def clean_context(self) -> tuple[str, ...]:
        return _checked(context=self.cleaned_data["context"]).context

    @property
    def pattern(self) -> Pattern:
        return Pattern(**self.cleaned_data)


class WordListForm(OwnForm):
    words = forms.CharField(
        widget=forms.Textarea(attrs={"rows": 4}), max_length=LONGEST_LIST, help_text="One word or phrase a line."
    )

    def clean_words(self) -> tuple[str, ...]:
        try:
            return read_word_list("list", "A", self.cleaned_data["words"]).words
        except NotAPattern as error:
            raise forms.ValidationError(str(error)) from error

    @property
    def word_list(self) -> WordList:
        return WordList(**self.cleaned_data)


class RecipeForms:
    """The whole page: one form about the recipe, and one for each recogniser of one's own, as many as it began with."""

    def __init__(self, data: QueryDict | None, start: Contents, installed: Iterable[Model]) -> None:
        self.start = start
        self.recipe = RecipeForm(data, installed=installed, initial=_initial(start))
        self.patterns = [
            PatternForm(data, prefix=f"pattern-{n}", initial=_pattern(start, n))
            for n in range(max(PATTERNS, len(start.patterns)))
        ]
        self.word_lists = [
            WordListForm(data, prefix=f"list-{n}", initial=_word_list(start, n))
            for n in range(max(WORD_LISTS, len(start.word_lists)))
        ]
        if data is not None:
            self._forget_where_it_began()

    @property
    def own(self) -> list[OwnForm]:
        return [*self.patterns, *self.word_lists]

    def is_valid(self, *, wanted: str) -> bool:
        """`wanted` is what was pressed: a trial needs something to try, a run needs a name. All is said at once."""
        for form in (self.recipe, *self.own):
            form.full_clean()
        self._refuse_doubles()
        if wanted == "try" and not any(form.has_changed() for form in self.own):
            self.recipe.add_error(None, NOTHING_TO_TRY)
        if wanted == "start" and self.recipe.cleaned_data.get("name") == "":
            self.recipe.add_error("name", NO_NAME)
        return not self.errors

    @property
    def errors(self) -> bool:
        return any(form.errors for form in (self.recipe, *self.own))

    @property
    def contents(self) -> Contents:
        said = self.recipe.cleaned_data
        chosen = self.recipe.models.get(said.get("model", ""))
        models = tuple(chosen if chosen and one.language == chosen.language else one for one in self.start.models)
        return replace(
            self.start, models=models, threshold=said["threshold"], entities=tuple(said["entities"]),
            context=said["context"], patterns=tuple(form.pattern for form in self.patterns if form.has_changed()),
            word_lists=tuple(form.word_list for form in self.word_lists if form.has_changed()),
        )  # fmt: skip

    def _forget_where_it_began(self) -> None:
        """What was typed counts now: one that was emptied is gone, one that was left as it was is still wanted."""
        for form in self.own:
            form.initial = {}

    def _refuse_doubles(self) -> None:
        seen: set[str] = set()
        for form in self.own:
            name = form.cleaned_data.get("name", "")
            if name and name in seen:
                form.add_error("name", TWICE)
            seen.add(name)


def _checked(
    *, name: str = "pattern", entity_type: str = "A", regex: str = "a", score: float = 0.5, context: str = ""
) -> Pattern:
    """One part at a time, so that the message stands where it belongs."""
    try:
        return read_pattern(name, entity_type, regex, score, context)
    except NotAPattern as error:
        raise forms.ValidationError(str(error)) from error


def _initial(start: Contents) -> dict[str, Any]:
    told = {"threshold": start.threshold, "entities": list(start.entities), "context": ", ".join(start.context)}
    return told | {"model": start.models[0].name}


def _pattern(start: Contents, number: int) -> dict[str, Any]:
    if number >= len(start.patterns):
        return {}
    one = start.patterns[number]
    told = {"name": one.name, "entity_type": one.entity_type, "regex": one.regex, "score": one.score}
    return told | {"context": ", ".join(one.context)}


def _word_list(start: Contents, number: int) -> dict[str, Any]:
    if number >= len(start.word_lists):
        return {}
    one = start.word_lists[number]
    return {"name": one.name, "entity_type": one.entity_type, "words": "\n".join(one.words)}
