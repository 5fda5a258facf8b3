"""What people type reaches no log: neither ours nor those of the servers and libraries."""

import io
import logging
from pathlib import Path
from urllib.parse import quote

import pytest
from celery.app.trace import LOG_FAILURE, LOG_SUCCESS
from django.db import DatabaseError, connection, transaction
from gunicorn.config import Config

from annotator.config.gunicorn_logs import ACCESS_LOG_FORMAT, GunicornLogger
from annotator.config.logs import logging_config
from annotator.config.settings import EMBEDDED, HOME, PROJECT
from tests.annotator.site.every_url import learn_names, role_for, send, some_paths

MARKER = "zanzibarquux"


@pytest.fixture
def log():
    """Everything that is logged at the level DEBUG, as in production."""
    formatter = dict(logging_config(as_json=True, level="DEBUG")["formatters"]["structured"])
    stream, root = io.StringIO(), logging.getLogger()
    handler, level = logging.StreamHandler(stream), root.level
    handler.setFormatter(formatter.pop("()")(**formatter))
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    yield stream.getvalue
    root.removeHandler(handler)
    root.setLevel(level)


def test_no_log_holds_a_parameter_of_any_page(site, log):
    headers = {"Referer": f"http://testserver/?q={MARKER}", "HX-Current-URL": f"http://testserver/?q={MARKER}"}
    sent = 0
    for path in some_paths(site):
        names = learn_names(site, path) | {"q"}
        pairs = "&".join(f"{quote(name)}={MARKER}" for name in sorted(names))
        client = site.clients[role_for(path)]
        send(client, "get", f"{path}?{pairs}", headers=headers)
        send(client, "post", f"{path}?{pairs}", data=dict.fromkeys(names, MARKER))
        sent += 2
    assert log().count("request_finished") > sent
    assert MARKER not in log()
    assert _server_logs().count(MARKER) == 0


def test_a_refused_host_and_a_failed_csrf_check_are_logged_without_what_was_sent(site, log):
    client = site.clients["nobody"]
    send(client, "get", "/", headers={"Host": f"{MARKER}.example"})
    client.handler.enforce_csrf_checks = True
    send(client, "post", "/theme/", secure=True, headers={"Referer": f"https://evil.example/?q={MARKER}"})
    send(client, "post", "/theme/", headers={"Origin": f"https://{MARKER}.example"})
    assert MARKER not in log()


@pytest.mark.skipif(not EMBEDDED, reason="the servers are not ours")
@pytest.mark.django_db
def test_postgres_logs_no_values_of_failing_statements():
    before = len(_server_logs())
    for statement in ("SELECT %s::int", "SELECT %s::jsonb", "SELECT to_date(%s, 'YYYY')"):
        with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement, [MARKER])
    assert MARKER not in _server_logs()[before:]


@pytest.fixture
def gunicorn_log():
    """Gunicorn's own logger, set up as in production, with its output."""
    logger, stream = GunicornLogger(Config()), io.StringIO()
    for handler in logger.error_log.handlers:
        handler.setStream(stream)
    yield logger, stream.getvalue
    logger.error_log.handlers.clear()


def test_gunicorn_quotes_no_request(gunicorn_log):
    logger, text = gunicorn_log
    try:
        raise ValueError(MARKER)
    except ValueError:
        logger.exception("Error handling request %s", f"/places/?typed={MARKER}")
        logger.exception("Error handling request %s %s", "GET", f"/places/?typed={MARKER}")
    logger.warning(f"Invalid request from ip=127.0.0.1: Invalid HTTP request line: 'GET /?q={MARKER} HTTP/9'")
    logger.info("Listening at: %s", "http://127.0.0.1:8000")
    assert MARKER not in text()
    assert "Error handling request GET" in text()
    assert "Listening at" in text()


def test_an_access_log_would_hold_paths_only():
    assert not {"%(r)s", "%(q)s", "%(f)s", "%({referer}i)s"} & set(ACCESS_LOG_FORMAT.replace('"', " ").split())
    assert "%(U)s" in ACCESS_LOG_FORMAT
    config = (PROJECT / "annotator" / "config" / "gunicorn.py").read_text()
    assert "access_log_format = ACCESS_LOG_FORMAT" in config
    assert "logger_class = GunicornLogger" in config


def test_celery_quotes_no_error_and_no_result(log):
    task = {"name": "annotator.gold.tasks.build", "id": "1-2-3", "runtime": 0.25, "return_value": MARKER}
    logger = logging.getLogger("celery.app.trace")
    logger.info(LOG_SUCCESS, task)
    logger.error(LOG_FAILURE, task | {"description": "raised unexpected", "exc": f"ValueError({MARKER!r})"})
    assert MARKER not in log()
    assert "raised unexpected" in log()
    assert "annotator.gold.tasks.build" in log()


def test_an_error_about_a_file_is_logged_without_its_name(log):
    try:
        Path(f"/nowhere/{MARKER}").read_text()
    except OSError:
        logging.getLogger("telltale").exception("could_not_open")
    assert MARKER not in log()
    assert "No such file" in log()


def _server_logs() -> str:
    """What the embedded servers have logged."""
    files = HOME.logs.glob("*.log") if EMBEDDED and HOME.logs.exists() else ()
    return "".join(file.read_text(errors="replace") for file in files)
