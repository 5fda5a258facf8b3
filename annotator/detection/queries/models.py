"""spaCy models that are available for detection."""

from dataclasses import dataclass, replace

from profiles.detection.presidio import ModelMissing, default_contents, installed_models
from profiles.detection.recipes import Contents, Model


@dataclass(frozen=True, slots=True)
class AvailableModels:
    """`contents` is the default recipe, or None if no model is installed; then `problem` says what to do."""

    contents: Contents | None
    installed: tuple[Model, ...]
    problem: str = ""

    @property
    def title(self) -> str:
        return self.contents.title if self.contents else ""

    @property
    def names(self) -> list[str]:
        return [f"{model.name} {model.version}" for model in self.installed]


def available_models() -> AvailableModels:
    """Models on this machine; workers elsewhere may have others. No query; loads neither Presidio nor spaCy."""
    try:
        return AvailableModels(default_contents(), tuple(installed_models()))
    except ModelMissing as error:
        return AvailableModels(None, tuple(installed_models()), str(error))


def starting_contents(default: Contents, recipe: Contents | None, installed: tuple[Model, ...]) -> Contents:
    """The default recipe, or another one adapted to this machine. It keeps its models that are still installed."""
    if recipe is None:
        return default
    kept = {model.language: model for model in recipe.models if model in installed}
    models = tuple(kept.get(model.language, model) for model in default.models)
    return replace(recipe, models=models, presidio=default.presidio, spacy=default.spacy, libraries=default.libraries)
