// The labelling page: connects events to the modules that handle them.
import { Refused, at, get, isWritable, notify, post, say, workspace, tell } from "./api.js";
import * as autosave from "./autosave.js";
import * as cards from "./cards.js";
import * as comments from "./comments.js";
import * as digits from "./digits.js";
import * as keys from "./keys.js";
import * as lookUp from "./look_up.js";
import * as navigation from "./navigation.js";
import * as overview from "./overview.js";
import * as place from "./place.js";
import * as places from "./places.js";
import "./preferences.js";
import * as presidio from "./presidio.js";
import * as search from "./search.js";
import * as seen from "./seen.js";
import * as selection from "./selection.js";
import { whileSignedIn } from "./sign_in.js";
import * as submission from "./submission.js";
import * as time from "./time.js";
import * as undo from "./undo.js";

const open = (name) => document.getElementById(name).showModal();

const begin = () => {
  if (!location.pathname.startsWith(at())) history.replaceState({}, "", at()); // the address names what is shown
  comments.begin();
  overview.begin();
  search.begin();
  presidio.begin();
  if (!location.hash) place.begin().catch(() => {});
  navigation.clearCache();
  time.begin();
  undo.begin();
  digits.expect("");
  autosave.restore();
  cards.loadRules().catch(() => {});
  (window.requestIdleCallback ?? setTimeout)(() => { submission.prepare(); seen.begin(); });
};

// ── Cards ────────────────────────────────────────────────────────────────────
const enter = (card) => {
  cards.enter(card);
  digits.expectNext(card);
};

// Choose the value or rating with this number in the open card. 0 removes a rating.
const pick = (part, number) => {
  const card = cards.current(), inputs = [...card.querySelectorAll(`[data-part=${part}] label:not(.no-script) input`)];
  if (!isWritable() || number > inputs.length || (part === "value" && !number)) return notify(`Choose 1 to ${inputs.length}.`);
  for (const [index, input] of inputs.entries()) input.checked = index === number - 1;
  inputs[number - 1]?.focus({ preventScroll: true });
  autosave.changed(card);
  return digits.expectNext(card);
};

const digit = (number) => {
  if (digits.expected()) return pick(digits.expected(), number);
  return number >= 1 && number <= 8 ? enter(cards.cards()[number - 1]) : false;
};

// Text: take the selected words, or type. A list: the next digit chooses.
const editValue = () => {
  const card = cards.current(), input = card.querySelector(".card-value input[type=text]"), words = selection.chosenWords();
  if (!isWritable()) return;
  if (!input) return digits.expect("value");
  if (words) takeAsValue(card, input, words);
  if (words && input.role !== "combobox") return digits.expectNext(card);
  input.focus({ preventScroll: true });
  return words ? places.suggest(input) : input.select();
};

const takeAsValue = (card, input, words) => {
  const age = card.dataset.kind === "age" ? words.match(/\d+(\s*-\s*\d+)?/)?.[0] : "";
  input.value = (age || words.replaceAll(/\s+/g, " ")).slice(0, input.maxLength);
  autosave.changed(card);
  getSelection().removeAllRanges();
  selection.hide();
};

const clear = (card = cards.current()) => {
  if (!isWritable()) return;
  cards.fill(card, { ...cards.EMPTY, note: cards.read(card).note });
  autosave.changed(card);
  digits.expect("");
  selection.hide();
};

const withoutWork = () => {
  if (!isWritable()) return;
  const card = cards.cardOf("occupation");
  cards.fill(card, { ...cards.read(card), value: "none" });
  cards.enter(card, { focus: false });
  autosave.changed(card);
  digits.expectNext(card);
};

const takeBack = () => {
  const card = isWritable() ? undo.undo() : null;
  if (!card) return notify("Nothing to undo.");
  autosave.changed(card);
  return digits.expectNext(cards.current());
};

const toggleRequired = () => {
  const card = cards.current();
  card.querySelector("[name$=required_subreddit]").click();
};

const note = () => {
  if (!isWritable()) return;
  const more = cards.current().querySelector(".card-more");
  more.open = true;
  more.querySelector("textarea").focus();
};

// ── Guidelines and flags ─────────────────────────────────────────────────────
const guidelines = async () => {
  const body = document.getElementById("guidelines-body"), number = workspace().dataset.guideline;
  open("guidelines");
  if (body.dataset.number === number) return;
  try {
    body.innerHTML = await (await get(`/guidelines/${number}/`, { headers: { "HX-Request": "true" } })).text();
    body.dataset.number = number;
  } catch (error) {
    body.textContent = error.message;
  }
};

const flag = (comment) => {
  const form = document.getElementById("flag-form");
  form.reset();
  form.elements.comment.value = comment?.dataset.comment ?? "";
  document.querySelector("[data-flag-what]").textContent = comment ? "this comment" : "this profile";
  document.querySelector("[data-flag-problem]").textContent = "";
  open("flag");
};

const skip = () => {
  const menu = document.getElementById("skip");
  if (!menu) return notify("This profile can’t be skipped.");
  menu.showPopover();
  return menu.querySelector("input").focus();
};

const back = () => {
  const link = document.getElementById("previous-profile");
  return link ? link.click() : notify("There is no earlier profile.");
};

const sendFlag = async (form) => {
  try {
    const { said } = await (await whileSignedIn(() => post(at("flag/"), new URLSearchParams(new FormData(form))))).json();
    form.closest("dialog").close();
    tell("success", said);
  } catch (error) {
    document.querySelector("[data-flag-problem]").textContent = error.message;
  }
};

// ── Keys ─────────────────────────────────────────────────────────────────────
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

const ACTIONS = {
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
  help: () => open("shortcuts"),
  submit: () => { if (!document.querySelector("dialog[open]")) submission.submit(); },
  leave: (_, event) => leave(event),
};

const READING = new Set(Object.keys(ACTIONS).filter((action) => /^(next|previous|search|word|extend|flag)/.test(action)));

// ── Mouse and forms ──────────────────────────────────────────────────────────
const CLICKS = [
  ["[data-do=submit]", () => { submission.submit(); }],
  ["[data-do=skip]", () => { submission.skip(); }],
  [".card-head", (head) => enter(head.closest(".card-of"))],
  ["[data-do=undo]", takeBack],
  ["[data-do=clear]", (button) => clear(button.closest(".card-of"))],
  ["[data-do=without-work]", withoutWork],
  ["[data-do=flag-profile]", () => flag(null)],
  [".flag-comment", (button) => flag(button.closest(".comment"))],
  [".translate-comment", (button) => lookUp.translate(button.closest(".comment"))],
  ["#open-guidelines", () => { guidelines(); }],
  ["[data-nothing-confirm]", (button) => { button.closest("dialog").close(); submission.submit({ nothing: true }); }],
  ["[data-evidence]", (button) => { selection.addEvidence(button.dataset.evidence); }],
  ["[data-jump]", (button) => { navigation.jumpToComment(button.dataset.jump); }],
  ["[data-jump-to]", async (link) => { await comments.showAll(); comments.goTo(Number(link.dataset.jumpTo)); }],
  [".walk", (button) => { presidio.walk(button.dataset); }],
  ["[data-walk-step]", (button) => { presidio.step(Number(button.dataset.walkStep)); }],
  ["[data-hit]", (button) => { navigation.hit(Number(button.dataset.hit)); }],
  ["[data-do=show-all]", () => { comments.showAll(); }],
  ["[data-do=fold-overview]", () => overview.toggle()],
  ["[role=option]", (option) => places.choose(option.closest(".card-value").querySelector("input"), option)],
  [".quote-drop", (button) => { const card = button.closest(".card-of"); button.closest("li").remove(); autosave.changed(card); }],
  ["[data-type-switch]", (button) => {
    const isOff = document.getElementById("comments").classList.toggle(`without-${button.dataset.typeSwitch}`);
    button.setAttribute("aria-pressed", String(!isOff));
  }],
];

document.addEventListener("click", (event) => {
  const service = event.target.closest("[data-service]:not([data-translator])");
  if (service) { lookUp.record(service.dataset.service, selection.selectedText()); return; }
  if (event.target.closest("[data-translator]")) return; // the link itself does it; translating is not looking up
  for (const [selector, act] of CLICKS) {
    const target = event.target.closest(selector);
    if (!target) continue;
    event.preventDefault();
    act(target);
    return;
  }
  const comment = event.target.closest(".comment");
  if (comment && getSelection().isCollapsed) comments.setCurrent(comment);
});

document.addEventListener("submit", (event) => {
  if (event.target.id === "flag-form") { event.preventDefault(); sendFlag(event.target); }
  if (event.target.id === "filter") { event.preventDefault(); clearTimeout(searchTimer); navigation.acceptHit(); }
  if (event.target.id === "answers") event.preventDefault();
});

document.addEventListener("input", (event) => {
  const card = event.target.closest(".card-of");
  if (event.target.role === "combobox") places.suggest(event.target);
  if (!card) return;
  autosave.changed(card, { typing: event.target.matches("input[type=text], textarea") });
  if (event.target.type === "radio") digits.expectNext(card);
});

let searchTimer = 0;
document.addEventListener("input", (event) => {
  if (!event.target.closest("#filter")) return;
  if (event.target.id === "as-written") { overview.showAsWritten(event.target.checked); return; }
  clearTimeout(searchTimer);
  const apply = event.target.type === "search" ? search.changed : search.refresh;
  searchTimer = setTimeout(() => apply().catch((error) => tell("warning", error.message)), event.target.type === "search" ? 250 : 0);
});

document.addEventListener("focusin", (event) => {
  const body = event.target.closest(".card-body"), scale = event.target.closest(".rating");
  if (body && !body.parentElement.classList.contains("is-current")) cards.enter(body.parentElement, { focus: false });
  if (scale) cards.explain(scale);
});

document.addEventListener("focusout", (event) => {
  const field = event.target;
  if (field.role === "combobox") setTimeout(() => places.close(field), 150);
  if (field.matches?.(".card-value input[type=text]")) digits.expectNext(field.closest(".card-of"));
  if (field.closest?.(".rating")) setTimeout(() => cards.explain(field.closest(".rating")));
});

// The meaning of a rating stands beside its scale while the pointer is over it; nothing moves.
const underPointer = (event) => event.target.closest?.(".rating label");
document.addEventListener("pointerover", (event) => { const label = underPointer(event); if (label) cards.explain(label.closest(".rating"), label.firstElementChild); });
document.addEventListener("pointerout", (event) => { const label = underPointer(event); if (label) cards.explain(label.closest(".rating")); });
document.addEventListener("pointerdown", (event) => {
  if (event.target.closest("[data-do=undo]")) event.preventDefault(); // the focus stays where it is
  if (event.target.closest("#reading")) digits.expect("");
});
document.addEventListener("keydown", (event) => {
  if (event.target.role === "combobox" && places.handleKey(event.target, event)) return;
  if (event.key === "Enter" && !event.ctrlKey && !event.metaKey && event.target.matches?.(".card-of input")) { event.preventDefault(); event.target.blur(); }
}, { capture: true });
document.addEventListener("pointerup", () => setTimeout(selection.offer));
document.addEventListener("selectionchange", selection.follow);
document.addEventListener("pointerdown", (event) => selection.usePointer(event.pointerType), { capture: true });
document.getElementById("selection-menu").addEventListener("pointerdown", (event) => event.preventDefault());
document.getElementById("keys-on").addEventListener("change", (event) => keys.setEnabled(event.target.checked));

// What was searched for while the network was down.
addEventListener("online", () => { search.refresh().catch(() => {}); });

// Refusals of the server that no other handler reported.
addEventListener("unhandledrejection", (event) => {
  if (!(event.reason instanceof Refused)) return;
  event.preventDefault();
  notify(event.reason.message);
});

document.documentElement.classList.add("scripted");
document.getElementById("keys-on").checked = !keys.areOff();
autosave.onEvidenceChange(comments.refresh);
submission.onNextProfile(begin);
keys.listen((action, number, event) => {
  if (READING.has(action)) digits.expect("");
  return ACTIONS[action](number, event);
});
begin();
if (/^#comment-\d+$/.test(location.hash)) navigation.jumpToComment(location.hash.slice(9));
const asked = document.querySelector(".card-of:target"); // opened before the scripts were there
if (asked) cards.enter(asked, { focus: false });
if (!isWritable()) say("Read only.");
