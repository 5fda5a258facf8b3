"""Decorators that restrict views to roles."""

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
    """Require one of the roles. Others get 404, because 403 would reveal that the page exists."""

    def decorate(view: View[P]) -> View[P]:
        @wraps(view)
        def wrapper(request: AnnotatorRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
            if not request.user.has_role(*roles):
                raise Http404
            return view(request, *args, **kwargs)

        return login_required(wrapper)  # type: ignore[return-value]

    return decorate


def script_login_required(view: View[P]) -> View[P]:
    """Like login_required, for requests from scripts: 401 with a message instead of a redirect to sign in."""

    @wraps(view)
    def wrapper(request: AnnotatorRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        person: object = request.user
        if not isinstance(person, Annotator):
            return JsonResponse({"problem": "You’ve been signed out. Sign in again: nothing is lost."}, status=401)
        return view(request, *args, **kwargs)

    return wrapper  # type: ignore[return-value]


admin_required = role_required(Role.ADMIN)
staff_required = role_required(Role.ADMIN, Role.RESEARCHER)
