from django.urls import path

from annotator.guidelines import views

guidelines_urls = [
    path("guidelines/", views.guidelines, name="guidelines"),
    path("guidelines/new/", views.new_guidelines, name="new_guidelines"),
    path("guidelines/<int:number>/", views.guideline_version, name="guideline_version"),
    path("guidelines/<int:number>/cards/", views.guideline_cards, name="guideline_cards"),
]
