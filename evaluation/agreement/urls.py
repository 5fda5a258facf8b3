from django.urls import path

from evaluation.agreement import views

agreement_urls = [
    path("batches/<int:batch_id>/agreement/", views.batch_agreement, name="batch_agreement"),
    path("corpora/<int:corpus_id>/agreement/", views.corpus_agreement, name="corpus_agreement"),
]
