"""Structured logs: one event per line, with the request's id, without personal data."""

import re
import sys
import traceback
from collections.abc import Sequence

import structlog
from django.db import Error as DatabaseError
from structlog.types import EventDict, Processor, WrappedLogger

# Keys that must never reach a log: names of Reddit accounts, and what they wrote.
FORBIDDEN_KEYS = frozenset({"account", "author", "body", "comment", "email", "password", "text", "username", "value"})

ONE_TIME_LINK = re.compile(r"(/join/|/password/reset/key/)[^\s?]+")
QUERY_STRING = re.compile(r"\?[^\s'\"]+")
# Loggers that quote what a client sent, what a task returned or what an error says, and what to keep of such a line.
QUOTING_LOGGERS = {
    "gunicorn": re.compile(r"(Invalid request from ip=[^\s:]*|Error handling request(?: [A-Z]+)?)\b.*", re.DOTALL),
    "celery": re.compile(r"(Task [^:]*):.*", re.DOTALL),
    "django.security": re.compile(r"().+", re.DOTALL),
}


def drop_personal_data(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    return {key: "(not logged)" if key in FORBIDDEN_KEYS else value for key, value in event.items()}


def cut_quotes(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Shorten lines of other people's loggers that quote requests, results or errors."""
    for name, pattern in QUOTING_LOGGERS.items():
        if str(event.get("logger", "")).startswith(name):
            event["event"] = pattern.sub(r"\1 (not logged)", str(event.get("event", "")))
    return event


def drop_secrets_of_urls(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Keep paths only. Query strings hold search words and typed places; a one-time link works for whoever reads it."""
    return {key: _path_only(value) if isinstance(value, str) else value for key, value in event.items()}


def _path_only(text: str) -> str:
    return ONE_TIME_LINK.sub(r"\1…", QUERY_STRING.sub("?…", text))


def short_traceback(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Log the frames and the type of an error. Its text may quote a row, so only a safe reason is kept."""
    info = event.pop("exc_info", None)
    if not info:
        return event
    error = _exception(info)
    if error is not None:
        event["frames"] = [f"{f.filename}:{f.lineno} {f.name}" for f in traceback.extract_tb(error.__traceback__)]
        event["fault"] = type(error).__name__
        event["reason"] = _safe_reason(error)
    return event


def _exception(info: object) -> BaseException | None:
    if isinstance(info, BaseException):
        return info
    if isinstance(info, tuple):
        return _exception(info[1])
    return sys.exc_info()[1]


def _safe_reason(error: BaseException) -> str:
    """The constraint's name for a database error; nothing that quotes data."""
    if isinstance(error, DatabaseError):
        diagnostic = getattr(error.__cause__, "diag", None)
        return getattr(diagnostic, "constraint_name", None) or getattr(diagnostic, "sqlstate", None) or ""
    if isinstance(error, OSError):
        return error.strerror or ""  # its text names the file
    return str(error)[:200] if isinstance(error, (ImportError, AttributeError, TypeError)) else ""


SHARED_PROCESSORS: Sequence[Processor] = (
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.stdlib.PositionalArgumentsFormatter(),
    short_traceback,
    cut_quotes,
    drop_secrets_of_urls,
    drop_personal_data,
)


def logging_config(*, as_json: bool, level: str) -> dict[str, object]:
    structlog.configure(
        wrapper_class=structlog.make_filtering_bound_logger(level),  # drops what is below it at once
        processors=[
            *SHARED_PROCESSORS,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    renderer = structlog.processors.JSONRenderer() if as_json else structlog.dev.ConsoleRenderer(colors=False)
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "structured": {
                "()": structlog.stdlib.ProcessorFormatter,
                "processors": [structlog.stdlib.ProcessorFormatter.remove_processors_meta, renderer],
                "foreign_pre_chain": list(SHARED_PROCESSORS),
            }
        },
        "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "structured"}},
        "root": {"handlers": ["console"], "level": level},
        "loggers": {
            "django.db.backends": {"level": "INFO"},  # DEBUG lines hold statements with their values
            "django.server": {"level": "WARNING"},
            "django.request": {"level": "ERROR"},  # django_structlog logs each request
        },
    }
