"""What stands around every page: the navigation for one's roles, the theme, the version."""

from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse

from annotator.models import Annotator, Role

THEMES = ("auto", "light", "dark")
THEME_COOKIE = "telltale_theme"


@dataclass(frozen=True, slots=True)
class Entry:
    label: str
    view: str
    roles: frozenset[Role] | None = None  # None: everybody who is signed in


@dataclass(frozen=True, slots=True)
class Link:
    label: str
    url: str
    is_current: bool


STAFF = frozenset({Role.ADMIN, Role.RESEARCHER})
ADMINS = frozenset({Role.ADMIN})
MAIN = (
    Entry("Home", "annotator:home"),
    Entry("Overview", "annotator:overview", STAFF),
    Entry("Guidelines", "annotator:guidelines"),
    Entry("Corpora", "annotator:corpora", STAFF),
    Entry("Batches", "annotator:batches", ADMINS),
    Entry("Adjudication", "annotator:adjudication", ADMINS),
    Entry("Gold", "annotator:gold", STAFF),
    Entry("Exports", "annotator:exports", STAFF),
)
MANAGE = (  # what is needed now and then
    Entry("Subreddits", "annotator:subreddits", ADMINS),
    Entry("People", "annotator:people", ADMINS),
    Entry("Privacy", "annotator:privacy", ADMINS),
    Entry("Audit", "annotator:audit", ADMINS),
    Entry("Style", "annotator:styleguide", ADMINS),
)


def page_frame(request: HttpRequest) -> dict[str, object]:
    """Context for base.html. No query: the roles came with the person."""
    user = getattr(request, "user", None)
    theme = request.COOKIES.get(THEME_COOKIE, "auto")
    person = user if isinstance(user, Annotator) else None
    return {
        "navigation": links_for(person, MAIN, request.path) if person else [],
        "manage": links_for(person, MANAGE, request.path) if person else [],
        "theme": theme if theme in THEMES else "auto",
        "telltale_version": settings.VERSION,
    }


def links_for(annotator: Annotator, entries: tuple[Entry, ...], path: str) -> list[Link]:
    allowed = [e for e in entries if e.roles is None or annotator.has_role(*e.roles)]
    return [Link(e.label, reverse(e.view), _is_current(reverse(e.view), path)) for e in allowed]


def _is_current(url: str, path: str) -> bool:
    return path == url if url == "/" else path.startswith(url)
