"""Hostile values in every parameter, path and header of every URL, by every role: a refusal perhaps, never a 5xx."""

import random
from collections import Counter
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any
from urllib.parse import quote, urlsplit

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.test.client import BOUNDARY, MULTIPART_CONTENT

from tests.annotator.site.every_url import Site, learn_names, role_for, send, some_paths

DEEP = "[" * 5_000 + "]" * 5_000
BIG_INT = "9" * 5000
VALUES: list[str | bytes] = [
    BIG_INT, DEEP, '{"a":' * 2_000 + "1" + "}" * 2_000, f'{{"age": {BIG_INT}}}', "\x00", "a\x00b", b"\xed\xa0\x80",
    b"\xff\xfe", '{"\\ud800": "\\udc00"}', '"\\u0000"', "x" * 20_000, "99999999999999999999", "-1", "0", str(2**63),
    "1e999", "NaN", "٣", "²", "0001-01-01", "9999-12-31", "http://[", "//evil.example", "foo", "../../etc/passwd",
    "{{ 7 }}%s%(x)s{0}", "\u202e\ud7ff\U0010ffff", "\r\nX: y", "[]", "null", "{}", "'\"><script>",
]  # fmt: skip
HEADERS: list[dict[str, str]] = [
    {"HX-Request": "true", "HX-Current-URL": "http://["}, {"HX-Request": "true", "HX-Current-URL": "x" * 5000},
    {"HX-Request": "true", "HX-Target": "presidio-results", "HX-Current-URL": "//["}, {"HX-Request": "true"},
    {"HX-Request": "true", "HX-Current-URL-URI-AutoEncoded": "true", "HX-Current-URL": "%ff%00http://["},
    {"Content-Type": "text/plain; charset=base64"}, {"Content-Type": "text/plain; charset=idna"},
    {"Content-Type": "application/x-www-form-urlencoded; charset=utf-16"}, {"Content-Type": "\xff; charset=\xff"},
    {"Content-Type": "multipart/form-data"}, {"Content-Type": 'multipart/form-data; boundary="\xff"'},
    {"Cookie": 'telltale_session="\\000aaaaaaaaaaaa"; telltale_theme="\\000"; messages="\\000"; telltale_csrf="\\000"'},
    {"Cookie": f"telltale_session={'x' * 3000}; ;;=; a"}, {"Cookie": 'telltale_session="a b c d e f g h i j"'},
    {"Referer": "http://["}, {"Origin": "http://["}, {"Host": "["}, {"Host": "a" * 300}, {"Host": "\xff"},
    {"X-Forwarded-For": "';--, ["}, {"X-Forwarded-Host": "["}, {"X-Forwarded-Proto": "\xff"},
    {"Authorization": "Bearer \xff"}, {"Accept-Language": "x" * 9000}, {"Accept-Encoding": "\xff"},
    {"If-Modified-Since": "Mon, 99 Foo 0000"}, {"If-None-Match": '"\xff'}, {"Range": "bytes=9-1,-"},
    {"X-Request-ID": "x" * 9000}, {"X-Correlation-ID": "\xff"}, {"User-Agent": "\xff" * 100}, {"X-CSRFToken": "\xff"},
]  # fmt: skip
OTHER_ROLES = ["nobody", "evaluator", "researcher"]
PARTS = ["0", str(2**63), "99999999999999999999", BIG_INT, "%00", "%ff", "x" * 5000, "-1", "%D9%A3", "..", "a%0Ab"]


class Attack:
    """Send requests, count them, and collect those that end with a server error."""

    def __init__(self, site: Site) -> None:
        self.site, self.sent, self.failures = site, Counter[str](), list[str]()

    def __call__(self, role: str, method: str, path: str, note: str = "", **options: Any) -> Any:
        response = send(self.site.clients[role], method, path, **options)
        self.sent[role, method] += 1
        if response.status_code >= 500 and not path.startswith("/readyz"):
            error = getattr(response, "exc_info", None)
            self.failures.append(f"{role} {method} {path[:150]} {note}: {error[1]!r:.200}" if error else path)
        return response

    def parameters(self, role: str, method: str, path: str, names: set[str], value: str | bytes) -> Any:
        """All parameters with this value: in the query, or in the body of a POST."""
        pairs, note = "&".join(f"{quote(name)}={quote(value)}" for name in sorted(names)), f"{value[:20]!r}"
        if method == "get":
            return self(role, method, f"{path}?{pairs}", note)
        return self(role, method, path, note, data=pairs, content_type="application/x-www-form-urlencoded")

    def report(self, what: str) -> None:
        counts = ", ".join(f"{role} {method} {n}" for (role, method), n in sorted(self.sent.items()))
        print(f"{what}: {sum(self.sent.values())} requests ({counts}), {len(self.failures)} server errors")  # noqa: T201
        assert not self.failures, "\n".join(self.failures)


def test_hostile_parameters(site, capsys):
    """One of the values for each URL, role and method; other URLs and values in each run."""
    attack, values, paths, reached = Attack(site), _endless(VALUES), some_paths(site), 0
    for path in paths:
        names, role = learn_names(site, path), role_for(path)
        answers = [attack.parameters(role, method, path, names, next(values)) for method in ("get", "post")]
        reached += any(answer.status_code not in (302, 404) for answer in answers)
        attack.parameters(random.choice(OTHER_ROLES), "get", path, names, next(values))  # noqa: S311
        attack.parameters(random.choice(OTHER_ROLES), "post", path, names, next(values))  # noqa: S311
    assert reached > 0.5 * len(paths)  # guard the guard: most views were reached
    with capsys.disabled():
        attack.report("\nHostile parameters")


def test_hostile_headers_and_bodies(site):
    attack, headers = Attack(site), _endless(HEADERS)
    for path in some_paths(site):
        attack(role_for(path), "get", path, headers=next(headers))
        attack("nobody", "post", path, headers=next(headers))
    attack.report("Hostile headers")


def test_each_hostile_header(site):
    attack = Attack(site)
    for headers in HEADERS:
        attack("nobody", "get", "/", headers=headers)
        attack("admin", "get", "/", headers=headers)
        attack("nobody", "post", "/theme/", headers=headers)
    attack.report("Each hostile header")


def test_hostile_paths(site):
    attack, parts = Attack(site), _endless(PARTS)
    changed = some_paths(site, **{name: next(parts) for name in site.rows})
    for path in [*changed, "/%00", "/%ff/", "/" + "x" * 9000]:
        attack(role_for(path), "get", path)
        attack("admin", "post", path)
    attack.report("Hostile paths")


@pytest.mark.long
def test_every_hostile_path(site):
    attack = Attack(site)
    for part in PARTS:
        for path in some_paths(site, 40, **dict.fromkeys(site.rows, part)):
            for role in site.clients:
                for method in ("get", "post", "head", "put", "options"):
                    attack(role, method, path)
    attack.report("Every hostile path")


@pytest.mark.long
def test_every_hostile_value_in_every_parameter(site, capsys):
    """Each value in all parameters at once, and each in one parameter beside the values that the page's form has."""
    attack, forms = Attack(site), _forms(site)
    assert {"theme", "next"} <= set(forms["/theme/"])  # guard the guard: forms are found
    for path in [path for path in some_paths(site, 40) if "event/" not in path.lower()]:  # tables are alike
        names, form = learn_names(site, path), forms.get(path, {})
        for value in VALUES:
            attack.parameters(role_for(path), "get", path, names, value)
            attack.parameters(role_for(path), "post", path, names, value)
        for name in sorted(names | set(form)):
            for value in VALUES[:6]:
                _one_parameter(attack, path, form, name, value)
    with capsys.disabled():
        attack.report("\nEvery hostile value in every parameter")


@pytest.mark.long
def test_every_hostile_header(site):
    attack = Attack(site)
    for path in some_paths(site, 40):
        for headers in HEADERS:
            for role in ("nobody", "evaluator", "admin"):
                attack(role, "get", path, headers=headers)
                attack(role, "post", path, headers=headers)
    attack.report("Every hostile header")


BODIES = {
    "no end": (f"--{BOUNDARY}\r\nContent-Disposition: form-data; name=", MULTIPART_CONTENT.replace("; ", ";")),
    "no boundary": (b"x", "multipart/form-data"),
    "many fields": ("&".join(f"a{n}=1" for n in range(1500)), "application/x-www-form-urlencoded"),
    "too large": ("a=" + "x" * 3_000_000, "application/x-www-form-urlencoded"),
    "json": ("[" * 50_000, "application/json"),
    "half a character": (b"theme=%F0%9F&next=%ED%A0%80", "application/x-www-form-urlencoded"),
}


def test_hostile_bodies(site):
    attack = Attack(site)
    for name, (data, content_type) in BODIES.items():
        for path in ("/theme/", "/account/login/", "/corpora/import/", "/people/invitations/", "/evaluations/new/"):
            attack("admin", "post", path, name, data=data, content_type=content_type)
            attack("nobody", "post", path, name, data=data, content_type=content_type)
    attack.report("Hostile bodies")


def test_files_in_place_of_values_and_values_in_place_of_files(site):
    attack = Attack(site)
    fields = {"uploads", "file", "gold", "predictions", "scheme_file"}
    for path in (
        "/corpora/import/",
        "/subreddits/import/",
        "/imports/labels/",
        "/evaluations/new/",
        "/account/",
        "/theme/",
    ):
        names = learn_names(site, path) | fields
        for name in ("\x00", "../" * 50 + "x.zst", "x" * 5000 + ".zst", "\ud7ff.csv", ".."):
            files = {field: SimpleUploadedFile("f", b"\xff\x00{") for field in names}
            for file in files.values():
                file._name = name
            attack("admin", "post", path, data=files)
    attack.report("Files")


def nine_requests(site: Site) -> Iterator[tuple[str, str, str, dict[str, Any]]]:
    """The requests that once ended with a server error."""
    own, corpus, profile = (site.rows[name] for name in ("assignment_id", "corpus_id", "profile_id"))
    counted = {"key": "12345678-1234-5678-1234-567812345678", "active": "1"}
    yield "nobody", "post", "/theme/", {"data": {"next": "foo"}}
    yield "nobody", "get", "/", {"headers": {"HX-Request": "true", "HX-Current-URL": "http://["}}
    yield "admin", "get", "/account/login/?next=http://[", {}
    for cards in ("[" * 50_000 + "]" * 50_000, f'{{"age": {BIG_INT}}}'):
        yield "evaluator", "post", f"/assignments/{own}/time/", {"data": counted | {"cards": cards}}
        yield "evaluator", "post", f"/assignments/{own}/submit/", {"data": counted | {"cards": cards}}
    yield "admin", "get", f"/people/?invitation={BIG_INT}", {}
    yield "admin", "get", f"/corpora/{corpus}/detection/recipe/?from={BIG_INT}", {}
    yield "admin", "post", f"/corpora/{corpus}/detection/start/", {"data": {"recipe": BIG_INT}}
    yield "admin", "post", f"/adjudication/{profile}/age/", {"data": {"how": "write", "hardness": BIG_INT}}
    yield "admin", "get", f"/tables/profiles/profile/?q={BIG_INT}", {}


def test_what_once_failed(site):
    attack = Attack(site)
    for role, method, path, options in nine_requests(site):
        attack(role, method, path, **options)
    attack.report("Known cases")


def test_the_parameters_of_a_view_are_found(site):
    names = learn_names(site, f"/assignments/{site.rows['assignment_id']}/comments/")
    assert {"q", "subreddit", "year", "found", "first"} <= names
    assert {"next", "theme"} <= learn_names(site, "/theme/")


def _endless(values: list[Any]) -> Iterator[Any]:
    """The values again and again, from a random one on."""
    at = random.randrange(len(values))  # noqa: S311
    while True:
        yield values[at % len(values)]
        at += 1


def _one_parameter(attack: Attack, path: str, form: dict[str, str], name: str, value: str | bytes) -> None:
    role = role_for(path)
    pairs = "&".join(f"{quote(key)}={quote(text)}" for key, text in (form | {name: value}).items())
    attack(role, "get", f"{path}?{pairs}", name)
    attack(role, "post", path, name, data=pairs, content_type="application/x-www-form-urlencoded")


class FormReader(HTMLParser):
    """The forms of a page: their addresses, and their fields with the values that the page shows."""

    def __init__(self) -> None:
        super().__init__()
        self.forms: dict[str, dict[str, str]] = {}
        self.form: dict[str, str] = {}
        self.select = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "form":
            self.form = self.forms.setdefault(urlsplit(given.get("action") or "").path, {})
        elif tag in ("input", "button", "textarea") and given.get("name"):
            self.form.setdefault(str(given["name"]), str(given.get("value") or "on"))
        elif tag == "select":
            self.select = str(given.get("name") or "")
        elif tag == "option" and (self.select not in self.form or "selected" in given):
            self.form[self.select] = str(given.get("value") or "")


def _forms(site: Site) -> dict[str, dict[str, str]]:
    """The forms of all pages, by the path that they are sent to."""
    reader = FormReader()
    with transaction.atomic():
        for path in site.paths():
            for role in ("admin", "evaluator"):
                response = send(site.clients[role], "get", path)
                if response.status_code == 200 and not response.streaming:
                    reader.feed(response.content.decode(errors="replace"))
                    reader.forms.setdefault(path, {}).update(reader.forms.pop("", {}))
    return reader.forms
