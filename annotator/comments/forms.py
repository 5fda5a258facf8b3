"""The filter bar above a profile's comments."""

from typing import Any

from django import forms

from annotator.comments.filters import CommentFilter

MAX_POSITION = 10**7


class CommentFilterForm(forms.Form):
    """Invalid fields are ignored, so that a page is never refused because of its filter."""

    q = forms.CharField(required=False, max_length=200, label="Search")
    only = forms.BooleanField(required=False, label="Only matches")
    subreddit = forms.CharField(required=False, max_length=50)
    year = forms.IntegerField(required=False, min_value=1970, max_value=9998)
    found = forms.BooleanField(required=False, label="Only with detections")
    first = forms.IntegerField(required=False, min_value=0, max_value=MAX_POSITION)

    @property
    def comment_filter(self) -> CommentFilter:
        fields = self._valid_fields
        return CommentFilter(
            words=fields.get("q") or "",
            matches_only=bool(fields.get("only")),
            subreddit=fields.get("subreddit") or "",
            year=fields.get("year"),
            found_only=bool(fields.get("found")),
        )

    @property
    def first_position(self) -> int:
        return int(self._valid_fields.get("first") or 0)

    @property
    def _valid_fields(self) -> dict[str, Any]:
        self.is_valid()
        return self.cleaned_data
