from django.urls import path

from annotator.exchange.views import exports, label_imports

exchange_urls = [
    path("exports/", exports.exports, name="exports"),
    path("exports/<int:export_id>/", exports.export, name="export"),
    path("exports/<int:export_id>/file/", exports.export_file, name="export_file"),
    path("exports/<int:export_id>/manifest/", exports.export_manifest, name="export_manifest"),
    path("imports/labels/", label_imports.import_labels, name="import_labels"),
    path("imports/labels/<int:label_import_id>/undo/", label_imports.undo_import, name="undo_import"),
]
