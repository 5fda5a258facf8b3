from django.urls import path

from evaluation.proposals.views import decisions, searches

proposal_urls = [
    path("subreddits/searches/", searches.subreddit_searches, name="subreddit_searches"),
    path("subreddits/searches/new/", searches.new_subreddit_search, name="new_subreddit_search"),
    path("subreddits/searches/<int:search_id>/", searches.subreddit_search, name="subreddit_search"),
    path(
        "subreddits/searches/<int:search_id>/again/", searches.repeat_subreddit_search, name="repeat_subreddit_search"
    ),
    path(
        "subreddits/searches/<int:search_id>/cancel/", searches.cancel_subreddit_search, name="cancel_subreddit_search"
    ),
    path(
        "subreddits/searches/<int:search_id>/delete/", searches.delete_subreddit_search, name="delete_subreddit_search"
    ),
    path("subreddits/searches/<int:search_id>/accept-certain/", decisions.accept_certain, name="accept_certain"),
    path("subreddits/proposals/<int:proposal_id>/accept/", decisions.accept_proposal, name="accept_proposal"),
    path("subreddits/proposals/<int:proposal_id>/reject/", decisions.reject_proposal, name="reject_proposal"),
    path("subreddits/proposals/<int:proposal_id>/undo/", decisions.undo_decision, name="undo_decision"),
]
