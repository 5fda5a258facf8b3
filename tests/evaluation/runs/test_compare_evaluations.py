"""Two runs side by side."""

import pytest

from tests.evaluation.runs.records import make_finished_run

URL = "/evaluations/compare/"
SIGNATURE = "metric:spans|gold:a@1|pred:{pred}|iou:{iou}"


@pytest.fixture
def as_rosalind(client, rosalind):
    client.force_login(rosalind)
    return client


def make_report_run(f1, *, pred="x", iou=0.3):
    signature = SIGNATURE.format(pred=pred, iou=iou)
    result = {"system": pred, "macro": {"f1": {"value": f1, "low": None, "high": None}}, "by_type": [], "sweep": []}
    return make_finished_run(signature=signature, report={"signature": signature, "results": [result]})


def test_differences_have_a_sign(as_rosalind):
    first, second = make_report_run(0.5), make_report_run(0.75, pred="y")
    page = as_rosalind.get(f"{URL}?first={first.pk}&second={second.pk}").content.decode()
    assert "+0.25" in page
    assert "message-warn" not in page
    assert "−0.25" in as_rosalind.get(f"{URL}?first={second.pk}&second={first.pk}").content.decode()


def test_other_settings_are_named(as_rosalind):
    first, second = make_report_run(0.5), make_report_run(0.75, iou=0.5)
    page = as_rosalind.get(f"{URL}?first={first.pk}&second={second.pk}").content.decode()
    assert "message-warn" in page
    assert "overlap threshold" in page


@pytest.mark.parametrize("query", ["", "?first=1", "?first=x&second=9999999999999999999999", "?first=0&second=-1"])
def test_odd_choices_show_the_form(as_rosalind, query):
    make_report_run(0.5)
    assert as_rosalind.get(URL + query).status_code == 200


def test_only_staff_by_get(as_ada, rosalind):
    assert as_ada.get(URL).status_code == 404
    as_ada.force_login(rosalind)
    assert as_ada.post(URL).status_code == 405


def test_the_number_of_queries_does_not_grow(as_rosalind, django_assert_num_queries):
    runs = [make_report_run(0.5) for _ in range(6)]
    with django_assert_num_queries(4):  # person, two runs, choices
        as_rosalind.get(f"{URL}?first={runs[0].pk}&second={runs[1].pk}")
