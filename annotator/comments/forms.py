"""What a reader may narrow a profile's comments down to."""

from typing import Any

from django import forms

from annotator.comments.filters import Wanted

MOST = 10**7


class ReadingForm(forms.Form):
    """The filter bar. What cannot be read is left out: a page is never refused for its filter."""

    q = forms.CharField(required=False, max_length=200, label="Search")
    subreddit = forms.CharField(required=False, max_length=50)
    year = forms.IntegerField(required=False, min_value=1970, max_value=9998)
    found = forms.BooleanField(required=False, label="Only with detections")
    first = forms.IntegerField(required=False, min_value=0, max_value=MOST)

    @property
    def wanted(self) -> Wanted:
        said = self._understood
        return Wanted(
            said.get("q") or "", said.get("subreddit") or "", said.get("year"), found_only=bool(said.get("found"))
        )

    @property
    def first_position(self) -> int:
        return int(self._understood.get("first") or 0)

    @property
    def _understood(self) -> dict[str, Any]:
        self.is_valid()
        return self.cleaned_data
