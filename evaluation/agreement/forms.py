"""What a script may ask of the agreement pages."""

from django import forms


class DownloadForm(forms.Form):
    """A file of the newest figures, or of one `report`. `asked_at` repeats an earlier request that had to wait."""

    format = forms.ChoiceField(choices=[("json", "JSON"), ("csv", "CSV")])
    report = forms.IntegerField(required=False, min_value=1, max_value=2**63 - 1)
    asked_at = forms.DateTimeField(required=False)
