from django.urls import path

from annotator.detection.views import compare, recipe, run, runs

AT = "corpora/<int:corpus_id>/detection/"
RUN = f"{AT}<int:run_id>/"

detection_urls = [
    path(AT, runs.detection, name="detection"),
    path(f"{AT}start/", runs.start_detection, name="start_detection"),
    path(f"{AT}recipe/", recipe.new_recipe, name="new_recipe"),
    path(f"{AT}compare/", compare.compare_runs, name="compare_runs"),
    path(RUN, run.detection_run, name="detection_run"),
    path(f"{RUN}progress/", run.detection_progress, name="detection_progress"),
    path(f"{RUN}pause/", run.pause_run, name="pause_run"),
    path(f"{RUN}resume/", run.resume_run, name="resume_run"),
    path(f"{RUN}cancel/", run.cancel_run, name="cancel_run"),
    path(f"{RUN}retry/", run.retry_run, name="retry_run"),
]
