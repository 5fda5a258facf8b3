"""Hints and CSV uploads for tests of the subreddit list."""

from django.core.files.uploadedfile import SimpleUploadedFile

from profiles.hints.store import stored_hints
from profiles.models import AttributeHint
from tests.factories import make_subreddit

HEAD = "subreddit,attribute,value,reason\n"
HTMX = {"HX-Request": "true"}
OSLO = {"subreddit": "Oslo", "attribute": "location", "value": "oslo / norway", "reason": "the city"}


def make_hint(subreddit="Oslo", attribute="location", value="oslo / norway", reason="the city"):
    return AttributeHint.objects.create(
        subreddit=make_subreddit(subreddit), attribute=attribute, value=value, reason=reason
    )


def hint_rows():
    return [(hint.subreddit, hint.attribute.value, hint.value, hint.reason) for hint in stored_hints()]


def messages_of(response) -> str:
    return " ".join(str(message) for message in response.context["messages"])


def text_of(response) -> str:
    return str(response.content.decode())


def upload(client, text, *, name="hints.csv", **fields):
    data = text if isinstance(text, bytes) else text.encode()
    return client.post("/subreddits/import/", {"file": SimpleUploadedFile(name, data), **fields})
