from django.apps import AppConfig

from annotator.core.default_messages import use_plain_messages


class AnnotatorConfig(AppConfig):
    name = "annotator"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from annotator.accounts.signals import connect_receivers  # needs the models, which are loaded only now

        connect_receivers()
        use_plain_messages()
