from django.urls import path

from annotator.views import detection, detection_compare, detection_recipe, detection_run

AT = "corpora/<int:corpus_id>/detection/"
RUN = f"{AT}<int:run_id>/"

detection_urls = [
    path(AT, detection.detection, name="detection"),
    path(f"{AT}start/", detection.start_detection, name="start_detection"),
    path(f"{AT}recipe/", detection_recipe.new_recipe, name="new_recipe"),
    path(f"{AT}compare/", detection_compare.compare_runs, name="compare_runs"),
    path(RUN, detection_run.detection_run, name="detection_run"),
    path(f"{RUN}progress/", detection_run.detection_progress, name="detection_progress"),
    path(f"{RUN}pause/", detection_run.pause_run, name="pause_run"),
    path(f"{RUN}resume/", detection_run.resume_run, name="resume_run"),
    path(f"{RUN}cancel/", detection_run.cancel_run, name="cancel_run"),
    path(f"{RUN}retry/", detection_run.retry_run, name="retry_run"),
]
