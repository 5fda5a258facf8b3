"""What a run over defences would ask and cost, without asking anything."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from annotator.core.formatting import plural
from evaluation.defences.masked_texts import Marks, Spans, mask_profiles
from evaluation.defences.plans import DefencePlan
from evaluation.defences.recipes import DefenceRecipe, Method
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
Model = tuple[Endpoint, Prices | None]


@dataclass(frozen=True, slots=True)
class DefenceRow:
    """The calls for a defence that are not answered yet, and the most that they can use. `by_rewriter` is the part of
    a model that only rewrites.
    """

    title: str
    calls: int
    usage: Usage
    by_rewriter: bool = False


@dataclass(frozen=True, slots=True)
class DefenceEstimate:
    rows: list[DefenceRow] = field(default_factory=list)
    prices: Prices | None = None
    rewriter_prices: Prices | None = None

    def sentences(self) -> Iterator[str]:
        for row in self.rows:
            yield f"{row.title}: {plural(row.calls, 'call')}, at most {plural(row.usage.tokens, 'token')}."
        attacks = [row for row in self.rows if not row.by_rewriter]
        rewrites = [row for row in self.rows if row.by_rewriter]
        if attacks:
            yield f"Together: {_total(attacks, self.prices)}"
        if rewrites:
            yield f"The model that rewrites, together: {_total(rewrites, self.rewriter_prices)}"
        yield "Answers that are already stored cost nothing. Texts that a defence leaves alone are asked about once."


def _total(rows: Sequence[DefenceRow], prices: Prices | None) -> str:
    usage = sum((row.usage for row in rows), Usage())
    return f"{plural(sum(row.calls for row in rows), 'call')}. Cost: {cost_in_words(usage, prices)}."


def estimate_defences(plan: DefencePlan, attacker: Model | None, rewriter: Model | None = None) -> DefenceEstimate:
    """Masks every comment to know what would be asked. A rewrite counts as if it kept the length of the texts.

    A baseline is no attacker that is asked, and without a `rewriter` the attacking model rewrites.
    """
    if plan.question is None or plan.prompt is None:  # a baseline, which asks nothing
        return DefenceEstimate()
    profiles = plan.scope.profiles()
    texts = texts_by_profile([profile.pk for profile in profiles])
    marks = Marks(_detected(plan, list(texts)), evidence_spans(profiles))
    result = DefenceEstimate(prices=_prices(attacker), rewriter_prices=_prices(rewriter))
    for recipe in plan.all_recipes:
        if recipe.method is Method.REWRITE:
            whole = estimate(profiles, plan.question, plan.prompt, None, load=text_loader(texts, {}))
            result.rows.extend(_rewriting(plan, recipe, texts, whole))
        elif attacker:
            named = [(profile.pseudonym, texts.get(profile.pk, [])) for profile in profiles]
            load = text_loader(texts, mask_profiles(recipe, named, marks).changed)
            attack = estimate(profiles, plan.question, plan.prompt, _attempts(attacker), load=load)
            result.rows.append(DefenceRow(recipe.title, attack.calls, attack.usage))
    return result


def _attempts(model: Model) -> AttemptStore:
    endpoint, _ = model
    return AttemptStore(endpoint.base_url, endpoint.model)


def _prices(model: Model | None) -> Prices | None:
    return model[1] if model else None


def _detected(plan: DefencePlan, profile_ids: Sequence[int]) -> Spans:
    if plan.detector:
        return plan.detector.spans
    return detected_spans(plan.detection, profile_ids) if plan.detection else {}


def _rewriting(plan: DefencePlan, recipe: DefenceRecipe, texts: Texts, whole: InferenceDryRun) -> Iterator[DefenceRow]:
    """`whole` is an attack of which nothing is answered, because nobody knows the texts yet.

    Each round infers and rewrites every part. If the attacking model rewrites, it has inferred from the originals
    already, and the attack takes the place of that.
    """
    parts = [part for members in texts.values() for part in parts_of(members)]
    characters = sum(len(text.body) for part in parts for text in part)
    tokens = characters // CHARACTERS_PER_TOKEN + EXTRA_TOKENS * len(parts)
    calls, usage = len(parts) + whole.calls, whole.usage + Usage(tokens, tokens)
    rewriting = recipe.rounds * calls, Usage(recipe.rounds * usage.prompt, recipe.rounds * usage.completion)
    if plan.rewriter is None:
        yield DefenceRow(recipe.title, *rewriting)
        return
    yield DefenceRow(f"{recipe.title}, before the attack", *rewriting, by_rewriter=True)
    if plan.system.is_asked:
        yield DefenceRow(recipe.title, whole.calls, whole.usage)
