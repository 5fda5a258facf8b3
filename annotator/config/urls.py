"""The root: our pages, the library's sign-in pages, the machines' pages."""

from django.urls import include, path

from annotator.backroom import BackRoom

urlpatterns = [
    path("", include("annotator.urls")),
    path("", include("evaluation.urls")),
    path("account/", include("allauth.account.urls")),
    path("account/two-factor/", include("allauth.mfa.urls")),
    path("backroom/", BackRoom().fill().urls),
]
handler400 = "annotator.views.errors.bad_request"
handler403 = "annotator.views.errors.forbidden"
handler404 = "annotator.views.errors.not_found"
handler500 = "annotator.views.errors.server_error"
