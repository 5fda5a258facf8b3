from django.urls import path

from annotator.batches.views import batch
from annotator.corpora.views import corpora, imports, provenance
from annotator.detection.urls import detection_urls

corpora_urls = [
    path("corpora/", corpora.corpora, name="corpora"),
    path("corpora/import/", imports.import_dumps, name="import_dumps"),
    path("corpora/<int:corpus_id>/", corpora.corpus, name="corpus"),
    path("corpora/<int:corpus_id>/import/", imports.grow_corpus, name="grow_corpus"),
    path("corpora/<int:corpus_id>/making/", provenance.making, name="making"),
    path("corpora/<int:corpus_id>/progress/", provenance.progress, name="progress"),
    path("corpora/<int:corpus_id>/go-on/", provenance.go_on, name="go_on"),
    path("corpora/<int:corpus_id>/files/<int:file_id>/", provenance.dump_file, name="dump_file"),
    *detection_urls,
    path("profiles/<int:profile_id>/", corpora.profile, name="profile"),
    path("batches/<int:batch_id>/", batch.batch, name="batch"),
]
