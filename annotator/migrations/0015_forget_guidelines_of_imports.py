"""Imports from before: forget the guidelines that they claimed. Exports from before: expire files with Reddit's ids."""

import pgtrigger
from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.utils import timezone


def forget_guidelines(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    batches = apps.get_model("annotator", "Batch")._default_manager.filter(draw__has_key="import")
    gold = apps.get_model("annotator", "GoldRecord")._default_manager.exclude(batch_ids=[])
    imported = list(batches.values_list("pk", flat=True))
    with pgtrigger.ignore("annotator.Batch:batch_frozen_once_started"):
        batches.exclude(guideline=None).update(guideline=None)
    gold.filter(batch_ids__contained_by=imported).exclude(guideline=None).update(guideline=None)


def expire_exports(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """The next sweep removes the files. Their manifests stay."""
    exports = apps.get_model("annotator", "Export")._default_manager
    now = timezone.now()
    exports.filter(with_names=False, expires_at__gt=now).exclude(file_name="").update(expires_at=now)


class Migration(migrations.Migration):
    # The triggers that keep the history call a function of pghistory.
    dependencies = [("annotator", "0014_imports_without_guidelines"), ("pghistory", "0007_auto_20250421_0444")]

    operations = [
        migrations.RunPython(forget_guidelines, migrations.RunPython.noop),
        migrations.RunPython(expire_exports, migrations.RunPython.noop),
    ]
