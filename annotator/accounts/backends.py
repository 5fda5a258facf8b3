"""Sign-in through allauth, and the person of a session with one cheap query, because every request asks for it."""

from allauth.account.auth_backends import AuthenticationBackend

from annotator.core.sql import Rows
from annotator.models import Annotator

PERSON = Rows("SELECT {columns} FROM annotator_annotator person WHERE id = %(person)s", {"person": Annotator})


class SignInBackend(AuthenticationBackend):  # type: ignore[misc]
    def get_user(self, user_id: int) -> Annotator | None:
        """Same as Django's, at a fifth of the cost. 1 query."""
        row = PERSON.first({"person": user_id})
        return row[0] if row and self.user_can_authenticate(row[0]) else None
