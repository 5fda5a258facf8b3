"""The context of every page: navigation by role, theme, version."""

from dataclasses import dataclass
from functools import cache

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse

from annotator.models import Annotator, Role

THEMES = ("auto", "light", "dark")
THEME_COOKIE = "telltale_theme"


@dataclass(frozen=True, slots=True)
class MenuItem:
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
MAIN_MENU = (
    MenuItem("Home", "annotator:home"),
    MenuItem("My work", "annotator:own_work", frozenset({Role.EVALUATOR})),
    MenuItem("Guidelines", "annotator:guidelines"),
    MenuItem("Corpora", "annotator:corpora", STAFF),
    MenuItem("Batches", "annotator:batches", ADMINS),
    MenuItem("Adjudication", "annotator:adjudication", ADMINS),
    MenuItem("Gold", "annotator:gold", STAFF),
    MenuItem("Exports", "annotator:exports", STAFF),
    MenuItem("Evaluations", "evaluation:evaluations", STAFF),
)
MANAGE_MENU = (
    MenuItem("Subreddits", "annotator:subreddits", ADMINS),
    MenuItem("People", "annotator:people", ADMINS),
    MenuItem("Privacy", "annotator:privacy", ADMINS),
    MenuItem("Audit", "annotator:audit", ADMINS),
)


def base_context(request: HttpRequest) -> dict[str, object]:
    """Context of base.html. No query: the roles are loaded with the person. Fragments use no links, so make none."""
    user = getattr(request, "user", None)
    theme = request.COOKIES.get(THEME_COOKIE, "auto")
    person = user if isinstance(user, Annotator) else None
    return {
        "navigation": cache(lambda: links_for(person, MAIN_MENU, request.path) if person else []),
        "manage": cache(lambda: links_for(person, MANAGE_MENU, request.path) if person else []),
        "theme": theme if theme in THEMES else "auto",
        "telltale_version": settings.VERSION,
    }


def links_for(annotator: Annotator, items: tuple[MenuItem, ...], path: str) -> list[Link]:
    allowed = [item for item in items if item.roles is None or annotator.has_role(*item.roles)]
    return [Link(item.label, reverse(item.view), _is_current(reverse(item.view), path)) for item in allowed]


def _is_current(url: str, path: str) -> bool:
    return path == url if url == "/" else path.startswith(url)
