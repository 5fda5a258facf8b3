from django.urls import path

from evaluation.inference.judge import views

judge_urls = [
    path("evaluations/<int:evaluation_id>/judge/", views.judge_audit, name="judge_audit"),
    path("evaluations/<int:evaluation_id>/judge/<int:pair_id>/", views.judge_pair, name="judge_pair"),
]
