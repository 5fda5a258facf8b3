// What each shortcut of the keyboard does.
import {
  back, clear, digit, editValue, flag, guidelines, note, openDialog, skip, takeBack, toggleRequired, withoutWork,
} from "./actions.js";
import * as cards from "./cards.js";
import * as comments from "./comments.js";
import * as digits from "./digits.js";
import * as lookUp from "./look_up.js";
import * as navigation from "./navigation.js";
import * as search from "./search.js";
import * as selection from "./selection.js";
import * as submission from "./submission.js";

const leave = (event) => {
  if (document.querySelector("dialog[open]")) return false;
  const isReading = event.target.closest?.("#filter, #reading, body:focus") && !selection.isOpen();
  if (isReading && search.isOn()) search.clear();
  selection.hide();
  getSelection().removeAllRanges();
  const card = event.target.closest?.(".card-of");
  event.target.blur?.();
  if (card) cards.enter(card, { focus: false });
  digits.expect("");
  return false; // the browser uses this key, too: it closes popovers
};

const arrow = (event, move) => (event.target.closest?.(".cards-pane, [popover]") ? false : move());

export const ACTIONS = {
  digit: (number) => digit(number),
  value: () => { navigation.finished().then(editValue); },
  hardness: () => digits.expect("hardness"),
  certainty: () => digits.expect("certainty"),
  required: toggleRequired,
  evidence: () => { navigation.finished().then(() => { selection.addEvidence(); digits.expectNext(cards.current(), { value: false }); }); },
  "without-work": withoutWork,
  note,
  clear: () => clear(),
  "next-comment": () => { navigation.comment(1); },
  "previous-comment": () => { navigation.comment(-1); },
  "next-detection": () => { navigation.detection(1); },
  "previous-detection": () => { navigation.detection(-1); },
  "next-subreddit": () => { navigation.subreddit(1); },
  "previous-subreddit": () => { navigation.subreddit(-1); },
  search: () => document.querySelector("#filter [name=q]").focus(),
  "next-hit": () => { navigation.hit(1); },
  "previous-hit": () => { navigation.hit(-1); },
  "word-right": (_, event) => arrow(event, () => { selection.selectWord("forward", false); }),
  "word-left": (_, event) => arrow(event, () => { selection.selectWord("backward", false); }),
  "extend-right": (_, event) => arrow(event, () => { selection.selectWord("forward", true); }),
  "extend-left": (_, event) => arrow(event, () => { selection.selectWord("backward", true); }),
  translate: () => lookUp.translate(comments.visibleComment()),
  "next-unseen": () => { navigation.unseen(); },
  flag: () => flag(document.querySelector("#comments .comment[aria-current]")),
  "flag-profile": () => flag(null),
  undo: () => takeBack(),
  back: () => { back(); },
  skip: () => skip(),
  guidelines: () => { guidelines(); },
  help: () => openDialog("shortcuts"),
  submit: () => { if (!document.querySelector("dialog[open]")) submission.submit(); },
  leave: (_, event) => leave(event),
};

export const READING = new Set(Object.keys(ACTIONS).filter((action) => /^(next|previous|search|word|extend|flag)/.test(action)));
