from django.urls import path

from evaluation.inference.second_look import views

AT = "evaluations/<int:evaluation_id>/second-look/"

second_look_urls = [
    path("evaluations/second-looks/", views.second_looks, name="second_looks"),
    path(AT, views.second_look, name="second_look"),
    path(f"{AT}start/", views.start_second_look, name="start_second_look"),
    path(f"{AT}<int:claim_id>/", views.judge_claim, name="judge_claim"),
    path(f"{AT}<int:claim_id>/comments/", views.claim_comments, name="claim_comments"),
    path(f"{AT}<int:claim_id>/decide/", views.decide_claim, name="decide_claim"),
    path(f"{AT}<int:claim_id>/undo/", views.undo_claim, name="undo_claim"),
]
