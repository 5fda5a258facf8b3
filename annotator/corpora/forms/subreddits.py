"""Forms for the subreddit list."""

from django import forms
from django.core.files import File

from profiles.attributes import CLOSED_LISTS, Attribute
from profiles.hints.files import MAX_BYTES, HintFile, UnreadableFile, read_hints
from profiles.hints.rules import MAX_LENGTHS, HintRow, InvalidHint, check_hint

DUPLICATE_HINT = "The subreddit already has a hint with this attribute and value. Nothing was changed."
_LISTS = "; ".join(f"{a.label.lower()}: {', '.join(CLOSED_LISTS[a].values)}" for a in CLOSED_LISTS)
VALUE_HELP = (
    f"Places as city / state / country, ages as 27 or 25-35, {_LISTS}. "
    "Leave it empty if the subreddit is about the attribute but does not suggest a value."
)


class SubredditFilterForm(forms.Form):
    q = forms.CharField(label="Search", required=False, max_length=100)
    attribute = forms.ChoiceField(required=False, choices=[("", "All attributes"), *Attribute.choices])


class HintForm(forms.Form):
    """Fields of a hint, checked together by `profiles.hints.rules` as rows of a file are."""

    subreddit = forms.CharField(max_length=MAX_LENGTHS["subreddit"] + 3)  # allows for a leading r/
    attribute = forms.ChoiceField(choices=Attribute.choices)
    value = forms.CharField(required=False, max_length=MAX_LENGTHS["value"], help_text=VALUE_HELP)
    reason = forms.CharField(required=False, max_length=MAX_LENGTHS["reason"], help_text="A few words.")
    row: HintRow

    def __init__(self, *args: object, subreddit: str = "", **kwargs: object) -> None:
        """With a subreddit, leave out the field that asks for it."""
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self.subreddit_name = subreddit
        if subreddit:
            del self.fields["subreddit"]

    def clean(self) -> None:
        if self.errors:
            return
        fields = {"subreddit": self.subreddit_name} | self.cleaned_data
        try:
            self.row = check_hint(**fields)
        except InvalidHint as refusal:
            for field, problem in refusal.problems.items():
                self.add_error(field if field in self.fields else None, problem)


class HintFileForm(forms.Form):
    file = forms.FileField(
        label="CSV file", help_text="With the columns subreddit, attribute, value, reason. UTF-8, up to 5 MB."
    )
    replace = forms.BooleanField(
        label="Replace the list",
        required=False,
        help_text="Also remove every hint that is not in the file. You’ll be asked to confirm.",
    )
    uploaded: bytes
    hints: HintFile

    def clean_file(self) -> "File[bytes]":
        file: File[bytes] = self.cleaned_data["file"]
        self.uploaded = file.read(MAX_BYTES + 1)  # a larger file is refused unread
        try:
            self.hints = read_hints(self.uploaded)
        except UnreadableFile as error:
            raise forms.ValidationError(str(error)) from error
        return file
