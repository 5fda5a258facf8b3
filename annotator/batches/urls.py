from django.urls import path

from annotator.batches.views import batches, draw

AT = "batches/<int:batch_id>/"

batches_urls = [
    path("batches/", batches.batches, name="batches"),
    path("batches/new/", draw.new_batch, name="new_batch"),
    path("batches/new/preview/", draw.preview_batch, name="preview_batch"),
    path(AT, batches.batch, name="batch"),
    path(f"{AT}setup/", batches.batch_setup, name="batch_setup"),
    path(f"{AT}edit/", draw.edit_batch, name="edit_batch"),
    path(f"{AT}start/", batches.start_batch, name="start_batch"),
    path(f"{AT}pause/", batches.pause_batch, name="pause_batch"),
    path(f"{AT}resume/", batches.resume_batch, name="resume_batch"),
    path(f"{AT}close/", batches.close_batch, name="close_batch"),
    path(f"{AT}reopen/", batches.reopen_batch, name="reopen_batch"),
    path(f"{AT}extend/", batches.extend_batch, name="extend_batch"),
    path(f"{AT}rename/", batches.rename_batch, name="rename_batch"),
    path(f"{AT}reassign/", batches.reassign_batch, name="reassign_batch"),
    path(f"{AT}take-back/", batches.take_back, name="take_back"),
    path(f"{AT}discard/", batches.discard_batch, name="discard_batch"),
    path(f"{AT}skipped/<int:assignment_id>/hand-out/", batches.hand_out_again, name="hand_out_again"),
]
