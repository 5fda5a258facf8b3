"""Settings that are made from the environment."""

import os
import subprocess
import sys

import pytest

CODE = "from django.conf import settings; print(settings.DATABASES['default']['OPTIONS'].get('options', ''))"
ONE_PLAN = "-c plan_cache_mode=force_generic_plan"


def options_of(url: str, tmp_path, **environment: str) -> str:
    names = {"DATABASE_URL": url, "REDIS_URL": "redis://localhost/0", "TELLTALE_HOME": str(tmp_path)}
    names |= {"DJANGO_SETTINGS_MODULE": "annotator.config.settings", **environment}
    return subprocess.check_output([sys.executable, "-c", CODE], env=os.environ | names, text=True).strip()


@pytest.mark.parametrize(
    ("url", "options"),
    [
        ("postgres://x@localhost/x", ONE_PLAN),
        ("postgres://x@localhost/x?options=-c%20search_path=y", f"-c search_path=y {ONE_PLAN}"),
    ],
)
def test_options_of_the_database_url_are_kept(url, options, tmp_path):
    assert options_of(url, tmp_path) == options


def test_poolers_get_no_options(tmp_path):
    assert options_of("postgres://x@localhost/x", tmp_path, TELLTALE_DB_PREPARED="0") == ""
