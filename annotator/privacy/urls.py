from django.urls import path

from annotator.privacy import views

privacy_urls = [
    path("privacy/", views.privacy, name="privacy"),
    path("privacy/check/", views.check_account, name="check_account"),
    path("privacy/forget/", views.forget_account, name="forget_account"),
]
