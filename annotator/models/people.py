"""The people who use Telltale, their roles, and invitations."""

import secrets

from django.contrib.auth.models import AbstractUser, UserManager
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower, Now
from django.utils import timezone

CODE_LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"  # without 0/O and 1/I, which are easily misread


class Role(models.TextChoices):
    EVALUATOR = "evaluator", "Evaluator"
    ADMIN = "admin", "Admin"
    RESEARCHER = "researcher", "Researcher"


class TextSize(models.TextChoices):
    SMALL = "small", "Small"
    NORMAL = "normal", "Normal"
    LARGE = "large", "Large"
    VERY_LARGE = "very-large", "Very large"


class Density(models.TextChoices):
    COMPACT = "compact", "Compact"
    NORMAL = "normal", "Normal"
    ROOMY = "roomy", "Roomy"


def new_code() -> str:
    """The code that stands for a person in exports."""
    return "A-" + "".join(secrets.choice(CODE_LETTERS) for _ in range(6))


def new_nonce() -> str:
    return secrets.token_urlsafe(16)


def roles_field() -> "ArrayField[list[str], list[str]]":
    return ArrayField(models.CharField(max_length=20, choices=Role.choices), default=list, blank=True)


class AnnotatorManager(UserManager["Annotator"]):
    def active_evaluators(self) -> "models.QuerySet[Annotator]":
        """Everybody who can be given profiles to label, by name."""
        active = self.filter(is_active=True, is_imported=False, roles__contains=[Role.EVALUATOR.value])
        return active.order_by("display_name", "pk")


class Annotator(AbstractUser):
    """A user. Roles alone decide what they may do (see `annotator/core/access.py`)."""

    first_name = None  # type: ignore[assignment]  # people have one name, as they write it
    last_name = None  # type: ignore[assignment]
    display_name = models.CharField(max_length=80)
    roles = roles_field()
    code = models.CharField(max_length=10, unique=True, default=new_code, editable=False)
    welcomed_at = models.DateTimeField(
        null=True, blank=True, help_text="When an evaluator confirmed that they had read the guidelines."
    )
    is_imported = models.BooleanField(default=False, help_text="Someone from another study, who can't sign in.")
    text_size = models.CharField(max_length=10, choices=TextSize.choices, default=TextSize.NORMAL)
    density = models.CharField(max_length=10, choices=Density.choices, default=Density.NORMAL)
    break_reminders = models.BooleanField("Remind me to take a break", default=True)

    REQUIRED_FIELDS = ["email", "display_name"]
    objects = AnnotatorManager()  # type: ignore[misc]

    class Meta:
        constraints = [
            models.UniqueConstraint(
                Lower("username"),
                name="annotator_username_unique_in_any_case",
                violation_error_message="Somebody already has this user name. Choose another.",
            ),
            models.UniqueConstraint(
                Lower("email"),
                condition=~Q(email=""),
                name="annotator_email_unique",
                violation_error_message="Somebody already uses this e-mail address.",
            ),
            models.CheckConstraint(condition=Q(roles__contained_by=Role.values), name="annotator_roles_are_known"),
            models.CheckConstraint(condition=Q(text_size__in=TextSize.values), name="annotator_text_size_is_known"),
            models.CheckConstraint(condition=Q(density__in=Density.values), name="annotator_density_is_known"),
        ]

    def __str__(self) -> str:
        return self.display_name

    def has_role(self, *roles: Role) -> bool:
        return any(role.value in self.roles for role in roles)


class InvitationQuerySet(models.QuerySet["Invitation"]):
    def open(self) -> "InvitationQuerySet":
        return self.filter(used_at=None, revoked_at=None, expires_at__gt=timezone.now())


class Invitation(models.Model):
    """A one-time link to join: whoever opens it chooses a name and a password and gets its roles."""

    roles = roles_field()
    email = models.EmailField(blank=True)
    nonce = models.CharField(max_length=32, default=new_nonce, editable=False)
    created_by = models.ForeignKey(Annotator, null=True, on_delete=models.PROTECT, related_name="invitations_made")
    created_at = models.DateTimeField(db_default=Now())
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)
    used_by = models.OneToOneField(Annotator, null=True, on_delete=models.PROTECT, related_name="invitation")
    revoked_at = models.DateTimeField(null=True, blank=True)

    objects = InvitationQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(roles__contained_by=Role.values) & ~Q(roles=[]), name="invitation_gives_known_roles"
            ),
            models.CheckConstraint(
                condition=Q(used_at=None, used_by=None) | Q(used_at__isnull=False, used_by__isnull=False),
                name="invitation_used_by_somebody",
            ),
        ]

    def __str__(self) -> str:
        return f"invitation {self.pk}"

    @property
    def is_open(self) -> bool:
        """As `Invitation.objects.open()`."""
        return self.used_at is None and self.revoked_at is None and self.expires_at > timezone.now()
