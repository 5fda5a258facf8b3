"""Download a report as JSON, or its scores as CSV, or learn that the figures are still being computed."""

import csv
from datetime import datetime

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.http import urlencode

from evaluation.agreement.queries import AgreementState
from evaluation.agreement.scopes import Scope
from evaluation.models import AgreementReport

COLUMNS = "attribute aspect measure value low high profiles pairs reason signature is_current".split()
RETRY_AFTER = 2  # seconds
PENDING = "The figures are still being computed, so there’s no file yet. Try again in a few seconds."


def as_json(report: AgreementReport, state: AgreementState) -> HttpResponse:
    head = {
        "made_at": report.made_at, "seconds": report.seconds, "counted_until": report.counted_until,
        "is_current": not state.is_stale, "submitted_since": state.now.since,
    }  # fmt: skip
    response = JsonResponse(head | report.contents, json_dumps_params={"indent": 1, "ensure_ascii": False})
    return _as_attachment(response, report, "json")


def as_csv(report: AgreementReport, state: AgreementState) -> HttpResponse:
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    writer = csv.DictWriter(response, COLUMNS, extrasaction="ignore")
    writer.writeheader()
    writer.writerows(figure | {"is_current": not state.is_stale} for figure in report.contents["figures"])
    return _as_attachment(response, report, "csv")


FILES = {"json": as_json, "csv": as_csv}


def as_pending(
    request: HttpRequest, scope: Scope, state: AgreementState, *, file_format: str, asked_at: datetime
) -> HttpResponse:
    """202 without a single figure, so that no script takes old ones for new. Says where to ask again."""
    retry_url = _address(request, format=file_format, asked_at=asked_at.isoformat())
    newest_url = _address(request, format=file_format, report=state.report.pk) if state.report else None
    contents = {"scope": scope.name, "is_current": False, "message": PENDING, "retry_url": retry_url}
    response: HttpResponse = (
        JsonResponse(contents | {"newest_url": newest_url})
        if file_format == "json"
        else HttpResponse(f"{PENDING}\n", content_type="text/plain; charset=utf-8")
    )
    response.status_code = 202
    response["Retry-After"], response["Location"] = str(RETRY_AFTER), retry_url
    return response


def _address(request: HttpRequest, **parameters: str | int) -> str:
    return f"{request.path}?{urlencode(parameters)}"


def _as_attachment(response: HttpResponse, report: AgreementReport, ending: str) -> HttpResponse:
    name = f"agreement-{report.contents['scope']}-{report.made_at:%Y%m%d-%H%M%S}.{ending}"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
