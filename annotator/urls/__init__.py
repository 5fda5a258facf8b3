"""The site's pages, grouped by what they are about."""

from annotator.urls.corpora import corpora_urls
from annotator.urls.people import people_urls
from annotator.urls.site import site_urls

app_name = "annotator"
urlpatterns = [*site_urls, *corpora_urls, *people_urls]
