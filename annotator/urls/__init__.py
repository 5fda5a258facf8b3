"""The site's pages, grouped by what they are about."""

from annotator.accounts.urls import people_urls
from annotator.batches.urls import batches_urls
from annotator.corpora.subreddit_urls import subreddits_urls
from annotator.corpora.urls import corpora_urls
from annotator.exchange.urls import exchange_urls
from annotator.gold.urls import adjudication_urls
from annotator.guidelines.urls import guidelines_urls
from annotator.labelling.urls import labelling_urls
from annotator.privacy.urls import privacy_urls
from annotator.quality.urls import quality_urls
from annotator.site.urls import site_urls
from annotator.study.urls import study_urls

app_name = "annotator"
urlpatterns = [
    *site_urls,
    *corpora_urls,
    *people_urls,
    *privacy_urls,
    *subreddits_urls,
    *guidelines_urls,
    *labelling_urls,
    *batches_urls,
    *quality_urls,
    *adjudication_urls,
    *study_urls,
    *exchange_urls,
]
