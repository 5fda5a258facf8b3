from django.urls import path

from annotator.quality import views

AT = "batches/<int:batch_id>/"

quality_urls = [
    path("batches/practice/new/", views.new_practice, name="new_practice"),
    path(f"{AT}quality/", views.batch_quality, name="batch_quality"),
    path(f"{AT}quality/<int:assignment_id>/", views.known_result, name="known_result"),
    path(f"{AT}skipped/<int:assignment_id>/handled/", views.handle_skip, name="handle_skip"),
    path(f"{AT}flags/<int:flag_id>/handled/", views.handle_flag, name="handle_flag"),
    path(f"{AT}agreement-shown/", views.show_agreement, name="show_agreement"),
    path(f"{AT}plant/", views.plant_known, name="plant_known"),
    path(f"{AT}require-practice/", views.ask_for_practice, name="ask_for_practice"),
]
