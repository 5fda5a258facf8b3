"""The root: our pages, the library's sign-in pages, the machines' pages."""

from django.urls import include, path

urlpatterns = [
    path("", include("annotator.urls")),
    path("account/", include("allauth.account.urls")),
    path("account/two-factor/", include("allauth.mfa.urls")),
]
handler400 = "annotator.views.errors.bad_request"
handler403 = "annotator.views.errors.forbidden"
handler404 = "annotator.views.errors.not_found"
handler500 = "annotator.views.errors.server_error"
