from django.urls import path

from annotator.quality.views import practice, quality

AT = "batches/<int:batch_id>/"

quality_urls = [
    path("batches/practice/new/", practice.new_practice, name="new_practice"),
    path(f"{AT}quality/", quality.batch_quality, name="batch_quality"),
    path(f"{AT}quality/<int:assignment_id>/", quality.known_result, name="known_result"),
    path(f"{AT}skipped/<int:assignment_id>/handled/", quality.handle_skip, name="handle_skip"),
    path(f"{AT}flags/<int:flag_id>/handled/", quality.handle_flag, name="handle_flag"),
    path(f"{AT}plant/", quality.plant_known, name="plant_known"),
    path(f"{AT}require-practice/", quality.ask_for_practice, name="ask_for_practice"),
]
