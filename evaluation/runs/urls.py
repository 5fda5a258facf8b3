from django.urls import path

from evaluation.runs.views import comparison, continuation, reports, runs

run_urls = [
    path("evaluations/", runs.evaluations, name="evaluations"),
    path("evaluations/compare/", comparison.compare_evaluations, name="compare_evaluations"),
    path("evaluations/<int:evaluation_id>/", reports.evaluation, name="evaluation"),
    path("evaluations/<int:evaluation_id>/report.json", reports.report_json, name="report_json"),
    path("evaluations/<int:evaluation_id>/report.html", reports.report_html, name="report_html"),
    path("evaluations/<int:evaluation_id>/again/", runs.repeat_evaluation, name="repeat_evaluation"),
    path("evaluations/<int:evaluation_id>/continue/", continuation.continue_evaluation, name="continue_evaluation"),
    path("evaluations/<int:evaluation_id>/cancel/", runs.cancel_evaluation, name="cancel_evaluation"),
    path("evaluations/<int:evaluation_id>/delete/", runs.delete_evaluation, name="delete_evaluation"),
]
