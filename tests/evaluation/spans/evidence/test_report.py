"""The figures of an evidence report, against tables computed by hand and against properties."""

import json

from hypothesis import given
from hypothesis import strategies as st

from evaluation.spans.evidence.estimates import NO_SPREAD, NOTHING_TO_COUNT
from evaluation.spans.evidence.records import DetectionCount, Skip
from evaluation.spans.evidence.report import FORMAT, score_evidence
from evaluation.stats.estimates import too_few
from evaluation.stats.signature import MIN_PROFILES
from tests.chance import at_most
from tests.evaluation.spans.evidence.spans import covered, mark, record, settings


def hand_computed():
    """Three profiles. Location: one full, one partly, one left. Age: both left, in a record at hardness 3."""
    return [
        record(covered("Houston", mark(0, 7)), pk=1, profile=1),
        record(
            covered("in Houston", mark(3, 10), comment=2),  # 9 letters, 7 masked
            covered("down by the bayou", comment=3),  # 14 letters
            pk=2, profile=2, hardness=2,
        ),
        record(covered("I'm 19", comment=4), covered("19", comment=5), pk=3, profile=3, attribute="age", hardness=3),
        record(pk=4, profile=3),  # inferred, but nothing marked
    ]  # fmt: skip


def detections():
    return [DetectionCount(1, "LOCATION", 4), DetectionCount(2, "LOCATION", 1), DetectionCount(3, "PERSON", 5)]


def report(records=None, counts=None, **fields):
    records = hand_computed() if records is None else records
    return score_evidence(records, detections() if counts is None else counts, settings(**fields))


def only(rows, **values):
    (row,) = (row for row in rows if values.items() <= row.items())
    return row


def test_counts_by_attribute():
    location, age = report()["attributes"]
    assert [location[name] for name in ("attribute", "spans", "full", "partly", "left", "profiles")] == [
        "location", 3, 1, 1, 1, 2,
    ]  # fmt: skip
    assert [age[name] for name in ("attribute", "spans", "full", "partly", "left", "profiles")] == [
        "age",
        2,
        0,
        0,
        2,
        1,
    ]
    assert location["full_share"]["value"] == 1 / 3
    assert location["character_share"]["value"] == 14 / 30 == (7 + 7) / (7 + 9 + 14)
    assert age["character_share"]["value"] == 0


def test_counts_by_attribute_and_hardness():
    location, age = report()["attributes"]
    assert only(location["hardness"], hardness=1)["full_share"]["value"] == 1
    assert only(location["hardness"], hardness=2)["full_share"]["value"] == 0
    empty = only(location["hardness"], hardness=3)
    assert (empty["spans"], empty["full_share"]["value"], empty["full_share"]["reason"]) == (0, None, NOTHING_TO_COUNT)
    assert only(age["hardness"], hardness=3)["left"] == 2


def test_counts_by_hardness_and_overall():
    contents = report()
    assert [(row["hardness"], row["spans"]) for row in contents["hardness"]] == [(1, 1), (2, 2), (3, 2)]
    assert [contents["overall"][name] for name in ("spans", "full", "partly", "left")] == [5, 1, 1, 3]


def test_a_record_is_masked_if_all_its_evidence_is():
    overall = report()["overall"]
    assert (overall["records"], overall["masked_records"]) == (3, 1)
    assert overall["record_share"]["value"] == 1 / 3


def test_one_readable_span_reveals_the_record():
    spans = [covered("Houston", mark(0, 7)), covered("Houston", comment=2)]
    overall = report([record(*spans)])["overall"]
    assert (overall["records"], overall["masked_records"]) == (1, 0)


def test_counts_by_type():
    (location, person) = report()["types"]
    assert [location[name] for name in ("type", "touched_spans", "masked_spans", "masked_characters")] == [
        "LOCATION", 2, 1, 14,
    ]  # fmt: skip
    assert location["masked_share"]["value"] == 1 / 5
    assert (location["detections"], location["touching_detections"]) == (5, 2)
    assert location["touching_share"]["value"] == 2 / 5
    assert (person["touching_share"]["value"], person["masked_spans"]) == (0, 0)


def test_detections_that_touch_any_evidence():
    contents = report()["detections"]
    assert (contents["detections"], contents["touching_detections"]) == (10, 2)
    assert contents["touching_share"]["value"] == 0.2


def test_a_detection_that_touches_two_spans_counts_once():
    spans = [covered("Houston", mark(0, 7)), covered("Houston, TX", mark(0, 7))]
    contents = report([record(*spans)], [DetectionCount(1, "LOCATION", 1)])
    assert contents["detections"]["touching_detections"] == 1


def test_the_same_place_in_two_comments_counts_twice():
    spans = [covered("Houston", mark(0, 7)), covered("Houston", mark(0, 7), comment=2)]
    contents = report([record(*spans)], [DetectionCount(1, "LOCATION", 2)])
    assert contents["detections"]["touching_detections"] == 2


def test_leaves_out_and_counts_what_was_not_analysed():
    spans = [covered("Houston", mark(0, 7)), covered("Texas", comment=2, skip=Skip.LANGUAGE)]
    contents = report([record(*spans)])
    assert (contents["overall"]["spans"], contents["overall"]["records"]) == (1, 0)
    assert contents["counts"]["skipped_spans"][Skip.LANGUAGE] == 1
    assert (contents["counts"]["skipped_comments"], contents["counts"]["incomplete_records"]) == (1, 1)


def test_counts_records_without_evidence():
    assert report()["counts"]["records_without_evidence"] == 1
    assert report()["counts"]["records"] == 4


def many(profiles, masked):
    """One span per profile, of which the first ones are masked."""
    return [
        record(covered("Houston", *([mark(0, 7)] if n < masked else []), comment=n), pk=n, profile=n)
        for n in range(profiles)
    ]


def test_few_profiles_get_a_value_but_no_interval():
    share = report(many(MIN_PROFILES - 1, 3))["overall"]["full_share"]
    assert share["value"] == 3 / (MIN_PROFILES - 1)
    assert (share["low"], share["high"], share["reason"]) == (None, None, too_few(MIN_PROFILES - 1, "profile"))


def test_many_spans_of_few_profiles_are_few():
    rows = [record(*(covered("Houston", comment=n) for n in range(50)), pk=pk, profile=pk) for pk in range(3)]
    assert report(rows)["overall"]["full_share"]["reason"] == too_few(3, "profile")


def test_enough_profiles_get_an_interval_around_the_value():
    share = report(many(40, 10), [], bootstrap=1000)["overall"]["full_share"]
    assert share["value"] == 0.25
    assert 0.1 <= share["low"] < 0.25 < share["high"] <= 0.4
    assert share["reason"] == ""


def test_profiles_that_are_all_alike_give_no_interval():
    """Every resample gives the same share, which doesn't mean that it is certain."""
    share = report(many(40, 0), [])["overall"]["full_share"]
    assert (share["value"], share["low"], share["bca_high"], share["reason"]) == (0, None, None, NO_SPREAD)


def test_resamples_profiles_and_not_spans():
    """Two kinds of profiles with 30 equal spans each: the interval must be as wide as for one span each."""
    clustered = [
        record(*(covered("Houston", *span.detections, comment=100 * n + m) for m in range(30)), pk=n, profile=n)
        for n, (span,) in enumerate(row.evidence for row in many(20, 10))
    ]
    single, repeated = (report(rows, [], bootstrap=500)["overall"]["full_share"] for rows in (many(20, 10), clustered))
    assert (repeated["low"], repeated["high"]) == (single["low"], single["high"])


def test_nothing_to_score_is_undefined_and_not_zero():
    contents = report([], [])
    assert contents["overall"]["full_share"]["value"] is None
    assert contents["detections"]["touching_share"]["value"] is None
    assert contents["counts"]["profiles"] == 0


def test_is_json_without_any_text():
    text = json.dumps(report())
    assert json.loads(text)["format"] == FORMAT
    assert not {"Houston", "bayou", "19"} & set(text.replace('"', " ").split())


def test_signature_names_all_that_determines_the_figures():
    signature = report()["signature"]
    for part in (
        "scope:corpus-1",
        "source:gold",
        "pred:recipe-ffffffffffff@",
        "bootstrap:100",
        "seed:12345",
        "version:",
    ):
        assert part in signature
    assert report(seed=1)["signature"] != signature


def fields(contents):
    return dict(part.split(":", 1) for part in contents["signature"].split("|"))


def changed(contents):
    before, after = fields(report()), fields(contents)
    return {name for name in before if before[name] != after[name]}


def test_signature_tells_evidence_and_detections_apart():
    first, *others = hand_computed()
    assert changed(report([record(covered("Houston", mark(0, 6))), *others])) == {"pred"}
    assert changed(report([record(covered("Houston", mark(0, 7)), hardness=5), *others])) == {"gold"}
    assert changed(report([first, *others], counts=[])) == {"pred"}


# ── Properties ──────────────────────────────────────────────────────────────

texts = st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=12)
marks = st.builds(
    lambda start, length, label: mark(start, start + length, label),
    st.integers(0, 12), st.integers(1, 8), st.sampled_from(["LOCATION", "PERSON", "NRP"]),
)  # fmt: skip


@st.composite
def records(draw):
    detections = st.lists(marks, max_size=3)
    number = draw(st.integers(1, 8))
    return [
        record(
            *(covered(draw(texts), *draw(detections), comment=10 * pk + at) for at in range(draw(st.integers(0, 3)))),
            pk=pk, profile=draw(st.integers(1, 4)), attribute=draw(st.sampled_from(["location", "age"])),
            hardness=draw(st.integers(1, 2)),
        )
        for pk in range(number)
    ]  # fmt: skip


def masked_with(rows, change):
    return [
        record(
            *(covered(span.text, *change(span), comment=span.comment) for span in row.evidence),
            pk=row.id, profile=row.profile, attribute=row.attribute, hardness=row.hardness,
        )
        for row in rows
    ]  # fmt: skip


@at_most(40)  # each makes a whole report
@given(records())
def test_masking_everything_masks_all_fully(rows):
    overall = report(masked_with(rows, lambda span: [mark(0, span.end)]), [], bootstrap=10)["overall"]
    assert overall["full"] == overall["spans"]
    assert overall["masked_characters"] == overall["characters"]
    assert overall["masked_records"] == overall["records"]


@at_most(40)  # each makes a whole report
@given(records())
def test_detecting_nothing_leaves_all_readable(rows):
    overall = report(masked_with(rows, lambda span: []), [], bootstrap=10)["overall"]
    assert overall["left"] == overall["spans"]
    assert overall["masked_characters"] == overall["masked_records"] == 0


@at_most(40)  # each makes a whole report
@given(records(), marks)
def test_more_detections_never_mask_less(rows, addition):
    before = report(rows, [], bootstrap=10)["overall"]
    after = report(masked_with(rows, lambda span: [*span.detections, addition]), [], bootstrap=10)["overall"]
    for measure in ("full", "masked_characters", "masked_records"):
        assert after[measure] >= before[measure]
    assert after["left"] <= before["left"]


def test_order_does_not_matter_to_intervals():
    rows = many(14, 5)
    assert report(rows[::-1], []) == report(rows, [])


@at_most(40)  # each makes a whole report
@given(records(), st.randoms())
def test_order_does_not_matter(rows, rng):
    shuffled = rng.sample(rows, len(rows))
    assert report(shuffled, [], bootstrap=20) == report(rows, [], bootstrap=20)


@at_most(40)  # each makes a whole report
@given(records())
def test_shares_lie_between_0_and_1_and_states_add_up(rows):
    contents = report(rows, [], bootstrap=10)
    for row in [contents["overall"], *contents["attributes"], *contents["hardness"]]:
        assert row["full"] + row["partly"] + row["left"] == row["spans"]
        for name in ("full_share", "character_share", "record_share"):
            assert row[name]["value"] is None or 0 <= row[name]["value"] <= 1
