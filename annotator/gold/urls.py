from django.urls import path

from annotator.gold.views import adjudication, disputes, equivalence

AT = "adjudication/<int:profile_id>/"

adjudication_urls = [
    path("adjudication/", disputes.adjudication, name="adjudication"),
    path("adjudication/next/", disputes.next_dispute, name="next_dispute"),
    path("adjudication/meanings/", equivalence.meanings, name="meanings"),
    path("adjudication/meanings/<int:meaning_id>/undo/", equivalence.undo_meaning, name="undo_meaning"),
    path(AT, adjudication.adjudicate, name="adjudicate"),
    path(f"{AT}renew/", adjudication.renew, name="renew_lease"),
    path(f"{AT}meaning/", equivalence.same_meaning, name="same_meaning"),
    path(f"{AT}<str:attribute>/", adjudication.decide_attribute, name="decide_attribute"),
]
