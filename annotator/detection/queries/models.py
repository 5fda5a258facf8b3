"""Which models there are to detect with."""

from dataclasses import dataclass, replace

from profiles.detection.presidio import ModelMissing, default_contents, installed_models
from profiles.detection.recipes import Contents, Model


@dataclass(frozen=True, slots=True)
class Models:
    """`contents` is the default recipe; None where no model is installed, and then `problem` says what to do."""

    contents: Contents | None
    installed: tuple[Model, ...]
    problem: str = ""

    @property
    def title(self) -> str:
        return self.contents.title if self.contents else ""

    @property
    def names(self) -> list[str]:
        return [f"{model.name} {model.version}" for model in self.installed]


def models_here() -> Models:
    """Of this machine; workers elsewhere may have others. No query, and neither Presidio nor spaCy is loaded."""
    try:
        return Models(default_contents(), tuple(installed_models()))
    except ModelMissing as error:
        return Models(None, tuple(installed_models()), str(error))


def begin_with(default: Contents, recipe: Contents | None, installed: tuple[Model, ...]) -> Contents:
    """The default, or another recipe with what is installed now: its model where that is still there."""
    if recipe is None:
        return default
    wanted = {model.language: model for model in recipe.models if model in installed}
    models = tuple(wanted.get(model.language, model) for model in default.models)
    return replace(recipe, models=models, presidio=default.presidio, spacy=default.spacy, libraries=default.libraries)
