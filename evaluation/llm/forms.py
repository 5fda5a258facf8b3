"""The forms for endpoints."""

from typing import Any

from django import forms
from django.utils import timezone

from evaluation.llm.endpoints import NOT_ALLOWED, EndpointRefused, check_address, host_of, is_allowed, is_key
from evaluation.llm.requests import normalise_url
from evaluation.llm.stored_endpoints import COLUMNS, KeyChange
from evaluation.models import ModelEndpoint

PATH = "/chat/completions"  # people paste it with the address
NAME_IS_ADDRESS = "A name can't contain “://”, so that commands can tell it from an address."
KEY_UNUSABLE = "This isn't a valid key. Keys have letters, digits and symbols, and no spaces."
KEY_TWICE = "Either enter a new key or remove the one that is stored, not both."
FUTURE = "This date is in the future."
NOT_A_CURRENCY = "Three letters, such as EUR or USD."
CONFIRM = "Tick this if people's comments may be sent there."
ENDPOINT_REQUIRED = "Choose an endpoint."
NO_PRICES = "The endpoint has no prices. Enter them on its page, or limit the tokens."


class EndpointField(forms.ModelChoiceField):  # type: ignore[type-arg]  # generic for the type checker only
    """Choose a stored endpoint."""

    def label_from_instance(self, row: Any) -> str:
        return row.name if row.model == row.name else f"{row.name} ({row.model})"


class EndpointForm(forms.ModelForm):  # type: ignore[type-arg]
    concurrency = forms.IntegerField(min_value=1, max_value=256, initial=8, label="Requests at once")
    per_minute = forms.IntegerField(
        min_value=1,
        max_value=1_000_000,
        required=False,
        label="Requests per minute",
        help_text="Leave empty for no limit.",
    )
    timeout = forms.IntegerField(min_value=1, max_value=3600, initial=120, label="Timeout in seconds")
    key = forms.CharField(
        required=False, max_length=500,
        widget=forms.PasswordInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )  # fmt: skip
    remove_key = forms.BooleanField(required=False, label="Remove the key")
    version = forms.CharField(required=False, widget=forms.HiddenInput)

    class Meta:
        model = ModelEndpoint
        fields = COLUMNS
        labels = {
            "base_url": "Address", "prompt_price": "Input tokens",
            "completion_price": "Output tokens", "prices_read_on": "As of",
        }  # fmt: skip
        help_texts = {
            "name": "How commands and pages refer to it.",
            "base_url": "OpenAI-compatible, such as http://127.0.0.1:8081/v1.",
            "model": "The model’s name at the endpoint.",
        }
        widgets = {
            "base_url": forms.TextInput(attrs={"inputmode": "url", "spellcheck": "false"}),
            "currency": forms.TextInput(attrs={"placeholder": "EUR"}),
            "prices_read_on": forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        has_key = self.instance.sealed_key is not None
        self.fields["key"].help_text = (
            "A key is stored. Leave empty to keep it." if has_key else "Leave empty if it needs none."
        )
        for name in ("prompt_price", "completion_price"):  # 0.15, not 0.150000
            if (price := getattr(self.instance, name)) is not None:
                self.initial[name] = f"{price.normalize():f}"
        if not has_key:
            del self.fields["remove_key"]

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if "://" in name:
            raise forms.ValidationError(NAME_IS_ADDRESS)
        return name

    def clean_base_url(self) -> str:
        typed: str = self.cleaned_data["base_url"]
        try:
            check_address(typed)
        except EndpointRefused as refusal:
            raise forms.ValidationError(str(refusal)) from refusal
        if not is_allowed(host_of(typed)):
            raise forms.ValidationError(NOT_ALLOWED.format(host=host_of(typed)))
        return normalise_url(normalise_url(typed).removesuffix(PATH))

    def clean_key(self) -> str:
        key: str = self.cleaned_data["key"]
        if not is_key(key):
            raise forms.ValidationError(KEY_UNUSABLE)
        return key

    def clean_currency(self) -> str:
        currency: str = self.cleaned_data["currency"].upper()
        if currency and not (len(currency) == 3 and currency.isascii() and currency.isalpha()):
            raise forms.ValidationError(NOT_A_CURRENCY)
        return currency

    def clean_prices_read_on(self) -> Any:
        day = self.cleaned_data["prices_read_on"]
        if day and day > timezone.now().date():
            raise forms.ValidationError(FUTURE)
        return day

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("key") and cleaned.get("remove_key"):
            self.add_error("key", KEY_TWICE)
        return cleaned

    def key_change(self) -> KeyChange:
        return KeyChange(self.cleaned_data["key"], self.cleaned_data.get("remove_key", False))


class ConfirmationForm(forms.Form):
    """`host` is the one that the page named, in case the address changes meanwhile."""

    host = forms.CharField(max_length=255, widget=forms.HiddenInput)
    is_confirmed = forms.BooleanField(error_messages={"required": CONFIRM})

    def __init__(self, *args: Any, named: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["host"].initial = named
        self.fields["is_confirmed"].label = f"People's comments may be sent to {named}."
