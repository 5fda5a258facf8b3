"""Django's default messages, in the words of our own.

The messages are attributes that Django documents for fields and validators. They are set once, when the app is ready,
so that no form has to repeat them. A field or form that has words of its own keeps them.
"""

from django import forms
from django.apps import apps
from django.core import validators
from django.db import models

FIELDS: dict[type[forms.Field], dict[str, str]] = {
    forms.ChoiceField: {"invalid_choice": "“%(value)s” is not one of the choices."},
    forms.MultipleChoiceField: {
        "invalid_choice": "“%(value)s” is not one of the choices.",
        "invalid_list": "Choose from the list.",
    },
    forms.ModelChoiceField: {"invalid_choice": "This is no longer one of the choices. Choose another."},
    forms.ModelMultipleChoiceField: {
        "invalid_list": "Choose from the list.",
        "invalid_choice": "“%(value)s” is no longer one of the choices.",
        "invalid_pk_value": "“%(pk)s” is not one of the choices.",
    },
    forms.DateField: {"invalid": "Enter a date, such as 2014-06-30."},
    forms.FileField: {
        "invalid": "The file didn’t arrive. Choose it again.",
        "missing": "Choose a file.",
        "empty": "This file is empty. Choose another.",
        "max_length": "The file’s name has %(length)d characters. Shorten it to %(max)d.",
    },
}
VALIDATORS: dict[type, str] = {
    validators.EmailValidator: "Enter a valid e-mail address.",
    validators.MinValueValidator: "Enter %(limit_value)s or more.",
    validators.MaxValueValidator: "Enter %(limit_value)s or less.",
    validators.StepValueValidator: "Enter a multiple of %(limit_value)s.",
    validators.MinLengthValidator: "Use at least %(limit_value)d characters; this has %(show_value)d.",
    validators.MaxLengthValidator: "Use at most %(limit_value)d characters; this has %(show_value)d.",
    validators.ProhibitNullCharactersValidator: "This contains a null character, which can’t be stored. Remove it.",
    validators.FileExtensionValidator: "Files that end in “%(extension)s” can’t be used. Use one of: "
    "%(allowed_extensions)s.",
}
TAKEN = "This is already in use. Choose something else."
REFUSED = "This doesn’t go together with what is stored. Check the form."


def use_plain_messages() -> None:
    for field, messages in FIELDS.items():
        field.default_error_messages = {**field.default_error_messages, **messages}
    for validator, message in VALIDATORS.items():
        validator.message = message  # type: ignore[attr-defined]
    models.Field.default_error_messages = {**models.Field.default_error_messages, "unique": TAKEN}
    _explain_constraints()


def _explain_constraints() -> None:
    """Constraints of loaded models took the message when they were made.

    They get the new one too, or migrations would take the old one for a message of their own.
    """
    earlier = models.BaseConstraint.default_violation_error_message
    models.BaseConstraint.default_violation_error_message = REFUSED
    constraints = (constraint for model in apps.get_models() for constraint in model._meta.constraints)
    for constraint in constraints:
        if constraint.violation_error_message == earlier:
            constraint.violation_error_message = REFUSED
