"""Prepare static files for serving: bundled, compressed, and with names that change with their contents."""

import hashlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import BaseFinder, get_finders
from django.core.files.storage import FileSystemStorage
from django.core.management import call_command
from whitenoise.storage import CompressedManifestStaticFilesStorage

from annotator.site.script_modules import join_modules

SOURCES = Path(__file__).resolve().parents[2] / "static"
# Later files may override earlier ones. Rarely used pages have files of their own.
BUNDLES = {
    "css/site.css": (
        "tokens.css hues.css base.css layout.css navigation.css wayfinding.css buttons.css forms.css choices.css "
        "components.css feedback.css tables.css marks.css charts.css heat.css print.css"
    ).split(),
    "css/labelling.css": (
        "comments.css guidelines.css label.css label_overview.css label_filter.css label_comments.css label_narrow.css "
        "cards.css card_fields.css label_dialogs.css preferences.css"
    ).split(),
    "js/site.js": "messages.js dialogs.js copy.js charts.js".split(),
}
# Bundles of ES modules, by the module that imports the others.
MODULES = {"js/labelling.js": "js/label/main.js"}
# Files that no page asks for: they are in a bundle, or large, and one of the extensions imports a missing file.
UNUSED = (
    "js/label/",
    "django_htmx/ext/", "django_htmx/htmax-4", "django_htmx/htmx-4", "django_htmx/htmx-2.js",
    "admin/js/vendor/jquery/jquery.js", "admin/js/vendor/select2/select2.full.js", "admin/js/vendor/xregexp/xregexp.js",
)  # fmt: skip
STAMP = "collected-from"


def collect_static() -> None:
    """Run collectstatic, which takes seconds, unless the same files have been collected before."""
    stamp, digest = settings.STATIC_ROOT / STAMP, _sources_digest()
    if stamp.exists() and stamp.read_text() == digest:
        return
    stamp.unlink(missing_ok=True)
    call_command("collectstatic", verbosity=0, interactive=False)
    stamp.write_text(digest)


def _sources_digest() -> str:
    """A digest of all files, and of this module, which decides what becomes of them."""
    digest = hashlib.sha256(Path(__file__).read_bytes())
    for finder in get_finders():
        for name, storage in finder.list([]):
            digest.update(name.encode() + b"\0" + Path(storage.path(name)).read_bytes())
    return digest.hexdigest()


class StaticFilesStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # untyped
    """Leave out what no page asks for, and rewrite the names in import statements."""

    support_js_module_import_aggregation = True

    def post_process(self, paths: dict[str, Any], *args: Any, **options: Any) -> Iterator[Any]:
        used = {name: path for name, path in paths.items() if not name.startswith(UNUSED)}
        yield from super().post_process(used, *args, **options)


class BundleFinder(BaseFinder):
    """Join several files into one, so that a first visit takes one request instead of twenty.

    Bundles are built from the current files on demand. The repository contains no build output.
    """

    def find(self, path: str, find_all: bool = False, **_: Any) -> Any:
        paths = [str(self._build(path))] if path in (BUNDLES | MODULES) else []
        return paths if find_all else next(iter(paths), [])

    def list(self, ignore_patterns: Iterable[str] | None) -> Iterator[tuple[str, FileSystemStorage]]:
        for name in BUNDLES | MODULES:
            self._build(name)
            yield name, FileSystemStorage(location=self._folder)

    @property
    def _folder(self) -> Path:
        folder: Path = settings.HOME.root / "bundles"
        return folder

    def _build(self, name: str) -> Path:
        text, bundle = _contents(name), self._folder / name
        if not bundle.exists() or bundle.read_text(encoding="utf-8") != text:
            bundle.parent.mkdir(parents=True, exist_ok=True)
            draft = bundle.with_suffix(f".{os.getpid()}")
            draft.write_text(text, encoding="utf-8")
            draft.replace(bundle)
        return bundle


def _contents(name: str) -> str:
    if name in MODULES:
        return join_modules(SOURCES / MODULES[name])
    parts = [(SOURCES / name).parent / part for part in BUNDLES[name]]
    return "\n".join(part.read_text(encoding="utf-8") for part in parts)
