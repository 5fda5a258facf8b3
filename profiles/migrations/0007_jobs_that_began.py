"""Ingests from before jobs were claimed: those that are no longer waiting began when they were requested."""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import F


def fill(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    ingests = apps.get_model("profiles", "Ingest")._default_manager
    ingests.filter(began_at=None).exclude(stage="waiting").update(began_at=F("requested_at"))


class Migration(migrations.Migration):
    dependencies = [("profiles", "0006_jobs")]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
