"""Compressed pages: the same content, for browsers that allow it, and never twice of the same length."""

import gzip

from django.http import HttpResponse
from django.test import RequestFactory

from annotator.core.compression import compressed

TEXT = "A sentence that is repeated. " * 100


def answer(text=TEXT, **headers):
    view = compressed(lambda _request: HttpResponse(text))
    return view(RequestFactory(headers=headers).get("/"))


def test_the_browser_gets_the_same_page():
    response = answer(accept_encoding="br, gzip")
    assert gzip.decompress(response.content).decode() == TEXT
    assert response["Content-Encoding"] == "gzip"
    assert int(response["Content-Length"]) == len(response.content) < len(TEXT) / 10
    assert response["Vary"] == "Accept-Encoding"


def test_others_get_it_as_it_is():
    assert answer(accept_encoding="br").content.decode() == answer().content.decode() == TEXT


def test_short_pages_stay_as_they_are():
    assert answer("short", accept_encoding="gzip").content == b"short"


def test_the_length_gives_nothing_away():
    lengths = {len(answer(accept_encoding="gzip").content) for _ in range(50)}
    assert len(lengths) > 5
