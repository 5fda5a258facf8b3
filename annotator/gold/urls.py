from django.urls import path

from annotator.gold.views import adjudication, cited_comments, disputes, equivalence, gold

AT = "adjudication/<int:profile_id>/"

gold_urls = [
    path("adjudication/", disputes.adjudication, name="adjudication"),
    path("adjudication/next/", disputes.next_dispute, name="next_dispute"),
    path("adjudication/decisions/", disputes.decisions, name="decisions"),
    path("adjudication/meanings/", equivalence.meanings, name="meanings"),
    path("adjudication/meanings/<int:meaning_id>/undo/", equivalence.undo_meaning, name="undo_meaning"),
    path(AT, adjudication.adjudicate, name="adjudicate"),
    path(f"{AT}comments/", cited_comments.cited_comments, name="cited_comments"),
    path(f"{AT}renew/", adjudication.renew, name="renew_lease"),
    path(f"{AT}meaning/", equivalence.same_meaning, name="same_meaning"),
    path(f"{AT}<str:attribute>/", adjudication.decide_attribute, name="decide_attribute"),
    path(f"{AT}<str:attribute>/undo/", adjudication.undo, name="undo_decision"),
    path("gold/", gold.gold_sets, name="gold"),
    path("gold/<int:corpus_id>/", gold.gold, name="gold"),
    path("gold/<int:corpus_id>/records/", gold.gold_records, name="gold_records"),
    path("gold/<int:corpus_id>/prompted/", gold.prompted_answers, name="prompted_answers"),
    path("gold/<int:corpus_id>/waiting/", gold.waiting, name="gold_waiting"),
    path("gold/<int:corpus_id>/rebuild/", gold.rebuild_gold, name="rebuild_gold"),
    path("gold/<int:corpus_id>/targets/", gold.targets, name="targets"),
]
