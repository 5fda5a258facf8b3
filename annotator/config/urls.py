"""The root: our pages, the library's sign-in pages, the machines' pages."""

from django.urls import include, path

from annotator.site.admin import BackRoom

urlpatterns = [
    path("", include("annotator.urls")),
    path("", include("evaluation.urls")),
    path("account/", include("allauth.account.urls")),
    path("account/two-factor/", include("allauth.mfa.urls")),
    path("backroom/", BackRoom().fill().urls),
]
handler400 = "annotator.site.views.errors.bad_request"
handler403 = "annotator.site.views.errors.forbidden"
handler404 = "annotator.site.views.errors.not_found"
handler500 = "annotator.site.views.errors.server_error"
