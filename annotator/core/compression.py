"""Compress pages, a little less and much faster than Django does."""

import secrets
from functools import wraps
from gzip import GzipFile
from io import BytesIO

from django.http import HttpResponse
from django.utils.cache import patch_vary_headers

from annotator.core.access import P, View
from annotator.core.http import AnnotatorRequest

LEVEL = 4  # Django's 6 takes two thirds longer for 4 % fewer bytes
WORTH_IT = 200  # bytes
MAX_RANDOM_BYTES = 50


def compressed(view: View[P]) -> View[P]:
    """Like Django's `gzip_page`. A name of random length keeps secrets from being guessed by the length, as there."""

    @wraps(view)
    def wrapper(request: AnnotatorRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        response = view(request, *args, **kwargs)
        if len(response.content) < WORTH_IT:
            return response
        patch_vary_headers(response, ("Accept-Encoding",))
        if "gzip" in request.headers.get("Accept-Encoding", ""):
            response.content = _gzip(response.content)
            response.headers["Content-Length"] = str(len(response.content))
            response.headers["Content-Encoding"] = "gzip"
        return response

    return wrapper  # type: ignore[return-value]


def _gzip(content: bytes) -> bytes:
    name, buffer = secrets.token_hex(1 + secrets.randbelow(MAX_RANDOM_BYTES)), BytesIO()
    with GzipFile(name, "wb", LEVEL, buffer, mtime=0) as file:
        file.write(content)
    return buffer.getvalue()
