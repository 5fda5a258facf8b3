from django.urls import path

from evaluation.spans.views import comparison, creation, evidence, reports, runs

span_urls = [
    path("evaluations/", runs.evaluations, name="evaluations"),
    path("evaluations/compare/", comparison.compare_evaluations, name="compare_evaluations"),
    path("evaluations/new/", creation.new_evaluation, name="new_evaluation"),
    path("evaluations/new/evidence/", evidence.new_evidence_evaluation, name="new_evidence_evaluation"),
    path("evaluations/<int:evaluation_id>/", reports.evaluation, name="evaluation"),
    path("evaluations/<int:evaluation_id>/errors/<int:number>/mark/", reports.mark_error, name="mark_error"),
    path(
        "evaluations/<int:evaluation_id>/documents/<int:number>/", reports.evaluated_document, name="evaluated_document"
    ),
    path("evaluations/<int:evaluation_id>/report.json", reports.report_json, name="report_json"),
    path("evaluations/<int:evaluation_id>/report.html", reports.report_html, name="report_html"),
    path("evaluations/<int:evaluation_id>/errors.jsonl", reports.errors_jsonl, name="errors_jsonl"),
    path("evaluations/<int:evaluation_id>/again/", runs.repeat_evaluation, name="repeat_evaluation"),
    path("evaluations/<int:evaluation_id>/cancel/", runs.cancel_evaluation, name="cancel_evaluation"),
    path("evaluations/<int:evaluation_id>/delete/", runs.delete_evaluation, name="delete_evaluation"),
]
