"""The demo study's accounts. Apart from the study, whose libraries take long to import."""

from django.utils import timezone

from annotator.models import Annotator, Role
from profiles.models import Corpus

DEMO_PASSWORD = "telltale-demo"  # noqa: S105 meant to be read: these accounts exist on loopback only
PEOPLE = {
    "admin": ("Ines Admin", [Role.ADMIN]),
    "eva": ("Eva Evaluator", [Role.EVALUATOR]),
    "ben": ("Ben Evaluator", [Role.EVALUATOR]),
    "rita": ("Rita Researcher", [Role.RESEARCHER]),
}


def study_is_empty() -> bool:
    return not Annotator.objects.exists() and not Corpus.objects.exists()


def demo_people() -> list[Annotator]:
    """The demo accounts that still have the demo password, for the summary of `bin/up`."""
    people = Annotator.objects.filter(username__in=PEOPLE, is_active=True).order_by("pk")
    return [person for person in people if person.check_password(DEMO_PASSWORD)]


def make_people(*, with_passwords: bool) -> dict[str, Annotator]:
    password = DEMO_PASSWORD if with_passwords else None
    return {
        username: Annotator.objects.create_user(
            username,
            "",
            password,
            display_name=name,
            roles=[role.value for role in roles],
            welcomed_at=timezone.now(),
        )
        for username, (name, roles) in PEOPLE.items()
    }
