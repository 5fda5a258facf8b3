"""The site's settings, adapted to tests: fast password hashes, no manifest, a broker database per test process."""

import os

from annotator.config.settings import *  # noqa: F403
from annotator.config.settings import CACHES, DATABASES, HOME, INSTALLED_APPS, REDIS_URL, STORAGES
from annotator.embedded.home import Home
from tests.migrated import migrated_home

INSTALLED_APPS = ["tests", *INSTALLED_APPS]  # for a faster `flush`
PROCESS = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) + 1  # tests leave database 0 alone
if migrated_home(HOME).root.exists():  # a throwaway home: clone its database, and apply what it lacks
    DATABASES["default"]["TEST"] = {"TEMPLATE": DATABASES["default"]["NAME"]}
HOME = Home(HOME.root / f"tests-{PROCESS}")  # files are named after row ids, which repeat in each process
EVALUATIONS = HOME.root / "evaluations"
EMBEDDED_BROKER = REDIS_URL.startswith("unix://")
REDIS_URL = f"{REDIS_URL}?db={PROCESS}" if EMBEDDED_BROKER else f"{REDIS_URL.rsplit('/', 1)[0]}/{PROCESS}"
CACHES = {name: options | {"LOCATION": REDIS_URL} for name, options in CACHES.items()}
CELERY_BROKER_URL = REDIS_URL.replace("unix://", "redis+socket://", 1).replace("?db=", "?virtual_host=")
STORAGES = STORAGES | {"staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = True
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
