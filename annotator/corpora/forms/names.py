"""The form for renaming a corpus."""

from django import forms

from profiles.models import Corpus


class CorpusNameForm(forms.ModelForm):  # type: ignore[type-arg]
    class Meta:
        model = Corpus
        fields = ["name"]
        labels = {"name": "Name of the corpus"}
