from django.urls import path

from annotator.views import account_names, privacy

privacy_urls = [
    path("privacy/", privacy.privacy, name="privacy"),
    path("privacy/check/", privacy.check_account, name="check_account"),
    path("privacy/forget/", privacy.forget_account, name="forget_account"),
    path("profiles/<int:profile_id>/account-name/", account_names.see_account_name, name="see_account_name"),
]
