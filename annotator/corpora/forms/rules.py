"""What a person may say about the rules a corpus is made by."""

import re
from collections.abc import Iterator
from typing import Any

from django import forms
from django.core.files import File
from django.db.models import TextChoices

from profiles.ingest.options import ALL, OUR_LIST, Options

MOST_BYTES = 1_000_000
NAME = re.compile(r"[A-Za-z0-9_:.-]{2,50}")
MOST = 1_000_000_000
START = Options()


class Which(TextChoices):
    OURS = OUR_LIST, "Those on our list"
    ALL = ALL, "All"
    FILE = "file", "Those in a file"


class Unfit(Exception):
    """A list of names that cannot be used; the message says why."""


class RulesForm(forms.Form):
    """Says what `Options` says; whether it fits together, `Options` decides, as on the command line."""

    since = forms.DateField(label="Written from", initial=START.since)
    until = forms.DateField(label="Until, not included", initial=START.until)
    which = forms.ChoiceField(label="Subreddits", choices=Which.choices, initial=Which.OURS, widget=forms.RadioSelect)
    names = forms.FileField(
        label="File of subreddits", required=False, help_text="One name a line, with or without r/. Up to 1 MB."
    )
    as_study = forms.BooleanField(
        label="As in the study",
        required=False,
        help_text="Comments of 2012 to 2015 of at least 10 characters, with nothing else left out or changed. "
        "Of the rules on this page only the subreddits count then.",
    )
    min_chars = forms.IntegerField(label="Characters at least", initial=START.min_chars, min_value=1, max_value=40_000)
    min_comments = forms.IntegerField(
        label="Comments per profile at least", initial=START.min_comments, min_value=1, max_value=MOST
    )
    max_comments = forms.IntegerField(label="At most", required=False, min_value=1, max_value=MOST)
    sample = forms.IntegerField(
        label="Sample", required=False, min_value=1, max_value=MOST, help_text="So many profiles, drawn at random."
    )
    seed = forms.IntegerField(label="Seed", initial=START.seed, min_value=0, max_value=MOST)
    keep_bots = forms.BooleanField(
        label="Keep bots", required=False, help_text="Otherwise known bots and accounts that write like one go."
    )
    keep_duplicates = forms.BooleanField(
        label="Keep duplicates", required=False, help_text="Otherwise a comment that comes twice is loaded once."
    )
    keep_quotes = forms.BooleanField(
        label="Keep quoted lines", required=False, help_text="Otherwise lines that begin with > are cut out."
    )
    keep_entities = forms.BooleanField(
        label="Keep HTML entities", required=False, help_text="Otherwise &amp; becomes & again."
    )
    options: Options

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for day in ("since", "until"):
            self.fields[day].widget = forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"})

    def clean(self) -> dict[str, Any]:
        said = self.cleaned_data
        if not self.errors:
            try:
                self.options = self._options(said)
            except ValueError as error:
                self.add_error(None, str(error))
            except Unfit as error:
                self.add_error("names", str(error))
        return said

    def _options(self, said: dict[str, Any]) -> Options:
        known = {name: said[name] for name in Options.__dataclass_fields__ if name in said and name != "names"}
        source, names = _listed(said)
        options = Options(**known, subreddits=source).with_names(names)
        return options.as_study() if said["as_study"] else options


def _listed(said: dict[str, Any]) -> tuple[str, list[str]]:
    """Where the list is from, and its names where it is a file."""
    if said["which"] != Which.FILE:
        return said["which"], []
    file: File[bytes] | None = said["names"]
    if file is None:
        raise Unfit("Choose the file with the subreddits.")
    name = f"{file.name}"[-100:]
    return (f"{name}.txt" if name in Which.values else name), list(_names(file.read(MOST_BYTES + 1)))


def _names(data: bytes) -> Iterator[str]:
    if len(data) > MOST_BYTES:
        raise Unfit("The file is larger than 1 MB. Nothing was imported.")
    try:
        lines = data.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise Unfit("The file is not UTF-8 text. Save it as plain text.") from error
    for number, line in enumerate(lines, 1):
        name = re.sub(r"^/?r/", "", line.strip(), flags=re.IGNORECASE)
        if name and not NAME.fullmatch(name):
            raise Unfit(f"Line {number} is no name of a subreddit. Write one name a line and nothing else.")
        if name:
            yield name
