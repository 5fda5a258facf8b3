"""What a run over defences would ask and cost, without asking anything."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from annotator.core.formatting import plural
from evaluation.defences.masked_texts import Marks, Spans, mask_profiles
from evaluation.defences.plans import DefencePlan
from evaluation.defences.recipes import Method
from evaluation.defences.rewritten_texts import EXTRA_TOKENS, parts_of, text_loader
from evaluation.defences.spans import detected_spans, evidence_spans
from evaluation.inference.dry_runs import InferenceDryRun, estimate
from evaluation.inference.gold_profiles import texts_by_profile
from evaluation.inference.selection import CHARACTERS_PER_TOKEN, Text
from evaluation.llm.attempts import AttemptStore
from evaluation.llm.budget import Prices, Usage
from evaluation.llm.endpoints import Endpoint
from evaluation.runs.dry_runs import cost_in_words

Texts = dict[int, list[Text]]


@dataclass(frozen=True, slots=True)
class DefenceEstimate:
    """By defence: its title, the calls that are not answered yet, and the most that they can use."""

    rows: list[tuple[str, int, Usage]] = field(default_factory=list)
    prices: Prices | None = None

    def sentences(self) -> Iterator[str]:
        for title, calls, usage in self.rows:
            yield f"{title}: {plural(calls, 'call')}, at most {plural(usage.tokens, 'token')}."
        calls = sum(calls for _, calls, _ in self.rows)
        total = sum((usage for _, _, usage in self.rows), Usage())
        yield f"Together: {plural(calls, 'call')}. Cost: {cost_in_words(total, self.prices)}."
        yield "Answers that are already stored cost nothing. Texts that a defence leaves alone are asked about once."


def estimate_defences(plan: DefencePlan, endpoint: Endpoint, prices: Prices | None) -> DefenceEstimate:
    """Masks every comment to know what would be asked. A rewrite counts as if it kept the length of the texts."""
    if plan.question is None or plan.prompt is None:  # a baseline, which asks nothing
        return DefenceEstimate()
    profiles = plan.scope.profiles()
    texts = texts_by_profile([profile.pk for profile in profiles])
    marks = Marks(_detected(plan, list(texts)), evidence_spans(profiles))
    attempts = AttemptStore(endpoint.base_url, endpoint.model)
    result = DefenceEstimate(prices=prices)
    for recipe in plan.all_recipes:
        named = [(profile.pseudonym, texts.get(profile.pk, [])) for profile in profiles]
        changed = {} if recipe.method is Method.REWRITE else mask_profiles(recipe, named, marks).changed
        load = text_loader(texts, changed)
        attack = estimate(profiles, plan.question, plan.prompt, attempts, load=load)
        calls, usage = attack.calls, attack.usage
        if recipe.method is Method.REWRITE:
            calls, usage = _rewriting(texts, attack, recipe.rounds)
        result.rows.append((recipe.title, calls, usage))
    return result


def _detected(plan: DefencePlan, profile_ids: Sequence[int]) -> Spans:
    if plan.detector:
        return plan.detector.spans
    return detected_spans(plan.detection, profile_ids) if plan.detection else {}


def _rewriting(texts: Texts, attack: InferenceDryRun, rounds: int) -> tuple[int, Usage]:
    """Each round rewrites every part and attacks once more; the first attack is on texts that were asked about."""
    parts = [part for members in texts.values() for part in parts_of(members)]
    characters = sum(len(text.body) for part in parts for text in part)
    tokens = characters // CHARACTERS_PER_TOKEN + EXTRA_TOKENS * len(parts)
    calls, usage = len(parts) + attack.profiles, attack.usage + Usage(tokens, tokens)
    return rounds * calls, Usage(rounds * usage.prompt, rounds * usage.completion)
