"""What the attack still infers after a defence, with intervals over profiles and paired differences."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from evaluation.defences.population import Population
from evaluation.defences.records import DefenceInput, DefenceStudy
from evaluation.inference.comparison import compare
from evaluation.inference.outcomes import WIDTH, Credits, Outcomes, outcome
from evaluation.inference.protection import compare_protection, measure_protection
from evaluation.inference.records import ATTRIBUTES, Case
from evaluation.inference.scores import UNDEFINED, TopScores, TopStatistic, ratio, score
from evaluation.inference.sound import grade
from evaluation.stats.bootstrap import Weights
from evaluation.stats.differences import paired_difference
from evaluation.stats.estimates import Estimate, Sums
from evaluation.stats.panel import Bools, Floats

NO_GROUPS = "No groups: nobody in the population table matches."
FIRST = TopStatistic(1)
SMALL = 5  # people in a group, with whom a person is hardly hidden
DIMENSIONS: dict[str, Callable[[Case], str]] = {
    "attribute": lambda case: case.attribute,
    "hardness": lambda case: str(case.label.hardness),
}
ORDER = {name: place for place, name in enumerate(ATTRIBUTES)}

Json = dict[str, Any]


@dataclass(frozen=True, slots=True, eq=False)
class AttackMeasures:
    """The outcomes of one defence. Those of all defences have the same cases in the same order."""

    outcomes: Outcomes
    weights: Weights

    @classmethod
    def of(cls, study: DefenceStudy, defence: DefenceInput, weights: Weights) -> "AttackMeasures":
        cases = sorted(defence.cases, key=lambda case: (case.profile, case.attribute))
        units = {profile.name: at for at, profile in enumerate(study.profiles)}
        rows = [outcome(_credits(study, case) if study.settings.includes(case) else None) for case in cases]
        table = np.array(rows, np.float64).reshape(len(cases), WIDTH)
        places = np.array([units[case.profile] for case in cases], np.int64)
        return cls(Outcomes(tuple(cases), table, places, len(units)), weights)

    @property
    def keys(self) -> list[tuple[str, str]]:
        return [(case.profile, case.attribute) for case in self.outcomes.cases]

    def scores(self) -> Json:
        scores = score(self.outcomes, self.weights)
        tops = scores.micro.tops
        return {
            "n": scores.micro.n,
            "profiles": scores.micro.profiles,
            "intervals": {"top1": tops[0].as_json(), "top3": tops[2].as_json()},
            **{f"by_{name}": _groups(scores.groups[name]) for name in DIMENSIONS},
        }

    def protection(self) -> Json:
        return measure_protection(self.outcomes.table(), self.weights).as_json()

    def difference(self, undefended: "AttackMeasures", seed: int) -> Json:
        """This minus undefended, on the same labels and resamples."""
        rng = np.random.default_rng(seed)
        top1 = compare(self.outcomes, undefended.outcomes, self.weights, rng)[0].difference
        return {
            "top1": top1.estimate.as_json(),
            "p_bootstrap": top1.p_bootstrap,
            "p_randomisation": top1.p_randomisation,
            **{f"by_{name}": self._by_group(undefended, dimension) for name, dimension in DIMENSIONS.items()},
        }

    def protection_difference(self, undefended: "AttackMeasures") -> Json:
        return compare_protection(self.outcomes, undefended.outcomes, self.weights).as_json()

    def still_inferable(self, undefended: "AttackMeasures") -> Json:
        """Labels that the first guess gets right before and after, of those that it gets right before."""
        before, after = undefended.outcomes.rows[:, 1] > 0, self.outcomes.rows[:, 1] > 0
        return {"n": int((before & after).sum()), "of": int(before.sum())}

    def groups(self, population: Population) -> Json:
        """From first guesses that are right: a wrong one leads to a group that the person isn't in."""
        sizes = [population.group_size(guesses) for guesses in self._right_guesses()]
        known = np.array([size for size in sizes if size], np.float64)
        risks = np.array([[1.0, 1 / size] if size else [0.0, 0.0] for size in sizes]).reshape(-1, 2)
        risk = Sums.of(risks, self.weights).apply(_mean).estimate(len(known), NO_GROUPS, "profile")
        shares = {f"at_most_{most}": float((known <= most).mean()) if len(known) else None for most in (1, SMALL)}
        median = float(np.median(known)) if len(known) else None
        return {"median": median, **shares, "mean_risk": risk.as_json(), "unmatched": len(sizes) - len(known)}

    def _right_guesses(self) -> list[dict[str, str]]:
        guesses: list[dict[str, str]] = [{} for _ in range(self.outcomes.unit_count)]
        right = np.flatnonzero(self.outcomes.rows[:, 1] > 0).tolist()
        for at in right:
            case = self.outcomes.cases[at]
            guesses[self.outcomes.units[at]][case.attribute] = case.guesses[0]
        return guesses

    def _by_group(self, undefended: "AttackMeasures", dimension: Callable[[Case], str]) -> Json:
        is_shared = self.outcomes.is_scored & undefended.outcomes.is_scored
        names = np.array([dimension(case) for case in self.outcomes.cases], dtype=object)
        present = sorted(set(names[is_shared]), key=lambda name: (ORDER.get(name, 0), name))
        return {name: self._group_difference(undefended, is_shared & (names == name)).as_json() for name in present}

    def _group_difference(self, undefended: "AttackMeasures", is_chosen: Bools) -> Estimate:
        tables = self.outcomes.table(is_chosen), undefended.outcomes.table(is_chosen)
        sums = Sums.of(tables[0], self.weights), Sums.of(tables[1], self.weights)
        return paired_difference(*sums, FIRST).estimate(int((tables[0][:, 0] > 0).sum()), UNDEFINED, "profile")


def _credits(study: DefenceStudy, case: Case) -> Credits:
    """By the sound scorer."""
    label, decisions = case.label.value, study.decisions
    return tuple(grade(case.attribute, guess, label, decisions=decisions).grade.credit for guess in case.guesses)


def _groups(groups: Mapping[str, TopScores]) -> Json:
    return {name: {"n": scores.n, "top1": scores.tops[0].as_json()} for name, scores in groups.items()}


def _mean(sums: Floats) -> Floats:
    return ratio(sums[:, 1], sums[:, 0])
