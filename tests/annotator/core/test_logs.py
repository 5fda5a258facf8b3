"""Logs say what happened and to which id, never who wrote what."""

import io
import json
import logging

import pytest
import structlog
from django.db import IntegrityError

from annotator.config.logs import SHARED_PROCESSORS, logging_config
from tests.factories import make_assignment, make_judgement

WORDS = "I live at the corner of Elm and 3rd"


@pytest.fixture
def lines():
    """What a production log would hold: JSON, one event a line."""
    config = logging_config(as_json=True, level="INFO")
    formatter = dict(config["formatters"]["structured"])
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(formatter.pop("()")(**formatter))
    root = logging.getLogger()
    root.addHandler(handler)
    yield lambda: [json.loads(line) for line in stream.getvalue().splitlines()]
    root.removeHandler(handler)


@pytest.mark.parametrize("key", ["username", "account", "author", "body", "text", "comment", "password", "email"])
def test_a_persons_words_are_not_logged_whoever_adds_them(lines, key):
    structlog.get_logger("telltale").warning("something_happened", comment_id=7, **{key: WORDS})
    (line,) = lines()
    assert line["comment_id"] == 7
    assert WORDS not in json.dumps(line)


@pytest.mark.django_db(transaction=True)
def test_a_database_error_is_logged_by_its_rule_and_without_the_row(lines, ada):
    assignment = make_assignment(annotator=ada)
    try:
        make_judgement(assignment, value=WORDS)
    except IntegrityError:
        logging.getLogger("telltale").exception("could_not_save")
    (line,) = lines()
    assert line["reason"] == "judgement_value_trimmed_and_lower_case"
    assert line["fault"] == "IntegrityError"
    assert line["frames"]
    assert WORDS not in json.dumps(line)


def test_a_fault_that_quotes_data_is_logged_without_its_text(lines):
    try:
        raise ValueError(WORDS)
    except ValueError:
        logging.getLogger("telltale").exception("could_not_read")
    assert WORDS not in json.dumps(lines())


@pytest.mark.django_db
def test_a_request_is_logged_with_its_id_and_the_persons_number(lines, as_ada, ada):
    as_ada.get("/")
    finished = [line for line in lines() if line["event"] == "request_finished"]
    assert finished[0]["request_id"]
    assert finished[0]["user_id"] == ada.pk
    assert ada.username not in json.dumps(finished)


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/join/7.secret:token/", "/account/password/reset/key/1-secret-token/"])
def test_a_one_time_link_is_not_logged(lines, client, path):
    client.get(path)
    requests = [line["request"] for line in lines() if line["event"].startswith("request_")]
    assert requests
    assert "secret" not in json.dumps(lines())


def test_the_processors_are_the_ones_that_run():
    assert {"short_traceback", "drop_personal_data"} <= {getattr(step, "__name__", "") for step in SHARED_PROCESSORS}
