from django.urls import path

from annotator.views import batch_drawing, batch_setup

AT = "batches/<int:batch_id>/"

batches_urls = [
    path("batches/", batch_setup.batches, name="batches"),
    path("batches/new/", batch_drawing.new_batch, name="new_batch"),
    path("batches/new/preview/", batch_drawing.preview_batch, name="preview_batch"),
    path(f"{AT}setup/", batch_setup.batch_setup, name="batch_setup"),
    path(f"{AT}edit/", batch_drawing.edit_batch, name="edit_batch"),
    path(f"{AT}start/", batch_setup.start_batch, name="start_batch"),
    path(f"{AT}pause/", batch_setup.pause_batch, name="pause_batch"),
    path(f"{AT}resume/", batch_setup.resume_batch, name="resume_batch"),
    path(f"{AT}close/", batch_setup.close_batch, name="close_batch"),
    path(f"{AT}extend/", batch_setup.extend_batch, name="extend_batch"),
    path(f"{AT}rename/", batch_setup.rename_batch, name="rename_batch"),
    path(f"{AT}reassign/", batch_setup.reassign_batch, name="reassign_batch"),
    path(f"{AT}take-back/", batch_setup.take_back, name="take_back"),
    path(f"{AT}discard/", batch_setup.discard_batch, name="discard_batch"),
    path(f"{AT}skipped/<int:assignment_id>/hand-out/", batch_setup.hand_out_again, name="hand_out_again"),
]
