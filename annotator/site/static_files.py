"""How static files are kept for serving: compressed, and under names that change with what is in them."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import BaseFinder
from django.core.files.storage import FileSystemStorage
from whitenoise.storage import CompressedManifestStaticFilesStorage

SOURCES = Path(__file__).resolve().parents[2] / "static"
# Later files may refine earlier ones. Pages that few people open have a file of their own beside these.
BUNDLES = {
    "css/site.css": (
        "tokens.css hues.css base.css layout.css navigation.css wayfinding.css buttons.css forms.css choices.css "
        "components.css feedback.css tables.css marks.css charts.css heat.css print.css"
    ).split(),
    "css/labelling.css": "comments.css guidelines.css label.css cards.css".split(),
    "js/site.js": "messages.js dialogs.js copy.js".split(),
}
LEFT_OUT = "django_htmx/ext/"  # extensions that we do not use; one imports a file that is not there


class StaticFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # untyped
    """Our scripts import each other: those names are changed too, so that each file is fetched once."""

    support_js_module_import_aggregation = True

    def post_process(self, paths: dict[str, Any], *args: Any, **options: Any) -> Iterator[Any]:
        wanted = {name: path for name, path in paths.items() if not name.startswith(LEFT_OUT)}
        yield from super().post_process(wanted, *args, **options)


class Bundles(BaseFinder):
    """Several of our files as one, in their order: whoever opens a first page asks once, not twenty times.

    They are put together from the files as they are, whenever somebody asks; nothing made lies in the repository.
    """

    def find(self, path: str, find_all: bool = False, **_: Any) -> Any:
        found = [str(self._made(path))] if path in BUNDLES else []
        return found if find_all else next(iter(found), [])

    def list(self, ignore_patterns: Iterable[str] | None) -> Iterator[tuple[str, FileSystemStorage]]:
        for name in BUNDLES:
            self._made(name)
            yield name, FileSystemStorage(location=self._folder)

    @property
    def _folder(self) -> Path:
        folder: Path = settings.HOME.root / "bundles"
        return folder

    def _made(self, name: str) -> Path:
        parts = [(SOURCES / name).parent / part for part in BUNDLES[name]]
        text, made = "\n".join(part.read_text(encoding="utf-8") for part in parts), self._folder / name
        if not made.exists() or made.read_text(encoding="utf-8") != text:
            made.parent.mkdir(parents=True, exist_ok=True)
            fresh = made.with_suffix(f".{os.getpid()}")
            fresh.write_text(text, encoding="utf-8")
            fresh.replace(made)
        return made
