"""A report as a JSON file, or its scores as CSV."""

import csv

from django.http import HttpResponse, JsonResponse

from evaluation.models import AgreementReport

COLUMNS = "attribute aspect measure value low high profiles pairs reason signature".split()


def as_json(report: AgreementReport) -> HttpResponse:
    head = {"made_at": report.made_at, "seconds": report.seconds, "counted_until": report.counted_until}
    response = JsonResponse(head | report.contents, json_dumps_params={"indent": 1, "ensure_ascii": False})
    return _as_attachment(response, report, "json")


def as_csv(report: AgreementReport) -> HttpResponse:
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    writer = csv.DictWriter(response, COLUMNS, extrasaction="ignore")
    writer.writeheader()
    writer.writerows(report.contents["figures"])
    return _as_attachment(response, report, "csv")


def _as_attachment(response: HttpResponse, report: AgreementReport, ending: str) -> HttpResponse:
    name = f"agreement-{report.contents['scope']}-{report.made_at:%Y%m%d-%H%M%S}.{ending}"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
