from django.urls import path

from annotator.views import machines, site

site_urls = [
    path("", site.home, name="home"),
    path("theme/", site.set_theme, name="set_theme"),
    path("styleguide/", site.styleguide, name="styleguide"),
    path("healthz", machines.healthz, name="healthz"),
    path("readyz", machines.readyz, name="readyz"),
    path("metrics", machines.metrics, name="metrics"),
]
