"""Gunicorn's logger, in our format: its own quotes whole request lines."""

import logging
from typing import Any

from django.conf import settings
from gunicorn.glogging import Logger

ACCESS_LOG_FORMAT = '%(h)s %(t)s "%(m)s %(U)s" %(s)s %(b)s'  # if somebody turns it on: no query strings, no referrers


class GunicornLogger(Logger):  # type: ignore[misc]
    def setup(self, cfg: Any) -> None:
        super().setup(cfg)
        for handler in self.error_log.handlers:
            handler.setFormatter(_formatter())


def _formatter() -> logging.Formatter:
    logging_config: Any = settings.LOGGING
    structured = dict(logging_config["formatters"]["structured"])
    formatter: logging.Formatter = structured.pop("()")(**structured)
    return formatter
