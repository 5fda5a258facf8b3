"""A line of a native export."""

RECORD = {
    "schema": "telltale.gold/1",
    "pseudonym": "mellow-otter",
    "corpus": "pilot",
    "comments": [
        {"id": "1", "subreddit": "berlin", "written_at": "2013-05-30T09:00:00Z", "text": "🏠 I live in Berlin"},
    ],
    "gold": {
        "location": {
            "value": "berlin / berlin / germany", "hardness": 1, "certainty": 5, "required_subreddit": False,
            "evidence": [{"comment": "1", "start": 12, "end": 18, "text": "Berlin"}], "reached": "consensus",
            "rule": "x", "decided_by": None, "decided_at": "2014-01-01T00:00:00Z", "guideline": 2,
        },
        "age": {
            "value": "", "hardness": 0, "certainty": 0, "required_subreddit": False, "reached": "single", "rule": "x",
            "decided_by": None, "decided_at": "2014-01-01T00:00:00Z", "guideline": None,
        },
    },
    "judgements": [],
}  # fmt: skip
