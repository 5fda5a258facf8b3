"""All URLs: our pages, allauth's, and the read-only admin."""

from django.urls import include, path

from annotator.site.admin import ReadOnlySite

urlpatterns = [
    path("", include("annotator.urls")),
    path("", include("evaluation.urls")),
    path("account/", include("allauth.account.urls")),
    path("account/two-factor/", include("allauth.mfa.urls")),
    path("tables/", ReadOnlySite().register_all().urls),
]
handler400 = "annotator.site.views.errors.bad_request"
handler403 = "annotator.site.views.errors.forbidden"
handler404 = "annotator.site.views.errors.not_found"
handler500 = "annotator.site.views.errors.server_error"
