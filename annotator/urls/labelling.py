from django.urls import path, re_path

from annotator.guidelines.views import cards
from annotator.views import handing, label_profile, saving
from profiles.attributes import Attribute

AT = "assignments/<int:assignment_id>/"
SAVE = rf"^assignments/(?P<assignment_id>[0-9]{{1,18}})/answers/(?P<attribute>{'|'.join(Attribute.values)})/$"

labelling_urls = [
    path("batches/<int:batch_id>/continue/", handing.continue_batch, name="continue_batch"),
    path(AT, label_profile.label_profile, name="label_profile"),
    path(f"{AT}comments/", label_profile.label_comments, name="label_comments"),
    path(f"{AT}comments/<int:comment_id>/", label_profile.label_comment, name="label_comment"),
    path(f"{AT}places/", label_profile.label_places, name="label_places"),
    path(f"{AT}presidio/", label_profile.label_presidio, name="label_presidio"),
    path(f"{AT}next/", handing.next_profile, name="next_profile"),
    path(f"{AT}submit/", handing.submit_profile, name="submit_profile"),
    path(f"{AT}reopen/", handing.reopen_profile, name="reopen_profile"),
    path(f"{AT}skip/", handing.skip_profile, name="skip_profile"),
    path(f"{AT}flag/", saving.flag_profile, name="flag_profile"),
    path(f"{AT}look-ups/", saving.remember_search, name="remember_search"),
    path(f"{AT}time/", saving.count_seconds, name="count_seconds"),
    re_path(SAVE, saving.save_answer, name="save_answer"),
    path("guidelines/<int:number>/cards/", cards.guideline_cards, name="guideline_cards"),
    path("places/", saving.suggest_places, name="suggest_places"),
    path("session/", handing.session, name="session"),
]
