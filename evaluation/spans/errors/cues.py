"""Words and labels that suspicions rest on, all in one place: change them here."""

DATE_LABELS = frozenset({"DATE", "DATETIME", "DATE_TIME"})
DEMOGRAPHIC_LABELS = frozenset({"DEM", "DEMOGRAPHIC", "NRP"})

# A date right after one of these belongs to the procedure, not to a person's life. "the" may stand in between.
PROCEDURAL_PHRASES = """
    lodged on, submitted on, filed on, communicated on, delivered on, adopted on, decided on, declared on,
    registered on, received on, served on, notified on, published on, entered into force on, came into force on,
    in force on, ratified on, deliberated on, deliberations on, heard on, hearing on, hearing of, adjourned to,
    adjourned until, judgment of, judgment on, judgment dated, decision of, decision on, decision dated, order of,
    order dated, ruling of, resolution of, act of, law of, decree of, regulation of, letter of, letter dated, report of,
    report dated, application of, application dated, observations of, notice of, dated
"""
PROCEDURAL_CUES = tuple(f" {phrase.strip()}" for phrase in PROCEDURAL_PHRASES.replace("\n", " ").split(","))

# Events in a life. TAB's DEM is for what a person is: nationality, ethnicity, religion, occupation, age, diagnosis.
LIFE_EVENTS = frozenset(
    """
    adopted arrested baptised baptized born buried convicted deported detained died divorce divorced emigrated engaged
    engagement expelled fled graduated hired immigrated imprisoned killed married marriage marry moved murdered
    naturalised naturalized pregnancy pregnant promoted released remarried resigned retired retirement sentenced
    separated separation wed wedding widowed
    """.split()
)
