"""The site's settings, with what tests need: quick passwords, no manifest, a broker database per test process."""

import os

from annotator.config.settings import *  # noqa: F403
from annotator.config.settings import CACHES, HOME, INSTALLED_APPS, REDIS_URL, STORAGES
from annotator.embedded.home import Home

INSTALLED_APPS = ["tests", *INSTALLED_APPS]  # for a quicker `flush`
PROCESS = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) + 1  # database 0 is nobody's here
HOME = Home(HOME.root / f"tests-{PROCESS}")  # working files carry the numbers of rows, and each process has its own
EMBEDDED_BROKER = REDIS_URL.startswith("unix://")
REDIS_URL = f"{REDIS_URL}?db={PROCESS}" if EMBEDDED_BROKER else f"{REDIS_URL.rsplit('/', 1)[0]}/{PROCESS}"
CACHES = {"default": CACHES["default"] | {"LOCATION": REDIS_URL}}
CELERY_BROKER_URL = REDIS_URL.replace("unix://", "redis+socket://", 1).replace("?db=", "?virtual_host=")
STORAGES = STORAGES | {"staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = True
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
