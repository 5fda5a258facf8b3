// The labelling page: connects events to the modules that handle them.
import { clear, enter, flag, guidelines, sendFlag, takeBack, withoutWork } from "./actions.js";
import { Refused, at, isWritable, notify, say, tell } from "./api.js";
import * as autosave from "./autosave.js";
import * as cards from "./cards.js";
import { ACTIONS, READING } from "./commands.js";
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
import * as submission from "./submission.js";
import * as time from "./time.js";
import * as undo from "./undo.js";

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
  ["[data-do=next-unseen]", () => { navigation.unseen(); }],
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

// A note that opens comes into view, where its card scrolls.
document.addEventListener("toggle", (event) => {
  if (event.target.open && event.target.matches(".card-more")) event.target.querySelector("textarea").scrollIntoView({ block: "nearest" });
}, { capture: true });

// The meaning of a rating stands beside its scale while the pointer is over it; nothing moves.
for (const kind of ["pointerover", "pointerout"]) {
  document.addEventListener(kind, (event) => { const label = event.target.closest?.(".rating label"); if (label) cards.explain(label.closest(".rating")); });
}
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
