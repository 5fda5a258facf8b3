"""A read-only admin for our tables, at /tables/."""

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
from annotator.core.parameters import read_number
from annotator.models import Role
from profiles.models import Profile

APPS = ("profiles", "annotator", "evaluation")
MAX_ROWS = 10_000  # that can be paged through in a table
# Account names are shown elsewhere, for a recorded reason. Nothing here helps to find them. With the key of a session,
# anybody could act as its person.
HIDDEN_TABLES = {"profiles.accountname", "annotator.sourcerecord", "annotator.session"}
HIDDEN_FIELDS = {"password", "nonce", "reddit_id"}
# Texts and conclusions are only shown on the page of a row, where the view is recorded, never in a list.
DETAIL_FIELDS = {"value", "one", "other", "text", "words", "remark", "skip_remark"}
LONG_FIELDS = (models.TextField, models.JSONField)
PROFILE_RELATIONS = ("assignment", "judgement", "comment")


class BoundedPaginator(Paginator):  # type: ignore[type-arg]
    """Count at most MAX_ROWS: counting all comments would take a minute."""

    @cached_property
    def count(self) -> int:
        rows: Any = self.object_list
        return int(rows[:MAX_ROWS].count())


class ReadOnlyAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """A list of the newest rows of a table, and a page for each row."""

    ordering = ("-pk",)
    paginator = BoundedPaginator
    list_per_page = 100
    list_max_show_all = 0
    show_full_result_count = False
    sortable_by = ()
    actions = None
    search_fields = ("pk",)
    search_help_text = f"Search by id. The list shows the newest {MAX_ROWS:,} rows; the search covers all of them."
    change_form_template = "admin/row.html"

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    has_change_permission = has_delete_permission = has_add_permission

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return True  # admin_view has already refused everybody else

    def has_module_permission(self, request: HttpRequest) -> bool:
        return True

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest | None = None) -> bool:
        """Allow no filters in the URL: they could reveal a hidden field letter by letter."""
        return False

    def get_search_results(
        self, request: HttpRequest, queryset: "models.QuerySet[Any]", search_term: str
    ) -> "tuple[models.QuerySet[Any], bool]":
        if not search_term:
            return queryset, False
        return queryset.filter(pk=read_number(search_term)), False

    def get_list_display(self, request: HttpRequest) -> list[Any]:
        """Show the ids of related rows, so that only this table is read."""
        columns = [f for f in self._visible_fields() if not isinstance(f, LONG_FIELDS) and f.name not in DETAIL_FIELDS]
        return sorted((f.attname for f in columns), key=lambda name: name != self.opts.pk.attname)

    def get_fields(self, request: HttpRequest, obj: Any = None) -> list[Any]:
        return [f.name for f in self._visible_fields()]

    get_readonly_fields = get_fields

    def get_urls(self) -> list[URLPattern]:
        """Only the list and the rows: nothing that could write has a URL."""
        return [url for url in super().get_urls() if (url.name or "").endswith(("_changelist", "_change"))]

    def render_change_form(self, request: Any, context: Any, *args: Any, **kwargs: Any) -> HttpResponse:
        if profile := profile_of(kwargs.get("obj")):
            record_view(profile, by=request.user, page="database tables", request=request)
        return super().render_change_form(request, context, *args, **kwargs)

    def _visible_fields(self) -> "list[models.Field[Any, Any]]":
        fields = self.opts.concrete_fields
        return [f for f in fields if f.name not in HIDDEN_FIELDS and not isinstance(f, models.BinaryField)]


class ReadOnlySite(admin.AdminSite):
    """Django's admin without its sign-in, its log and everything that writes."""

    site_title = "Telltale"
    site_header = "Database tables"
    index_title = "All tables, read-only"
    site_url = "/audit/"
    index_template = "admin/tables.html"
    enable_nav_sidebar = False
    final_catch_all_view = False
    pages = frozenset({"index", "jsi18n", "app_list"})

    def register_all(self) -> "ReadOnlySite":
        """Register every table that is not hidden, so that new ones need no entry here."""
        our_models = (model for app in APPS for model in apps.get_app_config(app).get_models())
        self.register([m for m in our_models if m._meta.label_lower not in HIDDEN_TABLES], ReadOnlyAdmin)
        return self

    def has_permission(self, request: Any) -> bool:
        return bool(request.user.is_active and request.user.has_role(Role.ADMIN))

    def admin_view(self, view: Any, cacheable: bool = False) -> Any:
        """Treat it like every admin page: the usual sign-in, and 404 for everybody else."""
        return admin_required(require_safe(super().admin_view(view, cacheable)))

    def get_urls(self) -> list[URLPattern | URLResolver]:
        urls = super().get_urls()
        return [url for url in urls if isinstance(url, URLResolver) or url.name in self.pages]


def profile_of(row: Any) -> int | None:
    """The id of the profile that a row is about, if any. History rows can outlive the rows they refer to."""
    if isinstance(row, Profile):
        return row.pk
    if profile_id := getattr(row, "profile_id", None):
        return int(profile_id)
    for relation in PROFILE_RELATIONS:
        if getattr(row, f"{relation}_id", None):
            return _profile_through(row, relation)
    return None


def _profile_through(row: Any, relation: str) -> int | None:
    try:
        return profile_of(getattr(row, relation))
    except ObjectDoesNotExist:
        return None
