"""Routes of all pages, feature by feature."""

from annotator.accounts.urls import accounts_urls
from annotator.batches.urls import batches_urls
from annotator.corpora.urls import corpora_urls
from annotator.deletion.urls import deletion_urls
from annotator.detection.urls import detection_urls
from annotator.exchange.urls import exchange_urls
from annotator.gold.urls import gold_urls
from annotator.guidelines.urls import guidelines_urls
from annotator.history.urls import history_urls
from annotator.labelling.urls import labelling_urls
from annotator.own_work.urls import own_work_urls
from annotator.privacy.urls import privacy_urls
from annotator.quality.urls import quality_urls
from annotator.site.urls import site_urls
from annotator.study.urls import study_urls

app_name = "annotator"
urlpatterns = [
    *labelling_urls,  # first, because most requests are for them
    *site_urls,
    *corpora_urls,
    *deletion_urls,
    *detection_urls,
    *accounts_urls,
    *history_urls,
    *privacy_urls,
    *guidelines_urls,
    *batches_urls,
    *quality_urls,
    *own_work_urls,
    *gold_urls,
    *study_urls,
    *exchange_urls,
]
