"""The demo study's accounts. Apart from the study, whose libraries take long to import."""

from django.contrib.auth.hashers import check_password, make_password
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
    matches = {digest: check_password(DEMO_PASSWORD, digest) for digest in {person.password for person in people}}
    return [person for person in people if matches[person.password]]


def make_people(*, with_passwords: bool) -> dict[str, Annotator]:
    """Create the accounts. Their password is public, so all have the same digest, which takes a moment to compute."""
    digest = make_password(DEMO_PASSWORD if with_passwords else None)
    return {
        username: Annotator.objects.create(
            username=username,
            password=digest,
            display_name=name,
            roles=[role.value for role in roles],
            welcomed_at=timezone.now(),
        )
        for username, (name, roles) in PEOPLE.items()
    }
