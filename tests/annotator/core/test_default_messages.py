"""Django's default messages are in our words wherever a form shows them."""

import pytest
from django import forms
from django.apps import apps
from django.core import validators
from django.core.files.uploadedfile import SimpleUploadedFile

from annotator.core.default_messages import FIELDS, VALIDATORS
from annotator.models import GuidelineVersion

FOREIGN = ("Ensure", "Select a valid", "valid email", "submitted", "encoding type", "Null characters", "is violated")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        (forms.IntegerField(min_value=1), 0),
        (forms.IntegerField(max_value=9), 10),
        (forms.IntegerField(step_size=5), 7),
        (forms.CharField(max_length=3), "four"),
        (forms.CharField(min_length=3), "t"),
        (forms.CharField(), "\x00"),
        (forms.EmailField(), "nobody"),
        (forms.DateField(), "yesterday"),
        (forms.ChoiceField(choices=[("a", "A")]), "b"),
        (forms.TypedChoiceField(choices=[("a", "A")]), "b"),
        (forms.MultipleChoiceField(choices=[("a", "A")]), ["b"]),
        (forms.MultipleChoiceField(choices=[("a", "A")]), "b"),
        (forms.FileField(), SimpleUploadedFile("empty.txt", b"")),
        (forms.FileField(), "not a file"),
        (forms.FileField(validators=[validators.FileExtensionValidator(["csv"])]), SimpleUploadedFile("a.exe", b"x")),
    ],
)
def test_a_refused_value_gets_a_plain_message(field, value):
    with pytest.raises(forms.ValidationError) as refusal:
        field.clean(value)
    for message in refusal.value.messages:
        assert not any(words in message for words in FOREIGN), message
        assert message.endswith(".")


@pytest.mark.django_db
def test_a_choice_that_is_gone_gets_a_plain_message():
    field = forms.ModelChoiceField(GuidelineVersion.objects.all())
    with pytest.raises(forms.ValidationError) as refusal:
        field.clean("999999")
    assert refusal.value.messages == [FIELDS[forms.ModelChoiceField]["invalid_choice"]]


def test_django_still_has_every_message_that_is_replaced():
    for field, messages in FIELDS.items():
        known = {key for parent in field.__mro__ for key in getattr(parent, "default_error_messages", {})}
        assert set(messages) <= known, field
    assert all(validator.message == message for validator, message in VALIDATORS.items())


def test_constraints_of_loaded_models_have_no_message_that_migrations_would_see():
    constraints = [constraint for model in apps.get_models() for constraint in model._meta.constraints]
    assert {type(constraint.clone()) for constraint in constraints} == {type(constraint) for constraint in constraints}
