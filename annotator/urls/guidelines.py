from django.urls import path

from annotator.views import guidelines

guidelines_urls = [
    path("guidelines/", guidelines.guidelines, name="guidelines"),
    path("guidelines/new/", guidelines.new_guidelines, name="new_guidelines"),
    path("guidelines/<int:number>/", guidelines.guideline_version, name="guideline_version"),
]
