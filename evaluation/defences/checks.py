"""What a plan needs in the database before it can start."""

from evaluation.defences.plans import DefencePlan, PlanRefused
from evaluation.defences.recipes import EVIDENT
from evaluation.defences.spans import evidence_spans

NO_GOLD = "No profile here has gold yet. Label profiles and build gold first."
NO_EVIDENCE = (
    "No gold record here has evidence, so there is nothing to mask. Leave these defences out, or let people mark "
    "evidence and build gold again."
)


def check_gold(plan: DefencePlan) -> None:
    """2 to 4 queries. Raises PlanRefused if there is nothing to attack, or no evidence to mask."""
    profiles = plan.scope.profiles()
    if not profiles:
        raise PlanRefused(NO_GOLD)
    needs_evidence = any(recipe.source in EVIDENT for recipe in plan.all_recipes)
    if needs_evidence and not evidence_spans(profiles):
        raise PlanRefused(NO_EVIDENCE)
