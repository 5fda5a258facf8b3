"""The type of requests in our views: somebody is signed in, and htmx may have sent the request."""

from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails

from annotator.models import Annotator


class AnnotatorRequest(HttpRequest):
    user: Annotator
    htmx: HtmxDetails
