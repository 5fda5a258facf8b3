"""How to draw claims, and what a reviewer says of one."""

from typing import Any

from django import forms

from annotator.core.evidence import EvidenceSpan
from annotator.labelling.cards import VALUE_LENGTH
from annotator.labelling.forms import rating
from evaluation.inference.baselines import BASELINES
from evaluation.inference.second_look.options import BASELINE, MIN_CONFIDENCE, ConfirmedAnswer, DrawOptions
from evaluation.inference.second_look.sampling import SEED, SIZE
from evaluation.models import Claim, ClaimVerdict
from profiles.answers import parse_answer
from profiles.attributes import Attribute

MAX_SIZE = 1000
MAX_QUOTES = 10
CHOOSE = "Choose confirm, reject or leave open."
VALUE_NEEDED = "Write what you found."
RATING_NEEDED = "Rate {name} from 1 to 5."
NOT_QUOTED = "“{quote}” isn’t in any comment of this profile. Quote the words exactly."
TOO_MANY_QUOTES = f"Quote at most {MAX_QUOTES} passages."


class DrawForm(forms.Form):
    size = forms.IntegerField(label="Claims", min_value=1, max_value=MAX_SIZE, initial=SIZE)
    min_confidence = forms.FloatField(
        label="Confidence from", min_value=0, max_value=1, initial=MIN_CONFIDENCE,
        help_text="From 0 to 1. Does not apply if the run states no confidence: then all claims can be drawn.",
    )  # fmt: skip
    baseline = forms.ChoiceField(
        label="Controls from", choices=[(name, f"{name}: {what}") for name, what in BASELINES.items()],
        initial=BASELINE, help_text="One control for every four claims, and at least five if there are enough.",
    )  # fmt: skip
    seed = forms.IntegerField(min_value=0, max_value=2**32 - 1, initial=SEED)

    @property
    def options(self) -> DrawOptions:
        return DrawOptions(**self.cleaned_data)


class VerdictForm(forms.Form):
    """The first verdict, on claim and comments alone."""

    verdict = forms.TypedChoiceField(
        choices=ClaimVerdict.choices, coerce=ClaimVerdict,
        error_messages={"required": CHOOSE, "invalid_choice": CHOOSE},
    )  # fmt: skip


class DecisionForm(VerdictForm):
    """The last word. To confirm takes an answer like a card's, and may have quotes, one per line."""

    value = forms.CharField(required=False, max_length=VALUE_LENGTH)
    hardness = rating()
    certainty = rating()
    required_subreddit = forms.BooleanField(required=False)
    quotes = forms.CharField(required=False, max_length=20_000)

    def __init__(self, *args: Any, claim: Claim, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.claim = claim
        self.evidence: list[EvidenceSpan] = []

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        if data.get("verdict") == ClaimVerdict.CONFIRM:
            self._check_answer(data)
            self._check_quotes(data.get("quotes", ""))
        return data

    @property
    def answer(self) -> ConfirmedAnswer | None:
        data = self.cleaned_data
        if data["verdict"] != ClaimVerdict.CONFIRM:
            return None
        return ConfirmedAnswer(
            data["value"], data["hardness"], data["certainty"], data["required_subreddit"], tuple(self.evidence)
        )

    def _check_answer(self, data: dict[str, Any]) -> None:
        for name in ("hardness", "certainty"):
            if name not in self.errors and not data.get(name):
                self.add_error(name, RATING_NEEDED.format(name=name))
        if "value" in self.errors:
            return
        parsed = parse_answer(Attribute(self.claim.attribute), data.get("value", ""))
        if parsed.problem or not parsed.value:
            self.add_error("value", parsed.problem or VALUE_NEEDED)
        else:
            data["value"] = parsed.value

    def _check_quotes(self, text: str) -> None:
        """Find each quote in the comments. 1 query each."""
        quotes = list(dict.fromkeys(filter(None, map(str.strip, text.splitlines()))))
        if len(quotes) > MAX_QUOTES:
            self.add_error("quotes", TOO_MANY_QUOTES)
            return
        for quote in quotes:
            comment = self.claim.profile.comments.filter(body__contains=quote).order_by("written_at", "pk").first()
            if comment is None:
                self.add_error("quotes", NOT_QUOTED.format(quote=quote[:100]))
            else:
                start = comment.body.index(quote)
                self.evidence.append(EvidenceSpan(start, start + len(quote), comment.pk, quote))
