"""The table of kinds: every path leads to a function, and a kind without an entry breaks nothing."""

import pytest

from evaluation.models import EvaluationKind
from evaluation.runs.kinds import KINDS
from tests.evaluation.runs.records import HEADLINE, make_finished_run


@pytest.mark.parametrize("kind", KINDS)
def test_every_path_leads_to_a_function(kind):
    entry = KINDS[kind]
    functions = [entry.load_measure(), entry.load_page(), entry.load_html()]
    assert all(callable(function) for function in [*functions, entry.load_comparison() or print])
    assert kind in EvaluationKind.values


def test_a_kind_without_an_entry_is_listed_and_opens(client, rosalind, monkeypatch):
    monkeypatch.delitem(KINDS, EvaluationKind.SPANS)
    run = make_finished_run(report={"headline": HEADLINE})
    client.force_login(rosalind)
    for path in ("", f"{run.pk}/", f"{run.pk}/report.html"):
        response = client.get(f"/evaluations/{path}")
        assert response.status_code == 200
        assert "0.80" in response.content.decode()
