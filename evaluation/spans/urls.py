from django.urls import path

from evaluation.spans.views import creation, errors, evidence

span_urls = [
    path("evaluations/new/", creation.new_evaluation, name="new_evaluation"),
    path("evaluations/new/evidence/", evidence.new_evidence_evaluation, name="new_evidence_evaluation"),
    path("evaluations/<int:evaluation_id>/errors/<int:number>/mark/", errors.mark_error, name="mark_error"),
    path(
        "evaluations/<int:evaluation_id>/documents/<int:number>/", errors.evaluated_document, name="evaluated_document"
    ),
    path("evaluations/<int:evaluation_id>/errors.jsonl", errors.errors_jsonl, name="errors_jsonl"),
]
