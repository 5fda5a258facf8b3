from django.urls import path

from annotator.corpora.views import hint_files, subreddits

subreddits_urls = [
    path("subreddits/", subreddits.subreddits, name="subreddits"),
    path("subreddits/hints/", subreddits.add_hint, name="add_hint"),
    path("subreddits/hints/<int:hint_id>/", subreddits.change_hint, name="change_hint"),
    path("subreddits/hints/<int:hint_id>/remove/", subreddits.remove_hint, name="remove_hint"),
    path("subreddits/export/", hint_files.export_hints, name="export_hints"),
    path("subreddits/import/", hint_files.import_hints, name="import_hints"),
    path("subreddits/import/<slug:upload>/", hint_files.replace_hints, name="replace_hints"),
]
