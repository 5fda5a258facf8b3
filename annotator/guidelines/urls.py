from django.urls import path

from annotator.guidelines.views import versions

guidelines_urls = [
    path("guidelines/", versions.guidelines, name="guidelines"),
    path("guidelines/new/", versions.new_guidelines, name="new_guidelines"),
    path("guidelines/<int:number>/", versions.guideline_version, name="guideline_version"),
]
