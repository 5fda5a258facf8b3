from django.urls import path

from annotator.batches.views import batch, draw, setup

AT = "batches/<int:batch_id>/"

batches_urls = [
    path("batches/", setup.batches, name="batches"),
    path("batches/new/", draw.new_batch, name="new_batch"),
    path("batches/new/preview/", draw.preview_batch, name="preview_batch"),
    path(AT, batch.batch, name="batch"),
    path(f"{AT}setup/", setup.batch_setup, name="batch_setup"),
    path(f"{AT}edit/", draw.edit_batch, name="edit_batch"),
    path(f"{AT}start/", setup.start_batch, name="start_batch"),
    path(f"{AT}pause/", setup.pause_batch, name="pause_batch"),
    path(f"{AT}resume/", setup.resume_batch, name="resume_batch"),
    path(f"{AT}close/", setup.close_batch, name="close_batch"),
    path(f"{AT}extend/", setup.extend_batch, name="extend_batch"),
    path(f"{AT}rename/", setup.rename_batch, name="rename_batch"),
    path(f"{AT}reassign/", setup.reassign_batch, name="reassign_batch"),
    path(f"{AT}take-back/", setup.take_back, name="take_back"),
    path(f"{AT}discard/", setup.discard_batch, name="discard_batch"),
    path(f"{AT}skipped/<int:assignment_id>/hand-out/", setup.hand_out_again, name="hand_out_again"),
]
