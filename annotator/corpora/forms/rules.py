"""The form for the rules of an import."""

import re
from collections.abc import Iterator
from typing import Any

from django import forms
from django.core.files import File
from django.db.models import TextChoices

from profiles.ingest.options import ALL, OUR_LIST, Options

MAX_BYTES = 1_000_000
SUBREDDIT_NAME = re.compile(r"[A-Za-z0-9_:.-]{2,50}")
MAX_NUMBER = 1_000_000_000
DEFAULTS = Options()


class SubredditSource(TextChoices):
    OURS = OUR_LIST, "On our list"
    ALL = ALL, "All"
    FILE = "file", "In a file"


class UnusableList(Exception):
    """The list of subreddits cannot be used; the message says why."""


class RulesForm(forms.Form):
    """The fields of `Options`, which checks them together as it does for the command line."""

    since = forms.DateField(label="Written on or after", initial=DEFAULTS.since)
    until = forms.DateField(label="Written before", initial=DEFAULTS.until)
    which = forms.ChoiceField(
        label="Subreddits", choices=SubredditSource.choices, initial=SubredditSource.OURS, widget=forms.RadioSelect
    )
    names = forms.FileField(
        label="List of subreddits", required=False, help_text="One name per line, with or without r/. Up to 1 MB."
    )
    as_study = forms.BooleanField(
        label="Use the rules of the original study",
        required=False,
        help_text="Comments from 2012 to 2015 with at least 10 characters, and nothing else removed or changed. "
        "Every other rule on this page except the subreddits is ignored.",
    )
    min_chars = forms.IntegerField(
        label="Minimum characters per comment", initial=DEFAULTS.min_chars, min_value=1, max_value=40_000
    )
    min_comments = forms.IntegerField(
        label="Minimum comments per profile", initial=DEFAULTS.min_comments, min_value=1, max_value=MAX_NUMBER
    )
    max_comments = forms.IntegerField(
        label="Maximum comments per profile", required=False, min_value=1, max_value=MAX_NUMBER
    )
    sample = forms.IntegerField(
        label="Sample size",
        required=False,
        min_value=1,
        max_value=MAX_NUMBER,
        help_text="Keep only this many profiles, drawn at random.",
    )
    seed = forms.IntegerField(label="Seed", initial=DEFAULTS.seed, min_value=0, max_value=MAX_NUMBER)
    keep_bots = forms.BooleanField(
        label="Keep bots",
        required=False,
        help_text="Otherwise known bots, and accounts that write like one, are removed.",
    )
    keep_duplicates = forms.BooleanField(
        label="Keep duplicates", required=False, help_text="Otherwise a comment that appears twice is loaded once."
    )
    keep_quotes = forms.BooleanField(
        label="Keep quoted lines", required=False, help_text="Otherwise lines that start with > are removed."
    )
    keep_entities = forms.BooleanField(
        label="Keep HTML entities", required=False, help_text="Otherwise &amp; is turned back into &."
    )
    options: Options

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for day in ("since", "until"):
            self.fields[day].widget = forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"})

    def clean(self) -> dict[str, Any]:
        cleaned = self.cleaned_data
        if not self.errors:
            try:
                self.options = self._options(cleaned)
            except ValueError as error:
                self.add_error(None, str(error))
            except UnusableList as error:
                self.add_error("names", str(error))
        return cleaned

    def _options(self, cleaned: dict[str, Any]) -> Options:
        values = {name: cleaned[name] for name in Options.__dataclass_fields__ if name in cleaned and name != "names"}
        source, names = _subreddit_list(cleaned)
        options = Options(**values, subreddits=source).with_names(names)
        return options.as_study() if cleaned["as_study"] else options


def _subreddit_list(cleaned: dict[str, Any]) -> tuple[str, list[str]]:
    """Return the source of the list, and its names if the source is a file."""
    if cleaned["which"] != SubredditSource.FILE:
        return cleaned["which"], []
    file: File[bytes] | None = cleaned["names"]
    if file is None:
        raise UnusableList("Choose a file with the subreddits.")
    name = f"{file.name}"[-100:]
    return (f"{name}.txt" if name in SubredditSource.values else name), list(_read_names(file.read(MAX_BYTES + 1)))


def _read_names(data: bytes) -> Iterator[str]:
    if len(data) > MAX_BYTES:
        raise UnusableList("The file is larger than 1 MB. Nothing was imported.")
    try:
        lines = data.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise UnusableList("The file is not UTF-8 text. Save it as plain text.") from error
    for number, line in enumerate(lines, 1):
        name = re.sub(r"^/?r/", "", line.strip(), flags=re.IGNORECASE)
        if name and not SUBREDDIT_NAME.fullmatch(name):
            raise UnusableList(f"Line {number} is not a subreddit name. Write one name per line and nothing else.")
        if name:
            yield name
