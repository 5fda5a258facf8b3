"""All settings, read from the environment. docs/reference/settings.md explains every variable."""

import logging
import tomllib
from pathlib import Path
from typing import Any

import environ
import pghistory
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

from annotator.config.environment import Environment, is_weak
from annotator.config.logs import logging_config
from annotator.embedded.home import current_home, servers_are_embedded

env = Environment()
PROJECT = Path(__file__).resolve().parents[2]
HOME = current_home()
VERSION: str = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]["version"]

# ── Mode ───────────────────────────────────────────────────────────────────
PRODUCTION = env.bool("TELLTALE_PRODUCTION", default=False)
DEBUG = env.bool("TELLTALE_DEBUG", default=False)
EMBEDDED = servers_are_embedded()
if PRODUCTION and DEBUG:
    raise ImproperlyConfigured("TELLTALE_DEBUG shows source code to visitors. Unset it when TELLTALE_PRODUCTION is on.")


def secret(name: str, key: str) -> str:
    """Read a secret from the environment. Outside production, create one on first use and store it in the home."""
    value: str = env.str(name, default="")
    if PRODUCTION and is_weak(value):
        raise ImproperlyConfigured(f"Set {name} to at least 50 random characters. docs/reference/settings.md says how.")
    return value or HOME.key(key)


SECRET_KEY = secret("TELLTALE_SECRET_KEY", "secret_key")
ACCOUNT_KEY = secret("TELLTALE_ACCOUNT_KEY", "account_key")  # encrypts Reddit account names and makes pseudonyms
if PRODUCTION and SECRET_KEY == ACCOUNT_KEY:
    raise ImproperlyConfigured(
        "TELLTALE_ACCOUNT_KEY is the same as TELLTALE_SECRET_KEY. Give each its own value. If account names are sealed "
        "already, keep TELLTALE_ACCOUNT_KEY and change TELLTALE_SECRET_KEY: everybody then signs in again."
    )
METRICS_TOKEN = env.str("TELLTALE_METRICS_TOKEN", default="")

# ── Servers ──────────────────────────────────────────────────────────────────
DATABASES: dict[str, dict[str, Any]]
if EMBEDDED and not PRODUCTION:
    DATABASES = {
        "default": {
            "NAME": "telltale",
            "USER": "telltale",
            "HOST": str(HOME.sockets),
        }
    }
    REDIS_URL = f"unix://{HOME.valkey_socket}"
else:
    DATABASES = {"default": env.db_url("DATABASE_URL")}
    REDIS_URL = env.str("REDIS_URL")
DATABASES["default"]["ATOMIC_REQUESTS"] = False
database_options = DATABASES["default"].setdefault("OPTIONS", {})
if env.bool("TELLTALE_DB_PREPARED", default=True):  # for profiles/statements.py, with one plan for all values
    database_options["prepare_threshold"] = 5
    database_options["options"] = (
        f"{database_options.get('options', '')} -c plan_cache_mode=force_generic_plan".lstrip()
    )
DATABASES["default"]["ENGINE"] = "annotator.core.postgres"
DB_POOL = env.int("TELLTALE_DB_POOL", default=8)  # connections of a web process: annotator/config/gunicorn.py

cache_options = {"LOCATION": REDIS_URL, "KEY_PREFIX": env.str("TELLTALE_CACHE_PREFIX", default="telltale")}
CACHES = {"default": {"BACKEND": "annotator.core.cache.FallbackCache", **cache_options}}

CELERY_BROKER_URL = REDIS_URL.replace("unix://", "redis+socket://", 1)
CELERY_TASK_IGNORE_RESULT = True  # the row is the state
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_DEFAULT_QUEUE = env.str("TELLTALE_QUEUE", default="telltale")
DETECTION_QUEUE = f"{CELERY_TASK_DEFAULT_QUEUE}.detection"  # separate, so that e-mail does not wait for a corpus
CELERY_TASK_ROUTES = {"annotator.detection.tasks.detect": {"queue": DETECTION_QUEUE}}
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None  # workers wait for the broker for as long as it takes
PUBLISH_RETRIES = {"max_retries": 1, "interval_start": 0, "interval_step": 0.2, "interval_max": 0.2}  # pages do not
CELERY_TASK_PUBLISH_RETRY_POLICY = PUBLISH_RETRIES
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": 600,  # above the longest task
    "unacked_restore_interval": 10,
    "unacked_restore_throttle": 1,
    "socket_connect_timeout": 5,
    **PUBLISH_RETRIES,
}
CELERY_WORKER_HIJACK_ROOT_LOGGER = False

TELLTALE_MODELS: dict[str, str] = env.dict("TELLTALE_MODELS", default={})  # spaCy models for more languages
MODEL_HOSTS = [host.strip().lower() for host in env.list("TELLTALE_MODEL_HOSTS", default=[]) if host.strip()]

# ── Application ──────────────────────────────────────────────────────────────
INSTALLED_APPS = [
    "evaluation",
    "annotator",
    "profiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "django.contrib.admin.apps.SimpleAdminConfig",  # read-only, see annotator/site/admin.py
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.messages",
    "django.contrib.postgres",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django.forms",
    "django_htmx",
    "django_structlog",
    "pghistory",
    "pgtrigger",
    "template_partials",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "annotator.core.middleware.ContentPolicyMiddleware",
    "annotator.core.middleware.ReadableRequestMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "annotator.site.metrics.MetricsMiddleware",
    "annotator.core.middleware.NoStoreMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "annotator.accounts.sessions.PersonMiddleware",
    "annotator.core.middleware.RequestLogMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "annotator.core.middleware.HtmxSignInMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "annotator.core.middleware.PersonHistoryMiddleware",
]
PGHISTORY_CONTEXT_FIELD = pghistory.ContextJSONField()  # in the row itself, without a table of contexts to join
PGHISTORY_CONTEXT_ID_FIELD = pghistory.ContextUUIDField()
ROOT_URLCONF = "annotator.config.urls"
WSGI_APPLICATION = "annotator.config.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [PROJECT / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "annotator.site.navigation.base_context",
            ],
        },
    }
]
FORM_RENDERER = "django.forms.renderers.TemplatesSetting"
LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_I18N = False
USE_TZ = True
USE_THOUSAND_SEPARATOR = False
STATIC_URL = "static/"
STATIC_ROOT = HOME.root / "static"
STATICFILES_DIRS = [PROJECT / "static"]
STATICFILES_FINDERS = [
    "django.contrib.staticfiles.finders.FileSystemFinder",
    "django.contrib.staticfiles.finders.AppDirectoriesFinder",
    "annotator.site.static_files.BundleFinder",
]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "annotator.site.static_files.StaticFilesStorage"},
}
MEDIA_ROOT = HOME.root / "media"

# ── Dumps ────────────────────────────────────────────────────────────────────
import_folders: str = env.str("TELLTALE_IMPORT_FOLDERS", default="") or str(HOME.root / "dumps")
IMPORT_FOLDERS = [Path(folder).expanduser() for folder in import_folders.split(":") if folder]
UPLOADS = HOME.root / "uploads"
EXPORTS = HOME.root / "exports"
EVALUATIONS = HOME.root / "evaluations"  # uploaded gold and predictions
UPLOAD_BYTES = env.int("TELLTALE_UPLOAD_MB", default=2048) * 1024 * 1024
if UPLOAD_BYTES < 1:
    raise ImproperlyConfigured("TELLTALE_UPLOAD_MB must be 1 or more.")
if not all(folder.is_absolute() for folder in IMPORT_FOLDERS):
    raise ImproperlyConfigured("TELLTALE_IMPORT_FOLDERS must name folders by their full paths, separated by colons.")

# ── Logs ─────────────────────────────────────────────────────────────────────
log_level = env.matching(
    "TELLTALE_LOG_LEVEL", "DEBUG|INFO|WARNING|ERROR", default="INFO", example="DEBUG, INFO, WARNING or ERROR"
)
LOGGING = logging_config(as_json=PRODUCTION, level=log_level)
DJANGO_STRUCTLOG_USER_ID_FIELD = "pk"
DJANGO_STRUCTLOG_IP_LOGGING_ENABLED = False
DJANGO_STRUCTLOG_STATUS_START_LOG_LEVEL = logging.DEBUG  # the line at its end says the same, and more

# ── People ───────────────────────────────────────────────────────────────────
AUTH_USER_MODEL = "annotator.Annotator"
AUTHENTICATION_BACKENDS = ["annotator.accounts.backends.SignInBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "annotator:home"
LOGOUT_REDIRECT_URL = "account_login"
ACCOUNT_ADAPTER = "annotator.accounts.adapters.AccountAdapter"
ACCOUNT_FORMS = {
    "login": "annotator.accounts.forms.SignInForm",
    "change_password": "annotator.accounts.forms.PasswordChangeForm",
    "reset_password": "annotator.accounts.forms.PasswordLinkForm",
    "reset_password_from_key": "annotator.accounts.forms.NewPasswordForm",
    "reauthenticate": "annotator.accounts.forms.ConfirmPasswordForm",
}
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_USER_DISPLAY = "annotator.accounts.adapters.display_name"
ACCOUNT_LOGOUT_ON_PASSWORD_CHANGE = False
ACCOUNT_REAUTHENTICATION_TIMEOUT = 15 * 60
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_RATE_LIMITS = {
    "login": None,  # annotator/accounts/lockout.py counts by account and address together
    "login_failed": None,
    "reset_password": "20/m/ip,5/m/key",
}
LOCKOUT = env.matching("TELLTALE_LOCKOUT", r"[1-9]\d*/\d*[smhd]", default="5/15m", example="5/15m")
ALLAUTH_TRUSTED_PROXY_COUNT = env.int("TELLTALE_PROXIES", default=0)
MFA_ADAPTER = "annotator.accounts.adapters.SecondFactorAdapter"
MFA_FORMS = {
    "authenticate": "annotator.accounts.second_factor.SignInCodeForm",
    "reauthenticate": "annotator.accounts.second_factor.ConfirmCodeForm",
    "activate_totp": "annotator.accounts.second_factor.ActivationForm",
}
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
MFA_ALLOW_UNVERIFIED_EMAIL = True  # addresses are optional here
MFA_TOTP_ISSUER = "Telltale"
MFA_TOTP_TOLERANCE = 1
SESSION_ENGINE = "annotator.accounts.sessions"
SESSION_COOKIE_AGE = 3600 * env.int("TELLTALE_SESSION_HOURS", default=12)
SESSION_COOKIE_NAME = "telltale_session"
CSRF_COOKIE_NAME = "telltale_csrf"
CSRF_FAILURE_VIEW = "annotator.site.views.errors.csrf_failure"
INVITATION_DAYS = env.int("TELLTALE_INVITATION_DAYS", default=7)

mail = env.email_url("TELLTALE_MAIL_URL", default="dummymail://")
EMAIL_BACKEND = mail["EMAIL_BACKEND"]
EMAIL_HOST, EMAIL_PORT = mail.get("EMAIL_HOST") or "localhost", mail.get("EMAIL_PORT") or 25
EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = mail.get("EMAIL_HOST_USER") or "", mail.get("EMAIL_HOST_PASSWORD") or ""
EMAIL_USE_TLS, EMAIL_USE_SSL = mail.get("EMAIL_USE_TLS", False), mail.get("EMAIL_USE_SSL", False)
EMAIL_FILE_PATH = mail.get("EMAIL_FILE_PATH")
EMAIL_TIMEOUT = 20
MAIL_IS_CONFIGURED = not EMAIL_BACKEND.endswith("dummy.EmailBackend")
DEFAULT_FROM_EMAIL = env.str("TELLTALE_MAIL_FROM", default="telltale@localhost")

# ── Well-being ───────────────────────────────────────────────────────────────
BREAK_SECONDS = 60 * env.int("TELLTALE_BREAK_MINUTES", default=50)  # of activity until a reminder; 0: never
SUPPORT_TEXT: str = env.str("TELLTALE_SUPPORT_TEXT", default="") or (
    "Some texts can be disturbing. You can skip any profile and stop at any time. "
    "If something stays on your mind, talk to the people who run the study."
)
if BREAK_SECONDS < 0:
    raise ImproperlyConfigured("TELLTALE_BREAK_MINUTES must be 0 or more.")

# ── Safety ───────────────────────────────────────────────────────────────────
LOOPBACK = ["localhost", "127.0.0.1", "[::1]"]
ALLOWED_HOSTS: list[str] = env.list("TELLTALE_HOSTS", default=environ.Env.NOTSET if PRODUCTION else LOOPBACK)
if not ALLOWED_HOSTS:
    raise ImproperlyConfigured("TELLTALE_HOSTS is empty. Name the hosts that people reach the site by.")
BASE_URL = env.str("TELLTALE_BASE_URL", default="") or (f"https://{ALLOWED_HOSTS[0]}" if PRODUCTION else "")
CSRF_TRUSTED_ORIGINS = [f"https://{host}" for host in ALLOWED_HOSTS if PRODUCTION and not host.startswith(".")]
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = PRODUCTION
SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
SECURE_SSL_REDIRECT = PRODUCTION
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$", r"^metrics$"]
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if ALLAUTH_TRUSTED_PROXY_COUNT else None
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if PRODUCTION else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = PRODUCTION
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],  # data: is the QR code of the two-factor key
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "base-uri": [NONE],
        "manifest-src": [SELF],
    }
}
