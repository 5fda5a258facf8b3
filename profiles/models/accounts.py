"""The accounts behind pseudonyms, stored apart from everything else, and forgotten accounts."""

import pgtrigger
from django.db import models
from django.db.models.functions import Now

from profiles.models.corpora import Profile


class AccountName(models.Model):
    """The encrypted name of a Reddit account. Only one page reads it, when an admin asks."""

    profile = models.OneToOneField(Profile, on_delete=models.CASCADE, primary_key=True, related_name="account_name")
    sealed = models.BinaryField()

    def __str__(self) -> str:
        return f"account of profile {self.profile_id}"


class ForgottenAccount(models.Model):
    """An account that was removed and must not be loaded again. The row does not reveal whose it was."""

    account_digest = models.BinaryField(
        max_length=16, unique=True, help_text="The digest of the account name, as in a profile."
    )
    forgotten_at = models.DateTimeField(db_default=Now())
    removed = models.JSONField(default=dict, help_text="Number of rows of each kind that were removed.")

    class Meta:
        triggers = [pgtrigger.Protect(name="forgotten_account_never_edited", operation=pgtrigger.Update)]

    def __str__(self) -> str:
        return f"forgotten account {self.pk}"
