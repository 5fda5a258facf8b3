"""Forms for practice batches and planted profiles."""

from typing import Any

from django import forms

from annotator.models import Batch
from profiles.models import Corpus

NONE_NEEDED = "No practice needed"


def corpora_with_answers() -> Any:
    return (
        Corpus.objects.ready().current().filter(profiles__known_answers__isnull=False).distinct().order_by("name", "pk")
    )


class PracticeForm(forms.Form):
    name = forms.CharField(max_length=100, help_text="Evaluators see this name in their list of batches.")
    corpus = forms.ModelChoiceField(
        Corpus.objects.none(), empty_label=None, help_text="Only corpora with known answers."
    )
    size = forms.IntegerField(
        label="Profiles", min_value=1, max_value=20, initial=3,
        help_text="Profiles with several attributes of varied hardness come first.",
    )  # fmt: skip

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["corpus"].queryset = corpora_with_answers()  # type: ignore[attr-defined]


class FlagReplyForm(forms.Form):
    reply = forms.CharField(required=False, max_length=1000)


class AgreementForm(forms.Form):
    shown = forms.BooleanField(
        label="Evaluators see their own agreement on planted profiles", required=False,
        help_text="On “My work”, for each batch and updated once a day. It tells them that profiles were planted.",
    )  # fmt: skip


class PlantForm(forms.Form):
    count = forms.IntegerField(label="Known profiles", min_value=1, max_value=50, initial=2)
    seed = forms.IntegerField(
        min_value=0, max_value=2**31, initial=1, help_text="Determines which profiles are planted, and where."
    )


class RequirePracticeForm(forms.Form):
    practice = forms.ModelChoiceField(
        Batch.objects.none(), required=False, empty_label=NONE_NEEDED, label="Practice batch"
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        practices = Batch.objects.open().filter(is_practice=True).order_by("name")
        self.fields["practice"].queryset = practices  # type: ignore[attr-defined]
