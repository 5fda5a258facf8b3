from django.urls import path

from annotator.site.views import health, home

site_urls = [
    path("", home.home, name="home"),
    path("theme/", home.set_theme, name="set_theme"),
    path("styleguide/", home.styleguide, name="styleguide"),
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("metrics", health.metrics, name="metrics"),
]
