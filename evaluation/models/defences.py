"""What runs over defences keep of comments: texts as a defence changed them, and spans of another detector."""

import pgtrigger
from django.db import models

from evaluation.models.runs import EvaluationRun
from profiles.models import Comment, Profile


class DefendedText(models.Model):
    """A comment as a defence changed it. Comments that stay as they were are not stored again.

    Masks can fail, so these are texts by real people: they go with the profile, and with the run.
    """

    run = models.ForeignKey(EvaluationRun, on_delete=models.CASCADE, related_name="defended_texts", db_index=False)
    profile = models.ForeignKey(Profile, on_delete=models.CASCADE, related_name="+")
    comment = models.ForeignKey(Comment, on_delete=models.CASCADE, related_name="+")
    defence = models.CharField(max_length=40, help_text="The key of its recipe in the run.")
    body = models.TextField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["run", "defence", "comment"], name="defended_text_once")]
        triggers = [pgtrigger.Protect(name="defended_text_never_edited", operation=pgtrigger.Update)]

    def __str__(self) -> str:
        return f"defended comment {self.comment_id} of evaluation {self.run_id}"


class DetectedComment(models.Model):
    """What another detector's file marks in a comment, for a run that masks it. Without spans, it marks nothing there.

    Offsets say where a person wrote what, so they go with the profile, and with the run.
    """

    run = models.ForeignKey(EvaluationRun, on_delete=models.CASCADE, related_name="detected_comments", db_index=False)
    profile = models.ForeignKey(Profile, on_delete=models.CASCADE, related_name="+")
    comment = models.ForeignKey(Comment, on_delete=models.CASCADE, related_name="+")
    spans = models.JSONField(help_text="[start, end, type] for each.")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["run", "comment"], name="detected_comment_once")]
        triggers = [pgtrigger.Protect(name="detected_comment_never_edited", operation=pgtrigger.Update)]

    def __str__(self) -> str:
        return f"detected comment {self.comment_id} of evaluation {self.run_id}"
