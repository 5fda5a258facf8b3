"""The back room: every table of ours, to look at. Nothing can be changed there."""

from typing import Any

from django.apps import apps
from django.contrib import admin
from django.core.exceptions import ObjectDoesNotExist
from django.core.paginator import Paginator
from django.db import models
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, URLResolver
from django.utils.functional import cached_property
from django.views.decorators.http import require_safe

from annotator.core.access import admin_required
from annotator.core.audit import record_view
from annotator.models import Role
from profiles.models import Profile

APPS = ("profiles", "annotator", "evaluation")
MOST = 10_000  # rows of a table that can be paged through
# Whom a pseudonym stands for is told elsewhere, for a reason that is recorded. Here is nothing to find it out by.
HIDDEN_TABLES = {"profiles.accountname", "annotator.sourcerecord"}
HIDDEN_FIELDS = {"password", "nonce", "reddit_id"}
# What was written and what was concluded stand on the page of one row, which is recorded, and in no list.
ONLY_IN_DETAIL = {"value", "one", "other", "text", "words", "remark", "skip_remark"}
WIDE = (models.TextField, models.JSONField)
WAYS_TO_A_PROFILE = ("assignment", "judgement", "comment")


class FirstRows(Paginator):  # type: ignore[type-arg]
    """Counts no further than can be paged through: counting all comments would take a minute."""

    @cached_property
    def count(self) -> int:
        rows: Any = self.object_list
        return int(rows[:MOST].count())


class LookOnly(admin.ModelAdmin):  # type: ignore[type-arg]
    """One table: its newest rows, and each row by itself."""

    ordering = ("-pk",)
    paginator = FirstRows
    list_per_page = 100
    list_max_show_all = 0
    show_full_result_count = False
    sortable_by = ()
    actions = None
    search_fields = ("pk",)
    search_help_text = f"By its number. The list goes back {MOST:,} rows, the search through all of them."
    change_form_template = "admin/row.html"

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    has_change_permission = has_delete_permission = has_add_permission

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return True  # whoever may not look does not get this far

    def has_module_permission(self, request: HttpRequest) -> bool:
        return True

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest | None = None) -> bool:
        """No filter by way of the address: it could be asked letter by letter what a hidden field holds."""
        return False

    def get_search_results(
        self, request: HttpRequest, queryset: "models.QuerySet[Any]", search_term: str
    ) -> "tuple[models.QuerySet[Any], bool]":
        if not search_term:
            return queryset, False
        return queryset.filter(pk=search_term) if search_term.isdecimal() else queryset.none(), False

    def get_list_display(self, request: HttpRequest) -> list[Any]:
        """Numbers stand for other rows: no table is read but this one."""
        shown = [f for f in self._shown() if not isinstance(f, WIDE) and f.name not in ONLY_IN_DETAIL]
        return sorted((f.attname for f in shown), key=lambda name: name != self.opts.pk.attname)

    def get_fields(self, request: HttpRequest, obj: Any = None) -> list[Any]:
        return [f.name for f in self._shown()]

    get_readonly_fields = get_fields

    def get_urls(self) -> list[URLPattern]:
        """The list and a row. What could write has no address."""
        return [url for url in super().get_urls() if (url.name or "").endswith(("_changelist", "_change"))]

    def render_change_form(self, request: Any, context: Any, *args: Any, **kwargs: Any) -> HttpResponse:
        if profile := profile_behind(kwargs.get("obj")):
            record_view(profile, by=request.user, page="back room", request=request)
        return super().render_change_form(request, context, *args, **kwargs)

    def _shown(self) -> "list[models.Field[Any, Any]]":
        fields = self.opts.concrete_fields
        return [f for f in fields if f.name not in HIDDEN_FIELDS and not isinstance(f, models.BinaryField)]


class BackRoom(admin.AdminSite):
    """Django's admin without its own sign-in, its log and everything that writes."""

    site_title = "Telltale"
    site_header = "Back room"
    index_title = "Every table, to look at"
    site_url = "/audit/"
    index_template = "admin/tables.html"
    enable_nav_sidebar = False
    final_catch_all_view = False
    pages = frozenset({"index", "jsi18n", "app_list"})

    def fill(self) -> "BackRoom":
        """With every table there is: one that comes later is in it without being remembered here."""
        models_of_ours = (model for app in APPS for model in apps.get_app_config(app).get_models())
        self.register([m for m in models_of_ours if m._meta.label_lower not in HIDDEN_TABLES], LookOnly)
        return self

    def has_permission(self, request: Any) -> bool:
        return bool(request.user.is_active and request.user.has_role(Role.ADMIN))

    def admin_view(self, view: Any, cacheable: bool = False) -> Any:
        """As every page of admins: sign in as everywhere, and for others it does not exist."""
        return admin_required(require_safe(super().admin_view(view, cacheable)))

    def get_urls(self) -> list[URLPattern | URLResolver]:
        urls = super().get_urls()
        return [url for url in urls if isinstance(url, URLResolver) or url.name in self.pages]


def profile_behind(row: Any) -> int | None:
    """Whose words or attributes a row holds. History outlives what it points at: then nobody's."""
    if isinstance(row, Profile):
        return row.pk
    if number := getattr(row, "profile_id", None):
        return int(number)
    for way in WAYS_TO_A_PROFILE:
        if getattr(row, f"{way}_id", None):
            return _behind(row, way)
    return None


def _behind(row: Any, way: str) -> int | None:
    try:
        return profile_behind(getattr(row, way))
    except ObjectDoesNotExist:
        return None
