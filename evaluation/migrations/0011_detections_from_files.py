"""Move what runs kept of other detectors' files into the table. A takedown did not reach the files."""

import json
from functools import partial
from pathlib import Path

from django.apps.registry import Apps
from django.conf import settings
from django.db import migrations, transaction
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

BATCH_SIZE = 1_000
KEYS = ("detector_file", "defence__detector_file")  # in the settings of runs over defences, and of attacks on masks


def move_detections(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    files = apps.get_model("evaluation", "EvaluationInput")._default_manager
    for key in KEYS:
        stored = files.filter(role="predictions", **{f"run__settings__{key}__name__isnull": False})
        for file in stored.order_by("pk"):
            path = Path(settings.EVALUATIONS) / str(file.run_id) / file.file_name
            if path.exists():
                _store(apps, file.run_id, path)
            file.delete()
            transaction.on_commit(partial(path.unlink, missing_ok=True))


def _store(apps: Apps, run: int, path: Path) -> None:
    comments = apps.get_model("profiles", "Comment")._default_manager
    detected = apps.get_model("evaluation", "DetectedComment")
    with path.open(encoding="utf-8") as lines:
        spans = dict(map(json.loads, lines))
    numbers = sorted(spans)
    for start in range(0, len(numbers), BATCH_SIZE):
        rows = comments.filter(pk__in=numbers[start : start + BATCH_SIZE]).values_list("pk", "profile_id")
        detected._default_manager.bulk_create(
            [detected(run_id=run, profile_id=owner, comment_id=pk, spans=spans[pk]) for pk, owner in rows],
            ignore_conflicts=True,
        )


class Migration(migrations.Migration):
    dependencies = [("evaluation", "0010_detected_comments")]

    operations = [migrations.RunPython(move_detections, migrations.RunPython.noop)]
