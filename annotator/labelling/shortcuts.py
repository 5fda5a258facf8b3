"""Keyboard shortcuts of the labelling page: one table for the scripts, the help dialog and the documentation.

`h` and `c` say what the next digit means. Single letters do nothing while somebody types.
"""

from dataclasses import dataclass

READING, CARD, PAGE = "Reading", "On a card", "Everywhere"


@dataclass(frozen=True, slots=True)
class Shortcut:
    """A shortcut. The page listens for `keys`, where `#` is any digit; people read `shown`."""

    action: str
    keys: str
    shown: str
    description: str
    group: str
    while_typing: bool = False


SHORTCUTS = (
    Shortcut("digit", "#", "1 … 8", "Open a card, or fill in the highlighted part: value, hardness, certainty", CARD),
    Shortcut("value", "v", "v", "Value: the selected words, or type it, or choose with 1 … 6", CARD),
    Shortcut("hardness", "h", "h 1 … 5", "Hardness; 0 removes it", CARD),
    Shortcut("certainty", "c", "c 1 … 5", "Certainty; 0 removes it", CARD),
    Shortcut("required", "r", "r", "Required subreddit, on and off", CARD),
    Shortcut("evidence", "e", "e", "Take the selection, match or detection as evidence", CARD),
    Shortcut("without-work", "w", "w", "Occupation: none", CARD),
    Shortcut("note", "t", "t", "Write a note", CARD),
    Shortcut("clear", "x", "x", "Nothing to infer: clear the card", CARD),
    Shortcut("next-comment", "j", "j", "Next comment", READING),
    Shortcut("previous-comment", "k", "k", "Previous comment", READING),
    Shortcut("next-detection", "d", "d", "Next detection", READING),
    Shortcut("previous-detection", "D", "Shift+d", "Previous detection", READING),
    Shortcut("next-subreddit", "]", "]", "Next subreddit", READING),
    Shortcut("previous-subreddit", "[", "[", "Previous subreddit", READING),
    Shortcut("search", "/", "/", "Search in the comments", READING),
    Shortcut("next-hit", "n", "n", "Next match of the search", READING),
    Shortcut("previous-hit", "p", "p", "Previous match", READING),
    Shortcut("next-unseen", "m", "m", "Next comment you haven’t seen", READING),
    Shortcut("word-right", "ArrowRight", "→", "Select a word, from the match or detection on", READING),
    Shortcut("word-left", "ArrowLeft", "←", "Select a word further back", READING),
    Shortcut("extend-right", "Shift+ArrowRight", "Shift+→", "Add the next word to the selection", READING),
    Shortcut("extend-left", "Shift+ArrowLeft", "Shift+←", "Add the word before, or take the last one off", READING),
    Shortcut("translate", "T", "Shift+t", "Translate the current comment", READING),
    Shortcut("flag", "f", "f", "Flag the current comment", READING),
    Shortcut("flag-profile", "F", "Shift+f", "Flag the profile", READING),
    Shortcut("undo", "Ctrl+z", "Ctrl+Z", "Undo the last choice; in a text field, undo typing", PAGE),
    Shortcut("undo", "u", "u", "Undo the last choice", PAGE),
    Shortcut("back", "b", "b", "Back to the last profile", PAGE),
    Shortcut("skip", "s", "s", "Skip the profile", PAGE),
    Shortcut("guidelines", "g", "g", "Guidelines", PAGE),
    Shortcut("help", "?", "?", "These keys", PAGE),
    Shortcut("submit", "Ctrl+Enter", "Ctrl+Enter", "Submit", PAGE, while_typing=True),
    Shortcut("leave", "Escape", "Esc", "Leave a field, close what is open", PAGE, while_typing=True),
)


def by_group() -> dict[str, list[Shortcut]]:
    return {group: [shortcut for shortcut in SHORTCUTS if shortcut.group == group] for group in (CARD, READING, PAGE)}


def actions_by_keys() -> dict[str, list[object]]:
    """The table for the page's script: each key's action, and whether it works while typing."""
    return {shortcut.keys: [shortcut.action, shortcut.while_typing] for shortcut in SHORTCUTS}
