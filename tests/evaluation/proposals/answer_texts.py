"""Answers as models write them, with what they name. Written for these tests."""

LONDON = [("london", "the city"), ("AskUK", "questions from the UK")]

# What is written, and the names with their reasons.
LISTS = {
    "json": (
        '{"subreddits": [{"name": "london", "reason": "the city"}, '
        '{"name": "AskUK", "reason": "questions from the UK"}]}'
    ),
    "json in a fence": (
        'Sure! Here is the list:\n```json\n[{"subreddit": "r/london", "why": "the city"},\n'
        ' {"subreddit": "/r/AskUK", "why": "questions from the UK"},]\n```\nLet me know if you need more.'
    ),
    "json by name": '{"r/london": "the city", "r/AskUK": "questions from the UK"}',
    "json by name in a list": '{"subreddits": {"london": "the city", "AskUK": "questions from the UK"}}',
    "json by group": (
        '{"cities": [{"name": "london", "description": "the city"}], '
        '"countries": [{"name": "AskUK", "description": "questions from the UK"}]}'
    ),
    "json that was cut off": (
        '{"subreddits": [{"name": "london", "reason": "the city"}, '
        '{"name": "AskUK", "reason": "questions from the UK"}, {"name": "Brixt'
    ),
    "numbered": "1. r/london - the city\n2. r/AskUK - questions from the UK",
    "numbered with brackets": "1) /r/london: the city\n2) /r/AskUK: questions from the UK",
    "bullets": "* r/london – the city\n* r/AskUK — questions from the UK",
    "bold": "1. **r/london**: the city\n2. **r/AskUK:** questions from the UK",
    "bold number": "**1. r/london** - the city\n\n**2. r/AskUK** - questions from the UK",
    "bold without r": "- **london** - the city\n- **AskUK** - questions from the UK",
    "bare names": "1. london - the city\n2. AskUK: questions from the UK",
    "code": "- `r/london` (the city)\n- `r/AskUK` (questions from the UK)",
    "links": (
        "1. [r/london](https://www.reddit.com/r/london/) - the city\n"
        "2. [Questions](https://reddit.com/r/AskUK) - questions from the UK"
    ),
    "addresses": "https://www.reddit.com/r/london/ - the city\nhttps://old.reddit.com/r/AskUK - questions from the UK",
    "table": (
        "| # | Subreddit | Members | Reason |\n|---|:---|---:|---|\n"
        "| 1 | r/london | about a million, perhaps more | the city |\n| 2 | **AskUK** | 2m | questions from the UK |"
    ),
    "table without edges": "Name | Why\n--- | ---\nlondon | the city\nAskUK | questions from the UK",
    "reason on the next line": "1. **r/london**\n   - Reason: the city\n2. **r/AskUK**\n   questions from the UK",
    "headings": "### 1. r/london\n\nthe city\n\n### 2. r/AskUK\n\nquestions from the UK\n\nI hope this helps!",
    "lines without bullets": "r/london - the city\nr/AskUK - questions from the UK",
    "brackets": "- r/london (the city)\n- r/AskUK: questions from the UK",
    "quoted": "> - r/london: the city\n> - r/AskUK: questions from the UK",
    "doubled": "1. r/london - the city\n2. R/London - again\n3. r/AskUK - questions from the UK\n4. r/ASKUK",
    "reason at the second": "- r/london\n- r/AskUK: questions from the UK\n- r/London: the city",
    "thoughts": "<think>\n- r/france\n- r/paris\n</think>\n- r/london: the city\n- r/AskUK: questions from the UK",
    "thoughts without a start": "- r/france: perhaps\n</think>\n- r/london: the city\n- r/AskUK: questions from the UK",
    "remarks around": (
        "Certainly! Here are 2 subreddits, similar to r/unitedkingdom:\n\n1. r/london - the city\n"
        "2. r/AskUK - questions from the UK\n\nNote: r/unitedkingdom is too general."
    ),
}  # fmt: skip
# What is written, and the names in their order.
NAMES = {
    "r/london, r/AskUK and r/Leeds": ["london", "AskUK", "Leeds"],
    "- r/london, r/AskUK": ["london", "AskUK"],
    '["london", "AskUK"]': ["london", "AskUK"],
    '{"subreddits": "r/london, r/AskUK"}': ["london", "AskUK"],
    "I would try r/london first. Then r/AskUK, perhaps.": ["london", "AskUK"],
    "Try (r/london) or r/AskUK.": ["london", "AskUK"],
    "1. r/ask\\_women: x\n2. r/uk": ["ask_women", "uk"],
    "- r/london is where people from the city write.": ["london"],
    "1. Reason: none\n2. london": ["london"],
    "r/ロンドン と r/london です": ["london"],
    "Voici : \n- r/paris : la ville\n- r/AskFrance : des questions": ["paris", "AskFrance"],
    "- *r/london*\n- _r/AskUK_": ["london", "AskUK"],
    "1. r/london / r/LondonSocialClub: both": ["london"],
    "1. r/london (the city), like r/uk": ["london"],
    "This and/or that, w.r/t r/london": ["london"],
    "london\naskuk": [],  # lines without r/ and without bullets may be anything
}
# What is written, what can be a name, and how many can't.
INVALID = {
    "1. r/Ask Women - x\n2. r/london - y": (["london"], 1),
    "1. **r/Ask Women** - x\n2. **r/london** - y": (["london"], 1),
    "- r/x\n- r/ask-men\n- r/AReallyLongNameThatNobodyHas\n- r/AskMen": (["AskMen"], 3),
    "- r/u_quiet_heron: their own page\n- r/AskMen": (["AskMen"], 1),
    "- r/ロンドン\n- r/london": (["london"], 1),
    '{"subreddits": [{"name": "Ask Women", "reason": "x"}, {"name": "", "reason": "y"}, "london"]}': (["london"], 1),
    "- r/Ask Women\n- r/ask women": ([], 1),
}
REFUSALS = [
    "I'm sorry, but I can't help with identifying people.",
    "As an AI language model, I do not have access to Reddit.",
    "Es tut mir leid, dabei kann ich nicht helfen.",
    "抱歉，我无法提供。",
]
NOTHING = [
    "",
    "   \n",
    "None.",
    '{"subreddits": []}',
    "[]",
    "{",
    "[[[[",
    '{"a": ' * 500,
    "x " * 3000,
    "| a | b |\n|---|---|",
]
# Second answers: what is written, and what is kept.
KEPT = {
    "Kept:\n- r/london\n- r/AskUK\n\nRemoved:\n- r/europe - too general": ["london", "AskUK"],
    "## Not certain\n- r/europe\n\n## Certain\n- r/london": ["london"],
    "**Less certain:**\n1. r/europe\n\n**Certain:**\n1. r/london": ["london"],
    "- r/london\n- ~~r/europe~~": ["london"],
    '{"subreddits": [{"name": "london", "certain": true}, {"name": "europe", "certain": false}]}': ["london"],
    '{"certain": ["london"], "removed": ["europe"]}': ["london"],
    "| Subreddit | Certain? |\n|---|---|\n| r/london | Yes |\n| r/europe | No |": ["london"],
    "I am certain of r/london and r/AskUK. I removed r/europe, which is too general.": ["london", "AskUK"],
    "I am certain of all of them.": [],
}
