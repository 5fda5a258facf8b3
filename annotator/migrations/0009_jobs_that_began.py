"""Label imports and gold builds from before jobs were claimed: say when they began and ended."""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import F


def fill(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    imports = apps.get_model("annotator", "LabelImport")._default_manager
    imports.filter(began_at=None, beat_at__isnull=False).update(began_at=F("requested_at"))
    builds = apps.get_model("annotator", "GoldBuild")._default_manager
    idle = builds.filter(began_at=None, built_at__isnull=False)
    idle.update(began_at=F("built_at"), beat_at=F("built_at"), finished_at=F("built_at"))


class Migration(migrations.Migration):
    dependencies = [("annotator", "0008_jobs")]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
