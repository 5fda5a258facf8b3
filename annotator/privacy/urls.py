from django.urls import path

from annotator.privacy.views import account_name, takedown

privacy_urls = [
    path("privacy/", takedown.privacy, name="privacy"),
    path("privacy/check/", takedown.check_account, name="check_account"),
    path("privacy/forget/", takedown.forget_account, name="forget_account"),
    path("profiles/<int:profile_id>/account-name/", account_name.see_account_name, name="see_account_name"),
]
