from django.urls import path

from annotator.deletion import views

deletion_urls = [
    path("corpora/<int:corpus_id>/delete/", views.delete_corpus, name="delete_corpus"),
    path("corpora/deletions/<int:deletion_id>/resume/", views.resume_deletion, name="resume_deletion"),
]
