"""Sessions in Postgres. A session and its person are loaded with one query, because every request needs both."""

from contextvars import ContextVar
from typing import Any, cast

from django.contrib.auth import SESSION_KEY, get_user
from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends import db
from django.http import HttpRequest
from django.utils import timezone
from django.utils.functional import SimpleLazyObject

from annotator.core.sql import Rows
from annotator.models import Annotator, Session

SESSION = Rows(
    """
    SELECT {columns} FROM annotator_session session
    LEFT JOIN annotator_annotator person ON person.id = session.person_id
    WHERE session.session_key = %(key)s AND session.expire_date > %(now)s
    """,
    {"session": Session, "person": Annotator},
)
# The person of the session being verified. Django calls the backend without the request, so it can't be passed along.
being_verified: ContextVar[Annotator | None] = ContextVar("being_verified", default=None)


class SessionStore(db.SessionStore):
    person: Annotator | None = None  # when the session was read

    @classmethod
    def get_model_class(cls) -> type[Session]:
        return Session

    def load(self) -> dict[str, Any]:
        """1 query."""
        row = SESSION.first({"key": self.session_key, "now": timezone.now()})
        if row is None:
            self._session_key = None
            return {}
        session, person = row
        self.person = person if person.pk else None
        return dict(self.decode(session.session_data))

    def create_model_instance(self, data: dict[str, Any]) -> Session:
        session = cast(Session, super().create_model_instance(data))
        session.person_id = data.get(SESSION_KEY)
        return session


class PersonMiddleware(AuthenticationMiddleware):
    def process_request(self, request: HttpRequest) -> None:
        super().process_request(request)
        request.user = cast(Annotator, SimpleLazyObject(lambda: _person_of(request)))


def _person_of(request: HttpRequest) -> Annotator | AnonymousUser:
    """Django verifies the session; the person was loaded with it. 1 query, none without a session."""
    session = cast(SessionStore, request.session)
    session.get(SESSION_KEY)  # reads it
    token = being_verified.set(session.person)
    try:
        return get_user(request)
    finally:
        being_verified.reset(token)
