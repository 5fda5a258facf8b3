"""TAB's metrics, against a slow and plain reading of its rules."""

import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.spans.metrics.ignorable import CHARACTERS, FUNCTION_WORDS, WordList
from evaluation.spans.metrics.tab import TabScores, score_tab
from evaluation.spans.metrics.texts import build_texts
from evaluation.spans.metrics.weights import UnigramModel
from evaluation.spans.records import LabelledSpan
from tests.evaluation.spans.metrics.documents import LABELS, TEXT, documents, span, spans

TEXTS = (TEXT, TEXT.upper())


def score(gold, predicted, texts=TEXTS, **options) -> TabScores:
    return score_tab(gold, predicted, build_texts(texts), **options)


@st.composite
def mentions(draw: st.DrawFn) -> LabelledSpan:
    place, kind = draw(spans()), draw(st.sampled_from(["DIRECT", "QUASI", "NO_MASK", ""]))
    return LabelledSpan(
        place.start, place.end, place.label, identifier=kind, entity=draw(st.sampled_from("ab") | st.just(""))
    )


def layers() -> st.SearchStrategy:
    layer = st.lists(mentions(), max_size=5)
    return st.lists(st.dictionaries(st.sampled_from(["ann", "ben"]), layer, min_size=1), min_size=2, max_size=2)


# ── A plain reading of the rules ────────────────────────────────────────────


def is_masked(text: str, start: int, end: int, masks, mention: tuple[int, int]) -> bool:
    readable = set(range(start, end)) - {i for m in masks for i in range(m.start, m.end)}
    begin, stop = mention
    for word in re.finditer(r"\w+", text[begin:stop]):
        before = text[begin + word.start() - 1] if word.start() else ""
        if word[0].lower() in FUNCTION_WORDS or (word[0].lower() == "s" and before and before in "'’"):
            readable -= set(range(begin + word.start(), begin + word.end()))
    return not {i for i in readable if text[i] not in CHARACTERS}


def entities_of(layer) -> list[list[LabelledSpan]]:
    groups: dict[object, list[LabelledSpan]] = {}
    for row, mention in enumerate(layer):
        groups.setdefault(mention.entity or row, []).append(mention)
    return [group for group in groups.values() if any(m.identifier != "NO_MASK" for m in group)]


def recall_by_hand(gold, predicted, chosen) -> tuple[float | None, ...]:
    """Token, mention and entity recall of the entities that `chosen` picks by their first mention."""
    tokens, places, wholes = [], [], []
    for text, document, masks in zip(TEXTS, gold, predicted, strict=True):
        ignorable = [(m.start, m.end) for layer in document.values() for m in layer]
        for entity in (e for layer in document.values() for e in entities_of(layer) if chosen(e[0])):
            hidden = [any_masked(text, m.start, m.end, masks, ignorable) for m in entity]
            places += hidden
            wholes.append(all(h or m.identifier == "NO_MASK" for h, m in zip(hidden, entity, strict=True)))
            for m in entity:
                words = re.finditer(r"\w+", text[m.start : m.end])
                tokens += [any_masked(text, m.start + w.start(), m.start + w.end(), masks, ignorable) for w in words]
    return tuple(sum(rows) / len(rows) if rows else None for rows in (tokens, places, wholes))


def any_masked(text, start, end, masks, ignorable) -> bool:
    """A character is ignorable if it is in any mention: annotators may cut the same word differently."""
    readable = set(range(start, end)) - {i for m in masks for i in range(m.start, m.end)}
    readable -= {i for i in readable if text[i] in CHARACTERS}
    return all(
        any(begin <= i < stop and is_masked(text, i, i + 1, masks, (begin, stop)) for begin, stop in ignorable)
        for i in readable
    )


def precision_by_hand(gold, predicted, *, words: bool, weigh) -> float | None:
    part = whole = 0.0
    for text, document, masks in zip(TEXTS, gold, predicted, strict=True):
        places = [(m.start, m.end) for m in masks]
        if words:
            places = [(a + w.start(), a + w.end()) for a, b in places for w in re.finditer(r"\w+", text[a:b])]
        for start, end in places:
            weight = weigh(text[start:end])
            agreeing = sum(
                any(m.identifier != "NO_MASK" and m.start <= start and end <= m.end for m in layer)
                for layer in document.values()
            )
            part, whole = part + weight * agreeing, whole + weight * len(document)
    return part / whole if whole else None


def information(passage: str) -> float:
    corpus = [word for text in TEXTS for word in re.findall(r"\w+", text.lower())]
    counts = [corpus.count(word) for word in re.findall(r"\w+", passage.lower())]
    return -math.log((min(counts) + 1) / (len(corpus) + len(set(corpus)) + 1)) if counts else 0.0


# ── Equal to it ─────────────────────────────────────────────────────────────


@given(layers(), documents())
def test_recall_is_what_the_rules_say(gold, predicted):
    scores = score(gold, predicted)
    ours = scores.token_recall.value, scores.mention_recall.value, scores.entity_recall.value
    assert ours == recall_by_hand(gold, predicted, lambda first: True)
    assert scores.entity_recall_direct.value == recall_by_hand(gold, predicted, lambda m: m.identifier == "DIRECT")[2]
    quasi = recall_by_hand(gold, predicted, lambda m: m.identifier in ("QUASI", "NO_MASK"))[2]
    assert scores.entity_recall_quasi.value == quasi


@given(layers(), documents())
def test_recall_by_type_takes_the_type_of_the_first_mention(gold, predicted):
    by_type = score(gold, predicted).by_type
    for label in LABELS:
        expected = recall_by_hand(gold, predicted, lambda m, label=label: m.label == label)
        recall = by_type.get(label)
        shares = (recall.token_recall, recall.mention_recall, recall.entity_recall) if recall else ()
        assert tuple(share.value for share in shares) == (expected if recall else ())
        assert recall or expected[2] is None


@given(layers(), documents())
def test_precision_is_what_the_rules_say(gold, predicted):
    scores = score(gold, predicted)
    for words, uniform, weighted in (
        (True, scores.token_precision, scores.weighted_token_precision),
        (False, scores.mention_precision, scores.weighted_mention_precision),
    ):
        assert uniform.value == pytest.approx(precision_by_hand(gold, predicted, words=words, weigh=lambda _: 1.0))
        assert weighted.value == pytest.approx(precision_by_hand(gold, predicted, words=words, weigh=information))


@given(layers())
def test_masking_everything_protects_everybody(gold):
    scores = score(gold, [[span(0, len(TEXT))]] * 2)
    assert {scores.token_recall.value, scores.mention_recall.value, scores.entity_recall.value} <= {1.0, None}


@given(layers())
def test_no_predictions_have_no_precision(gold):
    scores = score(gold, [[], []])
    assert scores.token_precision.value is scores.weighted_mention_precision.value is None


@given(layers())
def test_perfect_predictions_have_recall_one(gold):
    predicted = [[m for layer in document.values() for m in layer] for document in gold]
    scores = score(gold, predicted)
    assert {scores.token_recall.value, scores.mention_recall.value, scores.entity_recall.value} <= {1.0, None}


# ── Cases ───────────────────────────────────────────────────────────────────


def at(passage: str, text: str = TEXT, **details: str) -> LabelledSpan:
    start = text.index(passage)
    return span(start, start + len(passage), **details)


def test_titles_possessives_and_punctuation_may_stay_readable():
    gold = [{"": [at("Mrs Ada Lovelace,"), at("of St. James's Square")]}]
    predicted = [[at("Ada Lovelace"), at("St"), at("James"), at("Square")]]
    assert score(gold, predicted, [TEXT]).mention_recall.value == 1.0


def test_a_content_word_may_not():
    assert score([{"": [at("Ada Lovelace")]}], [[at("Ada")]], [TEXT]).mention_recall.value == 0.0


def test_an_entity_is_masked_only_if_all_mentions_that_need_it_are():
    gold = [{"": [at("Ada", entity="a", identifier="DIRECT"), at("Bob", entity="a", identifier="QUASI")]}]
    half = score(gold, [[at("Ada")]], [TEXT])
    assert (half.mention_recall.value, half.entity_recall.value, half.entity_recall_direct.value) == (0.5, 0.0, 0.0)
    spared = [{"": [at("Ada", entity="a", identifier="DIRECT"), at("Bob", entity="a", identifier="NO_MASK")]}]
    assert score(spared, [[at("Ada")]], [TEXT]).entity_recall.value == 1.0


def test_gold_without_identifier_types_has_no_direct_or_quasi_recall():
    scores = score([{"": [at("Ada")]}], [[at("Ada")]], [TEXT])
    assert scores.entity_recall.value == 1.0
    assert scores.entity_recall_direct.value is scores.entity_recall_quasi.value is None


def test_two_mentions_side_by_side_do_not_agree_with_a_mask_over_both():
    gold = [{"": [at("Ada"), at(" Lovelace")]}]
    assert score(gold, [[at("Ada Lovelace")]], [TEXT]).mention_precision.value == 0.0


def test_each_annotator_counts():
    gold = [{"ann": [at("Ada")], "ben": []}]
    assert score(gold, [[at("Ada")]], [TEXT]).token_precision.value == 0.5


def test_rare_words_weigh_more():
    model = UnigramModel(["the the the cat"])
    common, rare, unknown = model.weigh("the cat dog", [(0, 3), (4, 7), (8, 11)])
    assert common < rare < unknown
    assert model.weigh("the cat, ", [(0, 7), (7, 9)]) == [rare, 0.0]


def test_another_tagger_and_model_can_be_plugged_in():
    class Half:
        name = "half"

        def weigh(self, text, places):
            return [0.5] * len(places)

    gold, predicted = [{"": [at("Ada Lovelace")]}], [[at("Ada")]]
    scores = score(gold, predicted, [TEXT], tagger=WordList(["lovelace"], "poets"), model=Half())
    assert scores.mention_recall.value == 1.0
    assert scores.as_json()["tagger"] == "poets"
    assert scores.as_json()["weights"] == "half"


def test_report_has_every_share_and_the_types():
    report = score([{"": [at("Ada", identifier="DIRECT")]}], [[at("Ada")]], [TEXT]).as_json()
    assert report["entity_recall_direct"]["value"] == report["weighted_token_precision"]["value"] == 1.0
    assert report["by_type"]["PERSON"]["mention_recall"]["value"] == 1.0
