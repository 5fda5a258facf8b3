"""The report on defences, from invented profiles."""

import json
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from evaluation.defences.recipes import DefenceRecipe, Method
from evaluation.defences.records import AttackedProfile, DefenceInput
from evaluation.defences.scores import MEASURES, build_defence_report
from evaluation.inference.report import NothingToScore
from evaluation.inference.selection import Text
from evaluation.inference.settings import Settings
from tests.evaluation.defences.reports import (
    make_cases,
    make_profiles,
    make_report,
    make_study,
    masked,
    rewritten,
    undefended,
)


@pytest.fixture(scope="module")
def report():
    return make_report()


def row_of(report, key):
    return next(row for row in report["defences"] if row["key"] == key)


def test_a_report_is_plain_json(report):
    assert json.loads(json.dumps(report)) == report
    assert report["format"] == 1


def test_an_incomplete_defence_is_named_but_not_scored(report):
    row = row_of(report, "evidence-tag")
    assert row["state"] == "incomplete"
    assert {row[name] for name in MEASURES} == {None}
    assert report["missing"] == [
        "Evidence, replaced by type: 1 of 12 profiles answered, so it is not scored. The budget of the run is used up."
    ]


def test_the_undefended_texts_are_the_originals(report):
    row = report["defences"][0]
    assert row["key"] == "none"
    assert row["difference"] is row["protection_difference"] is row["rewriting"] is None
    assert row["utility"]["rouge_l"]["value"] == 1
    assert row["linkage"]["top1"]["value"] == 1
    assert row["changed"] == {"profiles": 0, "comments": 0, "of_comments": 24, "characters": 0, "spans": 0}
    assert row["utility"]["classifier"]["before"] == row["utility"]["classifier"]["after"]


def test_a_mask_costs_words_and_accuracy(report):
    first, row = report["defences"][0], row_of(report, "detections-tag")
    tops = [side["scores"]["intervals"]["top1"]["value"] for side in (first, row)]
    assert row["difference"]["top1"]["value"] == pytest.approx(tops[1] - tops[0])
    assert row["difference"]["top1"]["low"] is not None
    assert row["protection"]["collective"]["value"] == pytest.approx(1 - tops[1])
    gain = row["protection"]["collective"]["value"] - first["protection"]["collective"]["value"]
    assert row["protection_difference"]["collective"]["value"] == pytest.approx(gain)
    assert row["changed"]["comments"] == row["changed"]["profiles"] == row["changed"]["spans"] == 12
    assert 0 < row["utility"]["words"]["value"] < 1


def test_differences_by_attribute_and_hardness_are_those_of_the_scores(report):
    first, row = report["defences"][0], row_of(report, "detections-tag")
    for name in ("by_attribute", "by_hardness"):
        assert list(row["difference"][name]) == list(row["scores"][name])
        for group, difference in row["difference"][name].items():
            values = [side["scores"][name][group]["top1"]["value"] for side in (row, first)]
            assert difference["value"] == pytest.approx(values[0] - values[1])


def test_what_is_still_inferable_was_inferable_before():
    study = make_study()
    before, after = make_cases(right=0.9), make_cases(right=0.4)
    report = build_defence_report(study, [undefended(study), masked(study)])
    right = [[case.guesses[0] == case.label.value for case in cases] for cases in (before, after)]
    still = sum(first and second for first, second in zip(*right, strict=True))
    assert report["defences"][1]["still_inferable"] == {"n": still, "of": sum(right[0])}


def test_the_signature_names_everything_that_moves_a_number():
    study = make_study()

    def signature(study):
        return build_defence_report(study, [undefended(study), masked(study)])["signature"]

    base = signature(study)
    assert "|attack:gpt-test|prompt:profile-1@12345678|" in base
    assert f"none@{DefenceRecipe(method=Method.NONE).digest}" in base
    changes = [
        {"settings": Settings(bootstrap=50, seed=2)}, {"settings": Settings(bootstrap=10)}, {"population": None},
        {"others": [[("norway", "more words")]]}, {"gold_sha256": "b" * 64}, {"decisions": {("a", "b"): "match"}},
        {"settings": Settings(bootstrap=50, min_certainty=4)}, {"decisions": {("a", "b"): "less_precise"}},
        {"others": [[("norway", "other words")]]}, {"profiles": make_profiles(12, 3)},
    ]  # fmt: skip
    assert len({base, *(signature(replace(study, **change)) for change in changes)}) == 1 + len(changes)


def test_a_rewrite_counts_what_it_kept(report):
    row = row_of(report, "rewrite-2")
    assert row["rewriting"] == {
        "rounds": 2, "rewritten": 11, "missing": 0, "refused": 1, "unrelated": 0, "unchanged": 0, "kept_original": 1,
    }  # fmt: skip
    assert row["changed"]["comments"] == 11


def test_groups_come_from_right_guesses_only():
    study = make_study(population=make_study().population)
    wrong = build_defence_report(study, [undefended(study, right=0.0)])["defences"][0]["groups"]
    assert wrong["median"] == study.population.total
    right = build_defence_report(study, [undefended(study, right=1.0)])["defences"][0]["groups"]
    assert right["median"] < wrong["median"]
    assert right["mean_risk"]["value"] > wrong["mean_risk"]["value"]


def keys(report):
    return {warning["key"] for warning in report["warnings"]}


def test_warns_of_a_defence_that_changes_nothing_or_everything():
    study = make_study()
    idle = replace(masked(study), changed={}, spans=0, characters=0)
    everything = {text.id: "***" for profile in study.profiles for text in profile.texts}
    total = replace(rewritten(study), changed=everything)
    report = build_defence_report(study, [undefended(study), idle, total])
    assert {"changes-nothing-detections-tag", "changes-everything-rewrite-2"} <= keys(report)
    assert report["defences"][2]["utility"]["rouge_l"]["value"] == 0


def test_one_profile_with_one_comment_and_one_without_any_text():
    study = make_study(1, 1)
    report = build_defence_report(study, [undefended(study), masked(study)])
    assert {"few-profiles", "few-candidates"} <= keys(report)
    assert report["defences"][1]["scores"]["intervals"]["top1"]["low"] is None
    assert report["defences"][1]["utility"]["classifier"] is None
    empty = AttackedProfile("profile-00000", [Text(0, "cooking", datetime(2014, 1, 1, tzinfo=UTC), "")])
    silent = replace(study, profiles=[empty])
    assert build_defence_report(silent, [undefended(silent)])["defences"][0]["utility"]["words"]["value"] is None


def test_without_labels_the_texts_are_still_measured():
    study = make_study()
    defences = [replace(defence, cases=()) for defence in (undefended(study), masked(study))]
    report = build_defence_report(study, defences)
    assert "no-labels" in keys(report)
    assert report["defences"][1]["scores"]["intervals"]["top1"]["value"] is None
    assert report["defences"][1]["linkage"]["top1"]["value"] is not None


def test_refuses_what_does_not_belong_together():
    study = make_study()
    first, second = undefended(study), masked(study)
    for defences in ([], [second], [replace(first, answered=3)], [first, second, second]):
        with pytest.raises(ValueError, match="efence"):
            build_defence_report(study, defences)
    with pytest.raises(ValueError, match="same pairs"):
        build_defence_report(study, [first, replace(second, cases=second.cases[1:])])
    with pytest.raises(NothingToScore):
        build_defence_report(replace(study, profiles=[]), [DefenceInput(recipe=first.recipe, answered=0)])


def test_an_attack_that_finds_nothing_says_nothing_about_protection():
    study = make_study()
    assert "attack-finds-nothing" in keys(build_defence_report(study, [undefended(study, right=0), masked(study)]))
    assert "attack-finds-nothing" not in keys(build_defence_report(study, [undefended(study), masked(study, right=0)]))


def test_an_attack_that_gets_little_right_is_said():
    study = make_study()
    key = "attack-finds-little"
    assert key in keys(build_defence_report(study, [undefended(study, right=0.2), masked(study)]))
    assert key not in keys(build_defence_report(study, [undefended(study), masked(study, right=0.2)]))
    assert key not in keys(build_defence_report(study, [undefended(study, right=0), masked(study)]))


def test_the_best_of_several_defences_is_chosen_by_its_own_numbers():
    """The random control is none of them."""
    study, key = make_study(), "best-is-chosen"
    alone = [undefended(study), masked(study)]
    assert key not in keys(build_defence_report(study, alone))
    assert key not in keys(build_defence_report(study, [*alone, masked(study, Method.RANDOM)]))
    assert key in keys(build_defence_report(study, [*alone, masked(study, Method.EVIDENCE)]))


def test_other_profiles_are_further_candidates():
    study = make_study(others=[[("norway", "I live in Oslo")], []])
    assert build_defence_report(study, [undefended(study)])["defences"][0]["linkage"]["candidates"] == 14


def test_the_order_of_cases_makes_no_difference():
    study = make_study()
    first, second = undefended(study), masked(study)
    turned = replace(second, cases=list(reversed(second.cases)))
    assert build_defence_report(study, [first, turned]) == build_defence_report(study, [first, second])
    assert make_profiles(2)[0].name == "profile-00000"


def test_evidence_is_in_the_signature_if_it_is_masked():
    study = make_study(evidence_sha256="c" * 64)

    def signature(study, method):
        return build_defence_report(study, [undefended(study), masked(study, method)])["signature"]

    other = replace(study, evidence_sha256="d" * 64)
    assert signature(study, Method.DETECTIONS) == signature(other, Method.DETECTIONS)
    assert signature(study, Method.BOTH) != signature(other, Method.BOTH)


def test_the_random_control_is_never_called_the_best_defence():
    study = make_study()
    defences = [undefended(study), masked(study, right=0.6), masked(study, Method.RANDOM, right=0.0)]
    best = build_defence_report(study, defences)["headline"][1]
    assert "Presidio" in json.dumps(best)
