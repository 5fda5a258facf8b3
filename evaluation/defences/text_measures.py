"""What a defence did to the texts, with intervals over profiles: changes, linkage, utility, and the classifier."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from evaluation.defences.classifier import Classification, ClassifiedComment, classify
from evaluation.defences.linkage import Linkage, Linker
from evaluation.defences.recipes import Method
from evaluation.defences.records import DefenceInput, DefenceStudy
from evaluation.defences.utility import Utility, add_up, measure_utility, unchanged_utility
from evaluation.defences.words import words_of
from evaluation.inference.scores import ratio
from evaluation.stats.bootstrap import Weights
from evaluation.stats.estimates import Estimate, Sums
from evaluation.stats.panel import Floats

MAX_LESSONS = 300  # profiles that were not attacked, from which the classifier learns, too
NO_PROFILES = "No profiles: there is nothing to link."
NO_WORDS = "No words: the comments have no words to keep."
NO_COMMENTS = "No comments: none is in a subreddit that the classifier knows."

Words = Sequence[str]
Json = dict[str, Any]


@dataclass(frozen=True, slots=True, eq=False)
class TextMeasures:
    """The texts of a study, prepared once, and what was measured of each defence, in the order given."""

    study: DefenceStudy
    weights: Weights
    linkages: Sequence[Linkage]
    utilities: Sequence[Floats]  # a row per profile and a column per count
    owners: Sequence[int]  # the profile of each comment
    classification: Classification | None

    @classmethod
    def of(cls, study: DefenceStudy, defences: Sequence[DefenceInput], weights: Weights) -> "TextMeasures":
        originals = [[words_of(text.body) for text in profile.texts] for profile in study.profiles]
        changed = [{pk: words_of(body) for pk, body in defence.changed.items()} for defence in defences]
        versions = [_version(study, originals, words) for words in changed]
        others = [[(subreddit, words_of(body)) for subreddit, body in texts] for texts in study.others]
        linker = Linker([*map(_joined, originals), *(_joined([words for _, words in texts]) for texts in others)])
        utilities = [_utilities(originals, version) for version in versions]
        comments = [
            ClassifiedComment(at, text.subreddit, words)
            for at, (profile, rows) in enumerate(zip(study.profiles, originals, strict=True))
            for text, words in zip(profile.texts, rows, strict=True)
        ]
        lessons = [
            ClassifiedComment(at, subreddit, words)
            for at, texts in enumerate(others[:MAX_LESSONS], start=len(originals))
            for subreddit, words in texts
        ]
        places = {text.id: at for at, text in enumerate(text for profile in study.profiles for text in profile.texts)}
        moved = [{places[pk]: words for pk, words in version.items() if pk in places} for version in changed]
        rng = np.random.default_rng(study.settings.seed)
        owners = [comment.profile for comment in comments]
        linkages = [linker.link([_joined(rows) for rows in version]) for version in versions]
        return cls(study, weights, linkages, utilities, owners, classify(comments, moved, rng, lessons))

    def linkage(self, number: int) -> Json:
        result = self.linkages[number]
        shares = {"top1": result.top1, "top10": result.top10}
        return {name: self._mean(values).as_json() for name, values in shares.items()} | {
            "candidates": result.candidates
        }

    def utility(self, number: int) -> Json:
        counts = self.utilities[number]
        sums, profiles = Sums.of(counts, self.weights), int((counts[:, 2] > 0).sum())
        rates = {"characters": _characters, "words": _words, "rouge_l": _rouge_l}
        return {
            name: sums.apply(rate).estimate(profiles, NO_WORDS, "profile").as_json() for name, rate in rates.items()
        } | {"classifier": self._classifier(number)}

    def kept_words(self, number: int) -> Utility:
        return Utility(*map(int, self.utilities[number].sum(axis=0)))

    def _classifier(self, number: int) -> Json | None:
        result = self.classification
        if result is None:
            return None
        units = np.array(self.owners, np.int64)[result.rows]
        shares = {
            "before": self._share(units, result.is_right[0]),
            "after": self._share(units, result.is_right[1 + number]),
        }
        return {name: share.as_json() for name, share in shares.items()} | {
            "classes": result.classes, "comments": len(result.rows),
        }  # fmt: skip

    def _mean(self, values: Floats) -> Estimate:
        table = np.stack([np.ones(len(values)), values], axis=1)
        return Sums.of(table, self.weights).apply(_second_by_first).estimate(len(values), NO_PROFILES, "profile")

    def _share(self, units: Any, is_right: Any) -> Estimate:
        count = len(self.study.profiles)
        table = np.stack([np.bincount(units, minlength=count), np.bincount(units, is_right, count)], axis=1)
        contributing = int((table[:, 0] > 0).sum())
        return Sums.of(table, self.weights).apply(_second_by_first).estimate(contributing, NO_COMMENTS, "profile")


def describe_changes(study: DefenceStudy, defence: DefenceInput) -> Json:
    """A rewritten comment counts with all its characters."""
    bodies = {text.id: text.body for profile in study.profiles for text in profile.texts}
    changed = {pk for pk, body in defence.changed.items() if bodies.get(pk, body) != body}
    is_rewrite = defence.recipe.method is Method.REWRITE
    return {
        "profiles": sum(any(text.id in changed for text in profile.texts) for profile in study.profiles),
        "comments": len(changed),
        "of_comments": len(bodies),
        "characters": sum(len(bodies[pk]) for pk in changed) if is_rewrite else defence.characters,
        "spans": defence.spans,
    }


def _version(
    study: DefenceStudy, originals: Sequence[Sequence[Words]], changed: Mapping[int, Words]
) -> list[list[Words]]:
    """The words of every comment after a defence; those of an unchanged comment are the very same list."""
    return [
        [changed.get(text.id, words) for text, words in zip(profile.texts, rows, strict=True)]
        for profile, rows in zip(study.profiles, originals, strict=True)
    ]


def _utilities(originals: Sequence[Sequence[Words]], version: Sequence[Sequence[Words]]) -> Floats:
    rows = [
        add_up(
            [
                Utility(),
                *(
                    unchanged_utility(first) if first is second else measure_utility(first, second)
                    for first, second in zip(*pair, strict=True)
                ),
            ]
        )
        for pair in zip(originals, version, strict=True)
    ]
    return np.array(rows, np.float64).reshape(len(rows), len(Utility._fields))


def _joined(rows: Sequence[Words]) -> list[str]:
    return [word for words in rows for word in words]


def _characters(sums: Floats) -> Floats:
    return ratio(sums[:, 1], sums[:, 0])


def _words(sums: Floats) -> Floats:
    return ratio(sums[:, 3], sums[:, 2])


def _rouge_l(sums: Floats) -> Floats:
    return ratio(2 * sums[:, 4], sums[:, 2] + sums[:, 5])


def _second_by_first(sums: Floats) -> Floats:
    return ratio(sums[:, 1], sums[:, 0])
