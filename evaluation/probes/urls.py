from django.urls import path

from evaluation.probes.views import creation, reports

probe_urls = [
    path("evaluations/new/probe/", creation.new_probe, name="new_probe"),
    path("evaluations/<int:evaluation_id>/genderbench.jsonl", reports.genderbench_log, name="genderbench_log"),
]
