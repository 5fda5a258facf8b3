"""The one place where roles are checked."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse, JsonResponse

from annotator.core.http import AnnotatorRequest
from annotator.models import Annotator, Role

P = ParamSpec("P")
View = Callable[Concatenate[AnnotatorRequest, P], HttpResponse]


def role_required(*roles: Role) -> Callable[[View[P]], View[P]]:
    """Only people with one of the roles. For others the page does not exist: 404 tells nothing, 403 would."""

    def decorate(view: View[P]) -> View[P]:
        @wraps(view)
        def guarded(request: AnnotatorRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
            if not request.user.has_role(*roles):
                raise Http404
            return view(request, *args, **kwargs)

        return login_required(guarded)  # type: ignore[return-value]

    return decorate


def seated(view: View[P]) -> View[P]:
    """For what a page asks by script: whoever is signed out gets 401 and words, not a page to sign in."""

    @wraps(view)
    def guarded(request: AnnotatorRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        person: object = request.user
        if not isinstance(person, Annotator):
            return JsonResponse({"problem": "You were signed out. Sign in again; nothing is lost."}, status=401)
        return view(request, *args, **kwargs)

    return guarded  # type: ignore[return-value]


admin_required = role_required(Role.ADMIN)
staff_required = role_required(Role.ADMIN, Role.RESEARCHER)
