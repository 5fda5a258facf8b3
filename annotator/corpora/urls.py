from django.urls import path

from annotator.corpora.views import account_name, corpora, hint_files, imports, provenance, settings, subreddits

corpora_urls = [
    path("corpora/", corpora.corpora, name="corpora"),
    path("corpora/import/", imports.import_dumps, name="import_dumps"),
    path("corpora/<int:corpus_id>/", corpora.corpus, name="corpus"),
    path("corpora/<int:corpus_id>/import/", imports.grow_corpus, name="grow_corpus"),
    path("corpora/<int:corpus_id>/provenance/", provenance.provenance, name="provenance"),
    path("corpora/<int:corpus_id>/progress/", provenance.progress, name="progress"),
    path("corpora/<int:corpus_id>/resume/", provenance.resume_import, name="resume_import"),
    path("corpora/<int:corpus_id>/settings/", settings.corpus_settings, name="corpus_settings"),
    path("corpora/<int:corpus_id>/archive/", settings.archive_corpus, name="archive_corpus"),
    path("corpora/<int:corpus_id>/restore/", settings.restore_corpus, name="restore_corpus"),
    path("corpora/<int:corpus_id>/files/<int:file_id>/", provenance.dump_file, name="dump_file"),
    path("profiles/<int:profile_id>/", corpora.profile, name="profile"),
    path("profiles/<int:profile_id>/account-name/", account_name.see_account_name, name="see_account_name"),
    path("subreddits/", subreddits.subreddits, name="subreddits"),
    path("subreddits/hints/", subreddits.add_hint, name="add_hint"),
    path("subreddits/hints/<int:hint_id>/", subreddits.change_hint, name="change_hint"),
    path("subreddits/hints/<int:hint_id>/remove/", subreddits.remove_hint, name="remove_hint"),
    path("subreddits/export/", hint_files.export_hints, name="export_hints"),
    path("subreddits/import/", hint_files.import_hints, name="import_hints"),
    path("subreddits/import/<slug:upload>/", hint_files.replace_hints, name="replace_hints"),
]
