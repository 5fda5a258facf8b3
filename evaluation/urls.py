"""Every page of the app, feature by feature."""

from evaluation.agreement.urls import agreement_urls

app_name = "evaluation"
urlpatterns = [*agreement_urls]
