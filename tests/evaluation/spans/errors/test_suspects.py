"""Suspected annotation errors, each kind as a person would find it."""

import re

import pytest

from evaluation.spans.errors.suspects import Suspect, SuspectKind, Suspects, find_suspects
from evaluation.spans.metrics.texts import build_texts
from evaluation.spans.records import LabelledSpan


def mark(text: str, passage: str, label: str = "PERSON", nth: int = 0) -> LabelledSpan:
    place = list(re.finditer(re.escape(passage), text))[nth]
    return LabelledSpan(place.start(), place.end(), label)


def find(*members, **options) -> Suspects:
    """Each document is a text and its layers, or the spans of its only annotator."""
    texts = [text for text, _ in members]
    layers = [gold if isinstance(gold, dict) else {"": gold} for _, gold in members]
    return find_suspects([f"doc-{row}" for row in range(len(texts))], layers, build_texts(texts), **options)


def of_kind(suspects: Suspects, kind: SuspectKind) -> list[Suspect]:
    return [item for item in suspects.items if item.kind == kind]


# ── Annotated elsewhere ─────────────────────────────────────────────────────


def test_a_string_that_is_annotated_elsewhere():
    first, second = "Ada Lovelace met Ada Lovelace.", "Yesterday Ada Lovelace came."
    suspects = find((first, [mark(first, "Ada Lovelace"), mark(first, "Ada Lovelace", nth=1)]), (second, []))
    (suspect,) = of_kind(suspects, SuspectKind.UNLABELLED)
    assert (suspect.document, suspect.text, suspect.label) == ("doc-1", "Ada Lovelace", "PERSON")
    assert (suspect.before, suspect.after) == ("Yesterday ", " came.")
    assert "2 places" in suspect.reason
    assert "1 such" in suspect.reason


@pytest.mark.parametrize("text", ["Lovelaces", "unLovelace", "lovelace", "Love lace", "Lovelace1"])
def test_only_whole_words_in_the_same_case_count(text):
    gold = "Lovelace, Lovelace"
    spans = [mark(gold, "Lovelace"), mark(gold, "Lovelace", nth=1)]
    assert of_kind(find((gold, spans), (text, [])), SuspectKind.UNLABELLED) == []


def test_a_string_inside_or_across_an_annotation_is_no_suspect():
    text = "Lovelace, Lovelace, Ada Lovelace"
    spans = [mark(text, "Lovelace"), mark(text, "Lovelace", nth=1), mark(text, "Ada Love")]
    assert of_kind(find((text, spans)), SuspectKind.UNLABELLED) == []


def test_an_annotation_of_any_annotator_counts():
    text = "Lovelace, Lovelace, Lovelace"
    three = [mark(text, "Lovelace", nth=nth) for nth in range(3)]
    assert of_kind(find((text, {"ann": three[:2], "ben": three[2:]})), SuspectKind.UNLABELLED) == []


def test_short_and_rare_strings_are_no_suspects():
    text = "Bob Bob Bob Ada Lovelace Ada Lovelace"
    spans = [mark(text, "Bob"), mark(text, "Bob", nth=1), mark(text, "Ada Lovelace")]
    assert of_kind(find((text, spans)), SuspectKind.UNLABELLED) == []


def test_a_string_that_is_mostly_not_annotated_is_no_suspect():
    text = "Will Smith, Will Smith" + ". Will Smith" * 3
    spans = [mark(text, "Will Smith"), mark(text, "Will Smith", nth=1)]
    assert of_kind(find((text, spans)), SuspectKind.UNLABELLED) == []
    shorter = text[: -len(". Will Smith")]
    assert len(of_kind(find((shorter, spans)), SuspectKind.UNLABELLED)) == 2


def test_the_longest_string_counts():
    text = "Ada Byron Lovelace, Ada Byron Lovelace, Byron, Byron"
    longer = [mark(text, "Ada Byron Lovelace"), mark(text, "Ada Byron Lovelace", nth=1)]
    spans = [*longer, mark(text, "Byron", nth=2), mark(text, "Byron", nth=3)]
    suspects = of_kind(find((text, spans), ("Ada Byron Lovelace", [])), SuspectKind.UNLABELLED)
    assert [suspect.text for suspect in suspects] == ["Ada Byron Lovelace"]


def test_strings_that_differ_between_their_words_are_two():
    text = "Ada-Lovelace, Ada-Lovelace, Ada Lovelace"
    spans = [mark(text, "Ada-Lovelace"), mark(text, "Ada-Lovelace", nth=1)]
    assert of_kind(find((text, spans)), SuspectKind.UNLABELLED) == []


# ── Dates, labels, life events ──────────────────────────────────────────────


@pytest.mark.parametrize("phrase", ["lodged on", "judgment of", "Judgment of the", "dated", "was delivered\non"])
def test_a_date_of_the_procedure(phrase):
    text = f"The application {phrase} 5 June 1833 was long."
    (suspect,) = of_kind(find((text, [mark(text, "5 June 1833", "DATETIME")])), SuspectKind.ADMINISTRATIVE_DATE)
    assert suspect.text == "5 June 1833"


@pytest.mark.parametrize("phrase", ["was born on", "outdated", "lodged on a day like"])
def test_a_date_of_a_life(phrase):
    text = f"The applicant {phrase} 5 June 1833."
    spans = [mark(text, "5 June 1833", "DATETIME")]
    assert of_kind(find((text, spans)), SuspectKind.ADMINISTRATIVE_DATE) == []


def test_only_dates_have_a_procedure():
    text = "The letter dated Ada"
    assert of_kind(find((text, [mark(text, "Ada")])), SuspectKind.ADMINISTRATIVE_DATE) == []


def test_annotators_who_label_a_span_differently():
    text = "Ada saw Paris."
    layers = {name: [mark(text, "Paris", label)] for name, label in (("a", "LOC"), ("b", "LOC"), ("c", "PERSON"))}
    (suspect,) = of_kind(find((text, layers)), SuspectKind.LABELS_DIFFER)
    assert (suspect.label, suspect.text) == ("PERSON", "Paris")
    assert "LOC (2), PERSON (1)" in suspect.reason


def test_two_labels_by_one_annotator_are_no_disagreement():
    text = "Ada saw Paris."
    spans = [mark(text, "Paris", "LOC"), mark(text, "Paris", "PERSON")]
    assert of_kind(find((text, spans)), SuspectKind.LABELS_DIFFER) == []


def test_a_label_that_its_string_usually_does_not_have():
    text = "Paris " * 5
    labels = ["LOC"] * 4 + ["PERSON"]
    spans = [mark(text, "Paris", label, nth) for nth, label in enumerate(labels)]
    (suspect,) = of_kind(find((text, spans)), SuspectKind.UNUSUAL_LABEL)
    assert (suspect.start, suspect.label) == (24, "PERSON")
    assert "LOC in 4 of 5" in suspect.reason
    assert of_kind(find((text, spans[1:])), SuspectKind.UNUSUAL_LABEL) == []
    mixed = [mark(text, "Paris", label, nth) for nth, label in enumerate(["LOC"] * 3 + ["PERSON"] * 2)]
    assert of_kind(find((text, mixed)), SuspectKind.UNUSUAL_LABEL) == []


def test_a_demographic_label_on_a_life_event():
    text = "She was Married in Rome; a Catholic."
    suspects = find((text, [mark(text, "Married", "DEM"), mark(text, "Catholic", "DEM"), mark(text, "Rome", "LOC")]))
    (suspect,) = of_kind(suspects, SuspectKind.LIFE_EVENT)
    assert suspect.text == "Married"
    assert of_kind(find((text, [mark(text, "Married", "MISC")])), SuspectKind.LIFE_EVENT) == []


def test_the_same_annotation_by_two_people_is_looked_at_once():
    text = "She was married."
    layer = [mark(text, "married", "DEM")]
    assert find((text, {"ann": layer, "ben": layer})).counts[SuspectKind.LIFE_EVENT] == 1


def test_items_are_limited_but_counts_are_not():
    text = "married " * 5
    suspects = find((text, [mark(text, "married", "DEM", nth) for nth in range(5)]), limit=2)
    assert (len(suspects.items), suspects.counts[SuspectKind.LIFE_EVENT]) == (2, 5)
    assert suspects.as_json() == {"counts": {**dict.fromkeys(map(str, SuspectKind), 0), "life_event": 5}}
