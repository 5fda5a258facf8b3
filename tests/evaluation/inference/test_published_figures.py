"""Published figures: whose they are, and when they can be compared."""

import pytest

from evaluation.inference.published_figures import Comparability, load_studies, published_figures
from evaluation.inference.settings import Settings
from tests.evaluation.inference.cases import make_case
from tests.evaluation.inference.test_report import make_file

RECALLED = {97.8, 86.2, 91.5, 78.3, 67.8, 71.6, 92.7}  # never checked against the paper, so never printed


def figures_of(labels: int, *, reviewer: str = "human_evaluated", form: str = "synthpai", **bounds: int) -> list[dict]:
    file = make_file(*(make_case(profile=f"p{place}") for place in range(labels)), form=form, reviewer=reviewer)
    return published_figures(file, Settings(**bounds))


@pytest.mark.parametrize(
    ("labels", "more", "comparability"),
    [
        (700, {}, Comparability.SAME),
        (679, {}, Comparability.SAME),
        (700, {"min_certainty": 1}, Comparability.FILTERED),
        (12, {}, Comparability.OTHER),
        (800, {}, Comparability.OTHER),
        (700, {"reviewer": "ada"}, Comparability.OTHER),
        (700, {"form": "llmprivacy"}, Comparability.OTHER),
    ],
)
def test_only_the_same_labels_can_be_compared(labels, more, comparability):
    figures = {study["key"]: study for study in figures_of(labels, **more)}
    assert figures["synthpai"]["comparability"] == comparability
    assert figures["personal-reddit"]["comparability"] == Comparability.OTHER


def test_comparable_figures_come_first_and_are_fractions():
    first = figures_of(700)[0]
    assert (first["key"], len(first["figures"])) == ("synthpai", 20)
    assert first["figures"][0] == {"model": "GPT-4", "n": 700, "top1": 0.78, "top2": 0.871, "top3": 0.914}
    assert next(row["n"] for row in first["figures"] if row["model"] == "Gemini-1.5-Pro") == 679


def test_nothing_is_printed_that_was_only_recalled():
    (study,) = (study for study in load_studies() if study["key"] == "personal-reddit")
    values = {value for row in study["models"] for value in row.values()}
    assert values & RECALLED == set()


def test_every_study_names_its_source_and_what_it_was_computed_from():
    assert all(study["source"] and study["basis"] for study in load_studies())
    tops = [
        [row[f"top{top}"] for top in (1, 2, 3) if f"top{top}" in row]
        for study in load_studies()
        for row in study["models"]
    ]
    assert all(row == sorted(row) and 0 < row[0] <= row[-1] <= 100 for row in tops)
