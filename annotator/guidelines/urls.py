from django.urls import path

from annotator.guidelines.views import cards, versions

guidelines_urls = [
    path("guidelines/", versions.guidelines, name="guidelines"),
    path("guidelines/new/", versions.new_guidelines, name="new_guidelines"),
    path("guidelines/<int:number>/", versions.guideline_version, name="guideline_version"),
    path("guidelines/<int:number>/cards/", cards.guideline_cards, name="guideline_cards"),
]
