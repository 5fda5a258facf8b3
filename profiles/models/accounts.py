"""The account behind a pseudonym, kept apart from everything else."""

from django.db import models

from profiles.models.corpora import Profile


class AccountName(models.Model):
    """A Reddit account's name, encrypted. No page reads this table except to answer an admin who asks."""

    profile = models.OneToOneField(Profile, on_delete=models.CASCADE, primary_key=True, related_name="account_name")
    sealed = models.BinaryField()

    def __str__(self) -> str:
        return f"account of profile {self.profile_id}"
