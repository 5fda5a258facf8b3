from django.urls import path

from evaluation.defences.views import creation

defence_urls = [
    path("evaluations/new/defence/", creation.new_defence, name="new_defence"),
]
