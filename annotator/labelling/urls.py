from django.urls import path, re_path

from annotator.labelling.views import activity, answers, page, practice
from profiles.attributes import Attribute

AT = "assignments/<int:assignment_id>/"
SAVE = rf"^assignments/(?P<assignment_id>[0-9]{{1,18}})/answers/(?P<attribute>{'|'.join(Attribute.values)})/$"

labelling_urls = [
    path("batches/<int:batch_id>/continue/", answers.continue_batch, name="continue_batch"),
    path(AT, page.label_profile, name="label_profile"),
    path(f"{AT}comments/", page.label_comments, name="label_comments"),
    path(f"{AT}comments/<int:comment_id>/", page.label_comment, name="label_comment"),
    path(f"{AT}places/", page.label_places, name="label_places"),
    path(f"{AT}presidio/", page.label_presidio, name="label_presidio"),
    path(f"{AT}next/", page.next_profile, name="next_profile"),
    path(f"{AT}submit/", answers.submit_profile, name="submit_profile"),
    path(f"{AT}reopen/", answers.reopen_profile, name="reopen_profile"),
    path(f"{AT}practice/", practice.practice, name="practice"),
    path(f"{AT}skip/", answers.skip_profile, name="skip_profile"),
    path(f"{AT}flag/", activity.flag_profile, name="flag_profile"),
    path(f"{AT}look-ups/", activity.remember_search, name="remember_search"),
    path(f"{AT}time/", activity.count_seconds, name="count_seconds"),
    re_path(SAVE, answers.save_answer, name="save_answer"),
    path("places/", activity.suggest_places, name="suggest_places"),
    path("session/", activity.session, name="session"),
]
