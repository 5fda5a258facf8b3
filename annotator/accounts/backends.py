"""Sign-in through allauth. The person of a session is already loaded with the session."""

from allauth.account.auth_backends import AuthenticationBackend

from annotator.accounts.sessions import being_verified
from annotator.models import Annotator


class SignInBackend(AuthenticationBackend):  # type: ignore[misc]
    def get_user(self, user_id: int) -> Annotator | None:
        """Same as Django's, but without a query if the session being verified belongs to this person."""
        person = being_verified.get()
        if person is None or person.pk != user_id:
            return super().get_user(user_id)  # type: ignore[no-any-return]
        return person if self.user_can_authenticate(person) else None
