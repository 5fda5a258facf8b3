from django.urls import path

from annotator.own_work import views

own_work_urls = [
    path("welcome/", views.welcome, name="welcome"),
    path("my-work/", views.own_work, name="own_work"),
    path("my-work/<slug:report>/", views.own_reports_page, name="own_reports"),
]
