"""Measure a run of kind `defence`: the same attack on the same profiles, before and after each defence."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.conf import settings as site

from annotator.core.formatting import number, plural
from evaluation.defences.attacks import Answers, BaselineAttacker, ModelAttacker, open_attacker, open_rewriter
from evaluation.defences.masked_texts import Marks, mask_profiles
from evaluation.defences.population import UnreadablePopulation, parse_population
from evaluation.defences.recipes import DefenceRecipe, Method, UnknownRecipe
from evaluation.defences.records import Attack, AttackedProfile, DefenceInput, DefenceStudy
from evaluation.defences.rewriting import load_rewriting_prompt
from evaluation.defences.rewritten_texts import STEPS_PER_ROUND, rewrite_profiles, text_loader
from evaluation.defences.scores import build_defence_report
from evaluation.defences.spans import detected_in, evidence_digest, evidence_spans
from evaluation.defences.storage import store_texts
from evaluation.defences.study_texts import Texts, other_texts
from evaluation.inference.costs import add_usage, describe_costs
from evaluation.inference.gold_profiles import GoldProfile, gold_digest, texts_by_profile
from evaluation.inference.gold_scores import describe_cases, scoring_of
from evaluation.inference.human_answers import active_seconds, occupation_decisions
from evaluation.inference.measurement import NO_GOLD, SCOPE_GONE, STANDING
from evaluation.inference.prompt_store import PromptGone
from evaluation.inference.readers import Format
from evaluation.inference.records import Case
from evaluation.inference.report import NothingToScore
from evaluation.inference.scopes import Scope, stored_scope
from evaluation.inference.settings import DIGEST_LENGTH
from evaluation.inference.stored_cases import cases_of
from evaluation.llm.budget import BudgetUnusable
from evaluation.llm.endpoints import EndpointRefused
from evaluation.models import EvaluationRun
from evaluation.runs.results import CannotMeasure, MeasuredCase, Measurement

PROMPT_CHANGED = "The prompt for rewriting has changed since. Start a new run."

Tell = Callable[[int, int], None]
AnyAttacker = BaselineAttacker | ModelAttacker


def measure_defences(run: EvaluationRun, tell: Tell) -> Measurement:
    """Raises CannotMeasure with a sentence, and JobLost once somebody cancelled the run."""
    try:
        return _measure(run, tell)
    except (
        NothingToScore, EndpointRefused, BudgetUnusable, PromptGone, UnknownRecipe, UnreadablePopulation,
    ) as refusal:  # fmt: skip
        raise CannotMeasure(str(refusal)) from refusal


@dataclass(slots=True)
class _Measured:
    """A defence as the report takes it, with its cases by profile for the pages."""

    defence: DefenceInput
    cases: list[tuple[int, Case]] = field(default_factory=list)


def _measure(run: EvaluationRun, tell: Tell) -> Measurement:
    scope = stored_scope(run)
    profiles = scope.profiles() if scope else []
    if scope is None or not profiles:
        raise CannotMeasure(NO_GOLD if scope else SCOPE_GONE)
    _check_prompt(run)
    attacker, bench = open_attacker(run), _open_bench(run, profiles)
    rewriter = open_rewriter(run, attacker)
    recipes = [DefenceRecipe.from_json(contents) for contents in run.settings["defences"]]
    measured, start = list[_Measured](), 0
    total = sum(_size(recipe, len(profiles)) for recipe in recipes)
    for recipe in recipes:
        counter = _counter(tell, start, _size(recipe, len(profiles)), total)
        start += _size(recipe, len(profiles))
        measured.append(_defend(attacker, rewriter, recipe, bench, counter))
        if recipe.method is Method.NONE:
            _require_all(measured[0].defence, len(profiles))
    study = _study(run, scope, bench, attacker, rewriter)
    report = build_defence_report(study, [item.defence for item in measured])
    complete = [item for item in measured if item.defence.answered >= len(profiles)]
    return Measurement(
        report,
        cases=[case for item in complete for case in _stored_cases(run, item)],
        inputs={"scope": scope.name, "gold": report["gold"]},
        store_more=lambda rows: store_texts(
            run, bench.texts, {m.defence.recipe.key: m.defence.changed for m in complete}
        ),
    )


def _check_prompt(run: EvaluationRun) -> None:
    digest = run.settings.get("rewriting_prompt")
    if digest and digest != load_rewriting_prompt().digest:
        raise CannotMeasure(PROMPT_CHANGED)


# ── What is attacked ────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class _Bench:
    """The profiles, their comments, and what can be masked in them."""

    profiles: Sequence[GoldProfile]
    texts: Texts
    marks: Marks


def _open_bench(run: EvaluationRun, profiles: Sequence[GoldProfile]) -> _Bench:
    """2 to 5 queries. Raises CannotMeasure."""
    ids = [profile.pk for profile in profiles]
    return _Bench(profiles, texts_by_profile(ids), Marks(detected_in(run, run.settings, ids), evidence_spans(profiles)))


def _study(
    run: EvaluationRun, scope: Scope, bench: _Bench, attacker: AnyAttacker, rewriter: ModelAttacker | None
) -> DefenceStudy:
    table, profiles = run.settings["population"], bench.profiles
    models = [attacker] if rewriter is None or rewriter is attacker else [attacker, rewriter]
    usages = [usage for model in models if (usage := model.usage(len(profiles)))]
    usage = add_usage(usages, len(profiles))
    return DefenceStudy(
        profiles=[AttackedProfile(profile.pseudonym, bench.texts.get(profile.pk, [])) for profile in profiles],
        settings=scoring_of(run),
        attack=_description(run, attacker, rewriter),
        scope=scope.name,
        gold_sha256=gold_digest(profiles),
        evidence_sha256=evidence_digest(bench.marks.evidence),
        detector=_detector(run, bench),
        others=other_texts(scope.corpus, [profile.pk for profile in profiles]),
        population=parse_population(table.encode()) if table else None,
        decisions=occupation_decisions(),
        costs=describe_costs(usage, active_seconds(scope.corpus, scope.batch), len(profiles)) if usage else None,
        version=site.VERSION,
    )


def _detector(run: EvaluationRun, bench: _Bench) -> dict[str, Any] | None:
    """The detector's file, and how many of the attacked comments it doesn't mention."""
    file = run.settings.get("detector_file")
    if not file:
        return None
    comments = [text.id for texts in bench.texts.values() for text in texts]
    missing = sum(comment not in bench.marks.detected for comment in comments)
    return {**file, "missing_comments": missing, "of_comments": len(comments)}


def _description(run: EvaluationRun, attacker: AnyAttacker, rewriter: ModelAttacker | None) -> Attack:
    """What a model of its own infers before it rewrites depends on the question, too."""
    attack, digest = attacker.description, run.settings.get("rewriting_prompt")
    if not digest:
        return attack
    rewriting = {"rewriting": f"{load_rewriting_prompt().name}@{digest[:DIGEST_LENGTH]}"}
    if rewriter is None or rewriter is attacker:
        return replace(attack, signature={**attack.signature, **rewriting})
    own = rewriter.description
    rewriting["rewriter"] = own.signature["attack"]
    return replace(attack, rewriter=own.attacker, signature={**own.signature, **attack.signature, **rewriting})


# ── One defence ─────────────────────────────────────────────────────────────


def _size(recipe: DefenceRecipe, profiles: int) -> int:
    """How much there is to do: an attack on every profile, and each round of rewriting before."""
    rounds = recipe.rounds if recipe.method is Method.REWRITE else 0
    return (STEPS_PER_ROUND * rounds + 1) * profiles


def _counter(tell: Tell, start: int, size: int, total: int) -> Callable[[int], None]:
    def count(done: int) -> None:
        tell(start + min(done, size), total)

    count(0)
    return count


def _defend(
    attacker: AnyAttacker, rewriter: ModelAttacker | None, recipe: DefenceRecipe, bench: _Bench,
    tell: Callable[[int], None],
) -> _Measured:  # fmt: skip
    if recipe.method is Method.REWRITE:
        return _rewrite(attacker, rewriter, recipe, bench, tell)
    named = [(profile.pseudonym, bench.texts.get(profile.pk, [])) for profile in bench.profiles]
    masked = mask_profiles(recipe, named, bench.marks)
    defence = DefenceInput(
        recipe=recipe, answered=0, changed=masked.changed, spans=masked.spans, characters=masked.characters
    )  # fmt: skip
    return _attack(attacker, defence, bench, tell)


def _rewrite(
    attacker: AnyAttacker, rewriter: ModelAttacker | None, recipe: DefenceRecipe, bench: _Bench,
    tell: Callable[[int], None],
) -> _Measured:  # fmt: skip
    if rewriter is None:
        raise CannotMeasure("Rewriting needs a language model.")
    rewritten = rewrite_profiles(rewriter, bench.profiles, bench.texts, recipe.rounds, tell)
    defence = DefenceInput(
        recipe=recipe, answered=min(rewritten.answered, len(bench.profiles) - 1), changed=rewritten.changed,
        rewriting=rewritten.counts(recipe.rounds), reason=rewritten.reason,
    )  # fmt: skip
    if rewritten.reason:
        return _Measured(defence)
    before = _size(recipe, len(bench.profiles)) - len(bench.profiles)
    return _attack(attacker, defence, bench, lambda answered: tell(before + answered))


def _attack(attacker: AnyAttacker, defence: DefenceInput, bench: _Bench, tell: Callable[[int], None]) -> _Measured:
    answers = attacker.attack(bench.profiles, text_loader(bench.texts, defence.changed), tell)
    cases = list(_cases(bench.profiles, answers))
    attacked = replace(
        defence, answered=answers.answered, cases=[case for _, case in cases], reason=answers.reason
    )  # fmt: skip
    return _Measured(attacked, cases)


def _cases(profiles: Sequence[GoldProfile], answers: Answers) -> Iterable[tuple[int, Case]]:
    for profile in profiles:
        for case in cases_of(profile.pseudonym, profile.labels, answers.predictions.get(profile.pk)):
            yield profile.pk, case


def _require_all(undefended: DefenceInput, profiles: int) -> None:
    """Without the attack on what was written, nothing can be compared."""
    if undefended.answered < profiles:
        answered, total = number(undefended.answered), plural(profiles, "profile")
        raise CannotMeasure(STANDING.format(reason=undefended.reason, answered=answered, profiles=total))


def _stored_cases(run: EvaluationRun, measured: _Measured) -> list[MeasuredCase]:
    cases: list[tuple[int | None, Case]] = [*measured.cases]
    described = describe_cases(cases, scoring_of(run), Format.LLMPRIVACY.value, occupation_decisions())
    return [replace(case, defence=measured.defence.recipe.key) for case in described]
