// The labelling page: connects events to the modules that handle them.
import { Refused, at, get, isWritable, post, say, workspace, tell } from "./api.js";
import * as autosave from "./autosave.js";
import * as cards from "./cards.js";
import * as comments from "./comments.js";
import * as keys from "./keys.js";
import * as navigation from "./navigation.js";
import * as places from "./places.js";
import * as presidio from "./presidio.js";
import * as selection from "./selection.js";
import { whileSignedIn } from "./sign_in.js";
import * as submission from "./submission.js";
import * as time from "./time.js";

const open = (name) => document.getElementById(name).showModal();

const begin = () => {
  comments.begin();
  presidio.begin();
  navigation.clearCache();
  time.begin();
  autosave.restore();
  cards.loadRules().catch(() => {});
  (window.requestIdleCallback ?? setTimeout)(() => submission.prepare());
};

// ── Cards ────────────────────────────────────────────────────────────────────
const pick = (name, number) => {
  const card = cards.current();
  const input = card.querySelectorAll(`[name="${cards.attributeOf(card)}-${name}"]`)[number];
  if (!isWritable() || input?.type !== "radio") return;
  input.checked = true;
  input.focus({ preventScroll: true });
  cards.explainRating(input);
  autosave.changed(card);
};

const clear = (card = cards.current()) => {
  if (!isWritable()) return;
  cards.fill(card, { ...cards.EMPTY, note: cards.read(card).note });
  autosave.changed(card);
  selection.hide();
};

const withoutWork = () => {
  if (!isWritable()) return;
  const card = cards.cardOf("occupation");
  cards.fill(card, { ...cards.read(card), value: "none" });
  cards.enter(card, { focus: false });
  autosave.changed(card);
};

const toggleRequired = () => {
  const card = cards.current();
  card.querySelector("[name$=required_subreddit]").click();
};

const note = () => {
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
  selection.hide();
  getSelection().removeAllRanges();
  const card = event.target.closest?.(".card-of");
  event.target.blur?.();
  if (card) cards.enter(card, { focus: false });
  return false; // the browser uses this key, too: it closes popovers
};

const arrow = (event, move) => (event.target.closest?.(".cards-pane, [popover]") ? false : move());

const ACTIONS = {
  card: (number) => (number >= 1 && number <= 8 ? cards.enter(cards.cards()[number - 1]) : false),
  value: (number) => pick("value", number - 1),
  hardness: (number) => pick("hardness", number),
  certainty: (number) => pick("certainty", number),
  required: toggleRequired,
  evidence: () => { navigation.finished().then(() => selection.addEvidence()); },
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
  flag: () => flag(document.querySelector("#comments .comment[aria-current]")),
  guidelines: () => { guidelines(); },
  help: () => open("shortcuts"),
  submit: () => { if (!document.querySelector("dialog[open]")) submission.submit(); },
  leave: (_, event) => leave(event),
};

// ── Mouse and forms ──────────────────────────────────────────────────────────
const CLICKS = [
  ["[data-do=submit]", () => { submission.submit(); }],
  ["[data-do=skip]", () => { submission.skip(); }],
  ["[data-do=clear]", (button) => clear(button.closest(".card-of"))],
  ["[data-do=without-work]", withoutWork],
  ["[data-do=flag-profile]", () => flag(null)],
  [".flag-comment", (button) => flag(button.closest(".comment"))],
  ["#open-guidelines", () => { guidelines(); }],
  ["[data-nothing-confirm]", (button) => { button.closest("dialog").close(); submission.submit({ nothing: true }); }],
  ["[data-evidence]", (button) => { selection.addEvidence(button.dataset.evidence); }],
  ["[data-jump]", (button) => { navigation.jumpToComment(button.dataset.jump); }],
  ["[data-jump-to]", (link) => { comments.goTo(Number(link.dataset.jumpTo)); }],
  [".walk", (button) => { navigation.detection(1, { type: button.dataset.walkType, text: button.dataset.walkText }); }],
  ["[role=option]", (option) => places.choose(option.closest(".card-value").querySelector("input"), option)],
  [".quote-drop", (button) => { const card = button.closest(".card-of"); button.closest("li").remove(); autosave.changed(card); }],
  ["[data-type-switch]", (button) => {
    const isOff = document.getElementById("comments").classList.toggle(`without-${button.dataset.typeSwitch}`);
    button.setAttribute("aria-pressed", String(!isOff));
  }],
];

document.addEventListener("click", (event) => {
  const service = event.target.closest("[data-service]");
  if (service) { selection.recordLookUp(service.dataset.service); return; }
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
  if (event.target.id === "filter") { event.preventDefault(); comments.applyFilter(); document.getElementById("reading").focus(); }
  if (event.target.id === "answers") event.preventDefault();
});

document.addEventListener("input", (event) => {
  const card = event.target.closest(".card-of");
  if (event.target.role === "combobox") places.suggest(event.target);
  if (card) autosave.changed(card, { typing: event.target.matches("input[type=text], textarea") });
});

let searchTimer = 0;
document.addEventListener("input", (event) => {
  if (!event.target.closest("#filter")) return;
  clearTimeout(searchTimer);
  searchTimer = setTimeout(() => comments.applyFilter().catch((error) => tell("warning", error.message)), event.target.type === "search" ? 250 : 0);
});

document.addEventListener("focusin", (event) => {
  const card = event.target.closest(".card-of");
  if (card) cards.enter(card, { focus: false });
  if (event.target.closest(".rating")) cards.explainRating(event.target);
});

document.addEventListener("focusout", (event) => { if (event.target.role === "combobox") setTimeout(() => places.close(event.target), 150); });
document.addEventListener("pointerover", (event) => { const label = event.target.closest?.(".rating label"); if (label) cards.explainRating(label.firstElementChild); });
document.addEventListener("keydown", (event) => {
  if (event.target.role === "combobox" && places.handleKey(event.target, event)) return;
  if (event.key === "Enter" && !event.ctrlKey && !event.metaKey && event.target.matches?.(".card-of input")) { event.preventDefault(); event.target.blur(); }
}, { capture: true });
document.addEventListener("pointerup", () => setTimeout(selection.offer));
document.addEventListener("selectionchange", () => { if (getSelection().isCollapsed) selection.hide(); });
document.getElementById("selection-menu").addEventListener("pointerdown", (event) => event.preventDefault());
document.getElementById("keys-on").addEventListener("change", (event) => keys.setEnabled(event.target.checked));

// Refusals of the server that no other handler reported.
addEventListener("unhandledrejection", (event) => {
  if (!(event.reason instanceof Refused)) return;
  event.preventDefault();
  say(event.reason.message);
});

document.documentElement.classList.add("scripted");
document.getElementById("keys-on").checked = !keys.areOff();
autosave.onEvidenceChange(comments.refresh);
submission.onNextProfile(begin);
keys.listen((action, number, event) => ACTIONS[action](number, event));
begin();
if (/^#comment-\d+$/.test(location.hash)) navigation.jumpToComment(location.hash.slice(9));
if (!isWritable()) say("Read only.");
