from profiles.models.accounts import AccountName, ForgottenAccount
from profiles.models.chunks import DetectionChunk, Unanalysed
from profiles.models.corpora import Comment, Corpus, Presence, Profile
from profiles.models.detections import Detection, DetectionRun, EntityType, Recipe
from profiles.models.ingests import DumpFile, Ingest, SetAside
from profiles.models.subreddits import AttributeHint, Subreddit

__all__ = [
    "AccountName",
    "AttributeHint",
    "Comment",
    "Corpus",
    "Detection",
    "DetectionChunk",
    "DetectionRun",
    "DumpFile",
    "EntityType",
    "ForgottenAccount",
    "Ingest",
    "Presence",
    "Profile",
    "Recipe",
    "SetAside",
    "Subreddit",
    "Unanalysed",
]
