from django.urls import path

from annotator.views import batches, corpora

corpora_urls = [
    path("corpora/", corpora.corpora, name="corpora"),
    path("corpora/<int:corpus_id>/", corpora.corpus, name="corpus"),
    path("profiles/<int:profile_id>/", corpora.profile, name="profile"),
    path("batches/<int:batch_id>/", batches.batch, name="batch"),
]
