from django.urls import path

from evaluation.llm import views

endpoint_urls = [
    path("evaluations/endpoints/", views.endpoints, name="endpoints"),
    path("evaluations/endpoints/new/", views.new_endpoint, name="new_endpoint"),
    path("evaluations/endpoints/<int:endpoint_id>/", views.change_endpoint, name="change_endpoint"),
    path("evaluations/endpoints/<int:endpoint_id>/confirm/", views.confirm_endpoint, name="confirm_endpoint"),
    path("evaluations/endpoints/<int:endpoint_id>/try/", views.check_endpoint, name="check_endpoint"),
    path("evaluations/endpoints/<int:endpoint_id>/archive/", views.archive_endpoint, name="archive_endpoint"),
]
