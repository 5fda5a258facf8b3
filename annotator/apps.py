from django.apps import AppConfig


class AnnotatorConfig(AppConfig):
    name = "annotator"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from annotator.accounts.signals import connect_receivers  # needs the models, which are loaded only now

        connect_receivers()
