"""How static files are kept for serving: compressed, and under names that change with what is in them."""

from collections.abc import Iterator
from typing import Any

from whitenoise.storage import CompressedManifestStaticFilesStorage

LEFT_OUT = "django_htmx/ext/"  # extensions that we do not use; one imports a file that is not there


class StaticFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # untyped
    """Our scripts import each other: those names are changed too, so that each file is fetched once."""

    support_js_module_import_aggregation = True

    def post_process(self, paths: dict[str, Any], *args: Any, **options: Any) -> Iterator[Any]:
        wanted = {name: path for name, path in paths.items() if not name.startswith(LEFT_OUT)}
        yield from super().post_process(wanted, *args, **options)
