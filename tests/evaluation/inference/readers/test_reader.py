"""Reading predictions: two formats, told apart by their content; odd values survive, bad ones are set aside."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.exchange.formats.vocabulary import LLMPRIVACY, SYNTHPAI
from evaluation.inference.readers import Format, UnreadablePredictions, contents, read_predictions, reader, values
from evaluation.inference.readers.vocabulary import attribute_names
from evaluation.inference.records import Label, Prediction, PredictionFile
from tests.evaluation.inference.readers.files import label, llmprivacy, synthpai, write


@pytest.fixture
def read(tmp_path):
    def read(*lines: object, **choices: object) -> PredictionFile:
        return read_predictions(write(tmp_path / "file.jsonl", *lines), **choices)

    return read


def problems(file: PredictionFile) -> dict[str, int]:
    return {problem.reason: problem.count for problem in file.problems}


def test_names_are_those_of_our_exports():
    assert attribute_names(Format.SYNTHPAI) == SYNTHPAI
    assert attribute_names(Format.LLMPRIVACY) == LLMPRIVACY


# ── What is read ────────────────────────────────────────────────────────────


def test_reads_synthpai(read):
    file = read(synthpai())
    assert (file.format, file.model, file.reviewer, file.profiles) == ("synthpai", "gpt-4", "human_evaluated", 1)
    place, job = file.cases
    assert place.label == Label("rome, italy", 1, 5, accuracy=0.5)
    assert job.prediction == Prediction(("nurse", "doctor", "clerk"), "x")
    assert (place.published, job.published) == ((0.5,), (1, 0, 0))
    assert [case.attribute for case in file.cases] == ["location", "occupation"]
    assert problems(file) == {}


def test_reads_llmprivacy(read):
    file = read(llmprivacy())
    assert (file.format, file.model, file.reviewer) == ("llmprivacy", "m", "ada")
    place, sex = file.cases
    assert place.label == Label("guelph / ontario / canada", 4, 4, required_subreddit=True)
    assert place.published is None
    assert sex.label.is_negative
    assert sex.prediction is None


def test_reads_classes_of_education(read):
    review = {"education": label("bsc"), "education_category": label("College Degree"), "sex": label("male")}
    answer = {"education": {"inference": "", "guess": ["b", "c"], "guess_category": ["College Degree", "none"]}}
    file = read(synthpai(reviews={"human_evaluated": review}, predictions={"m": answer}))
    sex, education = file.cases
    assert education.label.category == "College Degree"
    assert education.prediction.categories == ("College Degree", "none")
    assert sex.label.category == ""


def test_reads_a_list_and_the_older_name_of_a_profile(read):
    line = {key: value for key, value in synthpai().items() if key != "username"} | {"author": "old"}
    assert read("\ufeff[", line, "]").cases[0].profile == "old"
    assert read({**line, "author": None}).cases[0].profile == "line 1"


def test_a_byte_order_mark_and_blank_lines_do_no_harm(read):
    file = read("\ufeff" + json.dumps(synthpai()) + "\r", "", "\x00", synthpai("b"))
    assert (file.profiles, file.problems) == (2, ())


def test_different_profiles_may_share_a_name(read):
    file = read(synthpai(), synthpai(extra=1), synthpai())
    assert [case.profile for case in file.cases] == ["a", "a", "a (2)", "a (2)"]
    assert problems(file) == {reader.REPEATED: 1}


def test_knows_profiles_without_any_answer(read):
    file = read(synthpai(), synthpai("b", predictions={}), synthpai("c", predictions={"gpt-4": None}))
    assert [case.has_answer for case in file.cases] == [True, True, False, False, False, False]


@pytest.mark.parametrize(
    ("written", "guesses"),
    [
        ({"guess": "nurse"}, ("nurse",)),
        ({"guess": None}, ()),
        ({}, ()),
        ({"guess": [["nurse", ["clerk"]], "cook"]}, ("nurse", "clerk", "cook")),
        ({"guess": [None, "nurse", ""]}, ("", "nurse", "")),
        ({"guess": [25, " 30 ", True]}, ("25", "30")),
        ({"guess": {"1": "nurse", "2": "cook"}}, ("nurse", "cook")),
        ({"guess": [10**400]}, ()),
        (["nurse", "cook"], ("nurse", "cook")),
        ("nurse", ("nurse",)),
        ({"guess": "nurse; cook;\n clerk;"}, ("nurse", "cook", "clerk")),
        ({"guess": ["rome; italy"]}, ("rome; italy",)),
    ],
)
def test_guesses_come_in_many_shapes(read, written, guesses):
    file = read(synthpai(predictions={"gpt-4": {"occupation": written, "full_answer": ""}}))
    assert file.cases[1].prediction.guesses == guesses
    assert file.cases[0].prediction is None


@pytest.mark.parametrize(
    ("written", "published"), [([1, 0.5], (1, 0.5)), ([], ()), (1, (1,)), ([True], (1,)), (None, None)]
)
def test_evaluations_may_have_another_length(read, written, published):
    file = read(synthpai(evaluations={"gpt-4": {"human_evaluated": {"occupation": written}}}))
    assert file.cases[1].published == published


@pytest.mark.parametrize("evaluations", [None, [], {"gpt-4": None}, {"gpt-4": {"human_evaluated": 3}}, {"other": {}}])
def test_evaluations_may_be_missing(read, evaluations):
    assert {case.published for case in read(synthpai(evaluations=evaluations)).cases} == {None}


def test_ratings_may_be_texts_or_floats(read):
    file = read(synthpai(reviews={"human_evaluated": {"sex": label("male", "3", 4.0)}}))
    assert (file.cases[0].label.hardness, file.cases[0].label.certainty) == (3, 4)


@pytest.mark.parametrize(
    ("written", "confidence"),
    [
        (0.7, 0.7), (0, 0), (1, 1), ("0.7", 0.7), ("70 %", 0.7), ("7/10", 0.7), ("high", 0.8), ([0.7, 0.2], 0.7),
        (None, None), ("", None), ([], None),
    ],
)  # fmt: skip
def test_confidence_is_kept(read, written, confidence):
    file = read(synthpai(predictions={"gpt-4": {"occupation": {"guess": ["x"], "confidence": written}}}))
    assert file.cases[1].prediction.confidence == confidence
    assert problems(file) == {}


@pytest.mark.parametrize("written", [70, 5, -0.1, "70", "very", True, {"a": 1}, [[1]], 10**400, float("nan")])
def test_a_confidence_on_another_scale_is_set_aside(read, written):
    file = read(synthpai(predictions={"gpt-4": {"occupation": {"guess": ["x"], "confidence": written}}}))
    assert file.cases[1].prediction == Prediction(("x",))
    assert problems(file) == {values.BAD_CONFIDENCE: 1}


@pytest.mark.parametrize(("status", "count"), [("negative", 1), ("disputed", 0), ("unjudged", 0), ("left_out", 0)])
def test_only_what_somebody_could_not_tell_is_a_negative(read, status, count):
    review = {"location": label("", 0, 0, status=status), "gender": label("male")}
    file = read(llmprivacy(reviews={"consensus": review}))
    assert sum(case.label.is_negative for case in file.cases) == count


# ── What is chosen ──────────────────────────────────────────────────────────


def refusal(read, *lines: object, **choices: object) -> str:
    with pytest.raises(UnreadablePredictions) as caught:
        read(*lines, **choices)
    return str(caught.value)


def test_upper_and_lower_case_of_a_name_do_not_matter(read):
    assert read(synthpai(), model="GPT-4", reviewer="Human_Evaluated").model == "gpt-4"


def test_what_is_no_answer_is_no_model(read):
    predictions = synthpai()["predictions"]
    assert read(synthpai(predictions={"prompt": "x", "time": 3, **predictions})).model == "gpt-4"


def test_lines_are_counted_from_the_start_of_the_file(read):
    file = read("\ufeff", "", synthpai(), '{"cut')
    assert [problem.lines for problem in file.problems] == [(4,)]


def test_several_models_are_listed(read):
    line = synthpai(predictions={"first": {"occupation": {"guess": ["x"]}}, "second": {}})
    assert "“first”, “second”" in refusal(read, line)
    assert read(line, model="second").model == "second"
    assert "“third”" in refusal(read, line, model="third")


def test_several_reviewers_are_listed_unless_the_usual_one_is_among_them(read):
    assert read(synthpai(), reviewer="human").cases[0].label.value == "doctor"
    reviews = {"ada": {"gender": label("male")}, "bob": {"gender": label("female")}}
    assert "“ada”, “bob”" in refusal(read, llmprivacy(reviews=reviews))
    assert read(llmprivacy(reviews=reviews), reviewer="bob").cases[0].label.value == "female"
    both = {**reviews, "consensus": {"gender": label("female")}}
    assert read(llmprivacy(reviews=both)).reviewer == "consensus"


def test_a_mismatch_of_formats_is_refused(read):
    assert refusal(read, synthpai(), form=Format.LLMPRIVACY) == reader.OTHER_FORMAT.format(
        content="synthpai", given="llmprivacy"
    )
    assert "llmprivacy, not as in synthpai" in refusal(read, llmprivacy(), form=Format.SYNTHPAI)
    assert refusal(read, synthpai(), llmprivacy()) == reader.MIXED_FORMAT


def test_shared_names_leave_the_format_open(read):
    line = {"username": "a", "reviews": {"r": {"age": label(25)}}, "predictions": {"m": {"age": {"guess": ["25"]}}}}
    assert refusal(read, line) == reader.UNCLEAR_FORMAT
    assert read(line, form=Format.LLMPRIVACY).cases[0].label.value == "25"


# ── What is refused or set aside ────────────────────────────────────────────


@pytest.mark.parametrize(
    ("lines", "part"),
    [
        ([""], "empty"),
        (["\x00 \n"], "empty"),
        (["nothing like it"], contents.NOT_JSON),
        (["nothing".encode("utf-16")], contents.NOT_UTF_8),
        ([b"\x1f\x8b\x08"], "compressed"),
        (['{"a": 1}'], "reviews"),
        ([synthpai(reviews={})], "reviews"),
        ([synthpai(predictions={})], "no predictions"),
        ([synthpai(reviews={"human_evaluated": {"sex": label("male", 9)}})], values.BAD_RATING),
    ],
)
def test_a_file_with_nothing_in_it_is_refused(read, lines, part):
    assert part in refusal(read, *lines)


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(UnreadablePredictions, match="can't be opened"):
        read_predictions(tmp_path / "none.jsonl")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", contents.NOT_JSON),
        (b'{"a": "\xff"}', contents.NOT_UTF_8),
        ("3", contents.NOT_AN_OBJECT),
        ("[" * 100_000, contents.TOO_DEEP),
        ("{}", reader.NO_LABELS),
        (synthpai("b", reviews={"human": {"sex": label("male")}}), reader.NOT_REVIEWED),
        (synthpai(), reader.REPEATED),
        (synthpai("b", reviews={"human_evaluated": {"sex": "male"}}), reader.BAD_LABEL),
        (synthpai("b", reviews={"human_evaluated": {"sex": label("male", 6)}}), values.BAD_RATING),
        (synthpai("b", reviews={"human_evaluated": {"sex": label("male", None)}}), values.BAD_RATING),
        (synthpai("b", reviews={"human_evaluated": {"sex": label("male", 1, 2.5)}}), values.BAD_RATING),
        (synthpai("b", reviews={"human_evaluated": {"sex": label("male", True)}}), values.BAD_RATING),
        (synthpai("b", reviews={"human_evaluated": {"sex": label(["male"])}}), values.BAD_VALUE),
        (synthpai("b", reviews={"human_evaluated": {"sex": label("", 2)}}), values.NO_VALUE),
        (synthpai("b", reviews={"human_evaluated": {"sex": label("male", 0)}}), values.NO_HARDNESS),
    ],
)
def test_what_is_bad_is_set_aside_and_the_rest_is_read(read, line, reason):
    file = read(synthpai(), line)
    assert len(file.cases) == 2
    assert [(problem.reason, problem.count, problem.lines) for problem in file.problems] == [(reason, 1, (2,))]


@pytest.mark.parametrize("written", [["yes"], [2], [-1], [None], {"0": 1}, "1", [float("nan")]])
def test_an_evaluation_that_is_none_is_set_aside(read, written):
    file = read(synthpai(evaluations={"gpt-4": {"human_evaluated": {"occupation": written}}}))
    assert file.cases[1].published is None
    assert problems(file) == {values.BAD_EVALUATION: 1}


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@given(json_values, json_values, json_values)
def test_nothing_stops_it_and_nothing_is_quoted(tmp_path_factory, estimate, answer, evaluation):
    line = synthpai(
        "b",
        reviews={"human_evaluated": {"occupation": label(estimate)}},
        predictions={"gpt-4": {"occupation": answer}},
        evaluations={"gpt-4": {"human_evaluated": {"occupation": evaluation}}},
    )
    path = write(tmp_path_factory.mktemp("files") / "file.jsonl", synthpai(), line)
    file = read_predictions(path)
    known = {values.BAD_VALUE, values.NO_VALUE, values.BAD_EVALUATION}
    assert set(problems(file)) <= known
    assert file.cases[:2] == read_predictions(write(path, synthpai())).cases
