"""What a run that stopped may cost when it goes on."""

from decimal import Decimal
from typing import Any

from django import forms

from evaluation.inference.plans import Limit
from evaluation.models import EvaluationRun

TOO_SMALL = "This is less than before. What was spent already counts, so nothing more could be asked."


class ContinuationForm(forms.Form):
    """How much a run may cost in all, what it spent so far included."""

    budget_tokens = forms.IntegerField(
        label="Budget in tokens", min_value=1, max_value=10**12, required=False, help_text="Empty: no limit."
    )
    budget_money = forms.DecimalField(
        label="Budget in money", min_value=Decimal("0.01"), max_digits=10, decimal_places=2, required=False,
        help_text="In the endpoint’s currency. Empty: no limit.",
    )  # fmt: skip

    def __init__(self, *args: Any, run: EvaluationRun, has_prices: bool, **kwargs: Any) -> None:
        self.before = Limit.of(run.settings["budget"])
        super().__init__(*args, **kwargs)
        self.initial = {"budget_tokens": self.before.tokens, "budget_money": self.before.money}
        if not has_prices:
            del self.fields["budget_money"]

    def clean(self) -> dict[str, Any]:
        values = super().clean() or self.cleaned_data
        for name, before in (("budget_tokens", self.before.tokens), ("budget_money", self.before.money)):
            amount = values.get(name)
            if amount is not None and before is not None and amount < before:
                self.add_error(name, TOO_SMALL)
        return values

    def limit(self) -> Limit:
        return Limit(self.cleaned_data["budget_tokens"], self.cleaned_data.get("budget_money"))
