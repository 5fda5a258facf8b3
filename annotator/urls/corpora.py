from django.urls import path

from annotator.detection.urls import detection_urls
from annotator.views import batches, corpora, imports, making

corpora_urls = [
    path("corpora/", corpora.corpora, name="corpora"),
    path("corpora/import/", imports.import_dumps, name="import_dumps"),
    path("corpora/<int:corpus_id>/", corpora.corpus, name="corpus"),
    path("corpora/<int:corpus_id>/import/", imports.grow_corpus, name="grow_corpus"),
    path("corpora/<int:corpus_id>/making/", making.making, name="making"),
    path("corpora/<int:corpus_id>/progress/", making.progress, name="progress"),
    path("corpora/<int:corpus_id>/go-on/", making.go_on, name="go_on"),
    path("corpora/<int:corpus_id>/files/<int:file_id>/", making.dump_file, name="dump_file"),
    *detection_urls,
    path("profiles/<int:profile_id>/", corpora.profile, name="profile"),
    path("batches/<int:batch_id>/", batches.batch, name="batch"),
]
