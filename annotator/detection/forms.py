"""The forms of the recipe page. `profiles.detection.patterns` validates patterns and word lists."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from django import forms
from django.http import QueryDict

from profiles.detection.patterns import MAX_REGEX_LENGTH, InvalidPattern, parse_pattern, parse_word_list
from profiles.detection.recipes import Contents, Model, Pattern, WordList
from profiles.models import EntityType

PATTERN_FORMS, WORD_LIST_FORMS = 5, 3
MAX_WORD_LIST_CHARS = 1_000_000
NAME_REQUIRED = "Name the recipe so that you can recognise its run."
DUPLICATE_NAME = "This name is used twice. Choose a different name for each."
NOTHING_TO_TRY = "Add a pattern or a word list first, then try it."
TYPE_HELP = "One of the five built-in types, or your own, such as STREET_CORNER."


class RecipeForm(forms.Form):
    """Settings that every recipe has. The model field appears only if several models are installed."""

    name = forms.CharField(
        label="Name of the recipe", max_length=100, required=False, help_text="Needed only to start a run."
    )
    model = forms.ChoiceField(label="Model")
    threshold = forms.FloatField(
        min_value=0, max_value=1, help_text="From 0 to 1. Detections with a lower score are dropped.",
        widget=forms.NumberInput(attrs={"step": "0.05"}),
    )  # fmt: skip
    entities = forms.MultipleChoiceField(
        label="Entity types", choices=EntityType.choices, widget=forms.CheckboxSelectMultiple
    )
    context = forms.CharField(
        label="Context words", required=False, max_length=5000,
        help_text="Separated by commas. They count as near every detection and raise its score.",
    )  # fmt: skip

    def __init__(self, *args: Any, installed: Iterable[Model] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.models = {model.name: model for model in installed}
        self.fields["model"].choices = [(model.name, f"{model.name} {model.version}") for model in self.models.values()]  # type: ignore[attr-defined]
        if len(self.models) < 2:
            del self.fields["model"]

    def clean_context(self) -> tuple[str, ...]:
        return _checked(context=self.cleaned_data["context"]).context


class RecogniserForm(forms.Form):
    """A custom recogniser; an empty form adds none."""

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
        """Ignore the score, which is filled in from the start."""
        return not set(self.changed_data) <= {"score"}

    @property
    def is_open(self) -> bool:
        """True if the form has content to show."""
        return self.has_changed() if self.is_bound else bool(self.initial)


class PatternForm(RecogniserForm):
    regex = forms.CharField(
        label="Regular expression", max_length=MAX_REGEX_LENGTH * 2, strip=False,
        widget=forms.TextInput(attrs={"class": "code", "spellcheck": "false", "autocomplete": "off"}),
        help_text="Not case-sensitive.",
    )  # fmt: skip
    score = forms.FloatField(initial=0.5, widget=forms.NumberInput(attrs={"step": "0.05", "min": "0", "max": "1"}))
    context = forms.CharField(
        label="Context words",
        required=False,
        max_length=12_000,
        help_text="Separated by commas. They raise the score of matches near them.",
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


class WordListForm(RecogniserForm):
    words = forms.CharField(
        widget=forms.Textarea(attrs={"rows": 4}),
        max_length=MAX_WORD_LIST_CHARS,
        help_text="One word or phrase per line.",
    )

    def clean_words(self) -> tuple[str, ...]:
        try:
            return parse_word_list("list", "A", self.cleaned_data["words"]).words
        except InvalidPattern as error:
            raise forms.ValidationError(str(error)) from error

    @property
    def word_list(self) -> WordList:
        return WordList(**self.cleaned_data)


class RecipeForms:
    """All forms of the page: the recipe, and at least PATTERN_FORMS patterns and WORD_LIST_FORMS word lists."""

    def __init__(self, data: QueryDict | None, start: Contents, installed: Iterable[Model]) -> None:
        self.start = start
        self.recipe = RecipeForm(data, installed=installed, initial=_recipe_initial(start))
        self.patterns = [
            PatternForm(data, prefix=f"pattern-{n}", initial=_pattern_initial(start, n))
            for n in range(max(PATTERN_FORMS, len(start.patterns)))
        ]
        self.word_lists = [
            WordListForm(data, prefix=f"list-{n}", initial=_word_list_initial(start, n))
            for n in range(max(WORD_LIST_FORMS, len(start.word_lists)))
        ]
        if data is not None:
            self._clear_initial()

    @property
    def recognisers(self) -> list[RecogniserForm]:
        return [*self.patterns, *self.word_lists]

    def is_valid(self, *, action: str) -> bool:
        """Report all errors at once. A trial needs a recogniser to try, a run needs a name."""
        for form in (self.recipe, *self.recognisers):
            form.full_clean()
        self._refuse_duplicate_names()
        if action == "try" and not any(form.has_changed() for form in self.recognisers):
            self.recipe.add_error(None, NOTHING_TO_TRY)
        if action == "start" and self.recipe.cleaned_data.get("name") == "":
            self.recipe.add_error("name", NAME_REQUIRED)
        return not self.errors

    @property
    def errors(self) -> bool:
        return any(form.errors for form in (self.recipe, *self.recognisers))

    @property
    def contents(self) -> Contents:
        cleaned = self.recipe.cleaned_data
        chosen = self.recipe.models.get(cleaned.get("model", ""))
        models = tuple(chosen if chosen and model.language == chosen.language else model for model in self.start.models)
        return replace(
            self.start, models=models, threshold=cleaned["threshold"], entities=tuple(cleaned["entities"]),
            context=cleaned["context"], patterns=tuple(form.pattern for form in self.patterns if form.has_changed()),
            word_lists=tuple(form.word_list for form in self.word_lists if form.has_changed()),
        )  # fmt: skip

    def _clear_initial(self) -> None:
        """Compare with empty forms, so that a cleared recogniser is removed and an unchanged one is kept."""
        for form in self.recognisers:
            form.initial = {}

    def _refuse_duplicate_names(self) -> None:
        names: set[str] = set()
        for form in self.recognisers:
            name = form.cleaned_data.get("name", "")
            if name and name in names:
                form.add_error("name", DUPLICATE_NAME)
            names.add(name)


def _checked(
    *, name: str = "pattern", entity_type: str = "A", regex: str = "a", score: float = 0.5, context: str = ""
) -> Pattern:
    """Validate one part of a pattern at a time, so that each error appears beside its field."""
    try:
        return parse_pattern(name, entity_type, regex, score, context)
    except InvalidPattern as error:
        raise forms.ValidationError(str(error)) from error


def _recipe_initial(start: Contents) -> dict[str, Any]:
    return {
        "threshold": start.threshold,
        "entities": list(start.entities),
        "context": ", ".join(start.context),
        "model": start.models[0].name,
    }


def _pattern_initial(start: Contents, number: int) -> dict[str, Any]:
    if number >= len(start.patterns):
        return {}
    pattern = start.patterns[number]
    return {
        "name": pattern.name,
        "entity_type": pattern.entity_type,
        "regex": pattern.regex,
        "score": pattern.score,
        "context": ", ".join(pattern.context),
    }


def _word_list_initial(start: Contents, number: int) -> dict[str, Any]:
    if number >= len(start.word_lists):
        return {}
    word_list = start.word_lists[number]
    return {"name": word_list.name, "entity_type": word_list.entity_type, "words": "\n".join(word_list.words)}
