// Save every change: first in this browser, then on the server, in order, until the server has confirmed it.
import { at, isWritable, post, workspace, tell } from "./api.js";
import { asFields, attributeOf, cardOf, cards, fill, labelOf, nameOf, read, setVersion, show, updateState, version } from "./cards.js";
import { askWhatToKeep } from "./closed.js";
import { chooseAnswer } from "./conflict.js";
import { signIn, whileSignedIn } from "./sign_in.js";
import * as undo from "./undo.js";

const GONE = "This profile is no longer assigned to you. What you typed isn’t saved; it’s still on this page.";
const TYPING_PAUSE = 300, MAX_PAUSE = 20000, MAX_ATTEMPTS = 20;
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
let timer = 0, running = null, pause = 1000, waiting = new Map(); // attribute → { answer, basedOn, sent: earlier attempts }
let closed = null; // { problem, canReopen, isGone } once the server takes no more changes of this profile
const refused = new Set(); // attributes whose card the server refused
const shownEvidence = new Map(); // attribute → the evidence that is highlighted in the comments
let evidenceChanged = () => {};
export const onEvidenceChange = (callback) => { evidenceChanged = callback; };

const key = (attribute) => `telltale:${workspace().dataset.person}:${workspace().dataset.assignment}:${attribute}`;

const setState = (name, words) => {
  const line = document.getElementById("save-state");
  line.dataset.save = name;
  if (line.textContent !== words) line.textContent = words;
};

const keep = (attribute, entry) => {
  waiting.set(attribute, entry);
  try { localStorage.setItem(key(attribute), JSON.stringify(entry)); } catch { /* storage is full or forbidden: the server still gets it */ }
};

// Another tab may have stored its own answer under the same key: leave it until that tab has sent it.
const drop = (attribute) => {
  const own = JSON.stringify(waiting.get(attribute));
  waiting.delete(attribute);
  if (localStorage.getItem(key(attribute)) === own) localStorage.removeItem(key(attribute));
};

export const changed = (card, { typing = false } = {}) => {
  if (!isWritable()) return;
  undo.record(card, { typing });
  const attribute = attributeOf(card), before = waiting.get(attribute);
  refused.delete(attribute);
  keep(attribute, { answer: read(card), basedOn: before?.basedOn ?? version(card), sent: before?.sent });
  updateState(card);
  if (closed) return;
  if (document.getElementById("save-state").dataset.save !== "offline") setState("saving", "Saving…");
  clearTimeout(timer);
  timer = setTimeout(flush, typing ? TYPING_PAUSE : 0);
};

export const isClosed = () => closed !== null;
export const isPending = () => waiting.size > 0;
export const firstRefused = () => [...refused][0];

export const flush = () => {
  clearTimeout(timer);
  running ??= run().finally(() => { running = null; });
  return running;
};

const run = async () => {
  while (waiting.size && !closed) {
    const [attribute, entry] = waiting.entries().next().value;
    try {
      await saveCard(attribute, entry);
    } catch (error) {
      if (!(await recover(error, attribute))) return false;
    }
    pause = 1000;
  }
  if (closed || refused.size) return false;
  if (document.getElementById("save-state").dataset.save === "offline") document.querySelector("#messages .message-warning")?.remove(); // it told of that
  setState("saved", "Saved");
  return true;
};

const saveCard = async (attribute, entry) => {
  const card = cardOf(attribute), from = workspace();
  keep(attribute, { ...entry, sent: [...(entry.sent ?? []).filter((attempt) => !same(attempt, entry.answer)), entry.answer].slice(-MAX_ATTEMPTS) });
  const kept = await (await post(at(`answers/${attribute}/`), asFields(card, entry.answer, entry.basedOn))).json();
  if (from !== workspace()) return;
  accept(card, kept, entry.answer);
};

// The server confirmed a card. What was typed meanwhile stays and is sent next, based on the new version.
const accept = (card, kept, sent) => {
  const attribute = attributeOf(card), before = JSON.stringify(sent.evidence);
  setVersion(card, kept.version);
  if (same(read(card), sent)) {
    drop(attribute);
    show(card, kept.state, kept.problem, kept.hint);
    if (before !== JSON.stringify(kept.evidence)) { fill(card, { ...sent, evidence: kept.evidence }); undo.sync(card); }
  } else keep(attribute, { answer: read(card), basedOn: kept.version });
  highlight(attribute, kept.evidence);
};

// Show comments again whose evidence changed.
const highlight = (attribute, evidence) => {
  const before = shownEvidence.get(attribute) ?? [];
  shownEvidence.set(attribute, evidence);
  if (!same(before, evidence)) evidenceChanged(before.concat(evidence).map((span) => span.comment));
};

// Returns true to go on with what is waiting, false to stop until something calls `flush` again.
const recover = async (error, attribute) => {
  const card = cardOf(attribute);
  if (error.status === 401) {
    setState("out", "Signed out: kept in this browser, will be sent");
    return signIn().then(() => true, () => retryLater());
  }
  if (error.status === 409 && error.body.theirs) return resolve(card, error.body.theirs);
  if (error.status === 409 || error.status === 404) return close(error);
  if (error.status === 422) return showRefusal(card, error);
  return retryLater(error);
};

const retryLater = ({ status } = { status: 0 }) => {
  setState("offline", `${status ? "The server has a problem" : "Offline"}: kept in this browser, will be sent`);
  timer = setTimeout(flush, (pause = Math.min(pause * 2, MAX_PAUSE)));
  return false;
};

// The server has what this page sent, and only its response was lost: that is no conflict.
const isOurs = (attribute, theirs) => (waiting.get(attribute)?.sent ?? []).some((attempt) => bare(attempt) === bare(theirs));
const bare = ({ value, hardness, certainty, required_subreddit, note, evidence }) =>
  JSON.stringify([value.trim(), hardness, certainty, required_subreddit, note.trim(), evidence.map(({ comment, start, end }) => [comment, start, end].join()).sort()]);

const resolve = async (card, theirs) => {
  const mine = read(card);
  if (isOurs(attributeOf(card), theirs)) {
    setVersion(card, theirs.version);
    keep(attributeOf(card), { answer: mine, basedOn: theirs.version });
    return true;
  }
  setState("conflict", "Changed elsewhere");
  const choice = await chooseAnswer(card, mine, theirs);
  setVersion(card, theirs.version);
  if (choice === "mine") keep(attributeOf(card), { answer: mine, basedOn: theirs.version });
  else {
    drop(attributeOf(card));
    fill(card, theirs);
    undo.sync(card);
    show(card, theirs.state, theirs.problem, theirs.hint);
    highlight(attributeOf(card), theirs.evidence);
  }
  return true;
};

// Submitted, skipped or taken back elsewhere: keep what was typed, here and in this browser, until the person decides.
const close = (error) => {
  const isGone = error.status === 404;
  closed = { problem: isGone ? GONE : error.message, canReopen: Boolean(error.body.can_reopen), isGone };
  setState("closed", "Not saved");
  tell("error", closed.problem);
  setTimeout(decide);
  return false;
};

export const decide = async () => {
  if (!closed || document.querySelector("dialog[open]")) return;
  const choice = await askWhatToKeep(closed, [...waiting].map(([attribute, { answer }]) => [nameOf(cardOf(attribute)), { ...answer, value: labelOf(cardOf(attribute), answer.value) }]));
  if (choice === "reopen") await reopen();
  if (choice === "discard") discard();
};

const reopen = async () => {
  try {
    await whileSignedIn(() => post(at("reopen/"), new URLSearchParams(), { accept: "application/json" }));
  } catch (error) {
    tell("error", error.message);
    return;
  }
  closed = null;
  if (![...waiting.keys()].every((attribute) => localStorage.getItem(key(attribute)))) return flush();
  waiting = new Map(); // the page that comes now shows what the other tab changed, and sends what this one kept
  return location.reload();
};

const discard = () => {
  const url = closed.isGone ? "/" : at();
  for (const attribute of [...waiting.keys()]) drop(attribute);
  location.replace(url);
};

// Show why a card was refused. Evidence that does not match its comment is removed; the rest is kept.
const showRefusal = (card, error) => {
  const answer = read(card);
  if (error.body.evidence && answer.evidence.length) {
    fill(card, { ...answer, evidence: answer.evidence.slice(0, -1) });
    keep(attributeOf(card), { answer: read(card), basedOn: version(card) });
    tell("error", error.message);
    return true;
  }
  waiting.delete(attributeOf(card));
  refused.add(attributeOf(card));
  show(card, "incomplete", error.message, "");
  setState("refused", "Not saved: see the card");
  return waiting.size > 0;
};

// Changed before the scripts were loaded: on a slow line, or by a browser that fills in remembered values.
const isTouched = (card) =>
  [...card.querySelectorAll("input, textarea")].some((input) => (/radio|checkbox/.test(input.type) ? input.checked !== input.defaultChecked : input.value !== input.defaultValue));

// Send what a crash, a closed tab or a lost connection left behind in this browser.
export const restore = async () => {
  waiting = new Map();
  closed = null;
  refused.clear();
  for (const card of cards()) shownEvidence.set(attributeOf(card), read(card).evidence);
  for (const card of isWritable() ? cards() : []) {
    const left = JSON.parse(localStorage.getItem(key(attributeOf(card))) ?? "null");
    if (!left && isTouched(card)) changed(card);
    if (!left) continue;
    if (same(left.answer, read(card))) { localStorage.removeItem(key(attributeOf(card))); continue; }
    const theirs = { ...read(card), version: version(card), state: card.dataset.state, problem: "", hint: "" };
    fill(card, left.answer);
    keep(attributeOf(card), left);
    if (left.basedOn !== theirs.version) await resolve(card, theirs);
    updateState(card);
  }
  if (!isWritable()) return findUnsent();
  if (!waiting.size) return;
  setState("saving", "Saving…");
  flush();
};

// A reloaded page of a profile that was submitted elsewhere: what this browser could not send is still here.
const findUnsent = () => {
  for (const card of cards()) {
    const left = JSON.parse(localStorage.getItem(key(attributeOf(card))) ?? "null");
    if (left && bare(left.answer) !== bare(read(card))) waiting.set(attributeOf(card), left);
  }
  if (!waiting.size) return;
  closed = { problem: "You typed this before the profile was submitted elsewhere. It isn’t saved.", canReopen: Boolean(document.querySelector("form[action$='/reopen/']")), isGone: false };
  setState("closed", "Not saved");
  decide();
};

addEventListener("online", () => { pause = 1000; if (isPending()) flush(); });
addEventListener("beforeunload", (event) => { if (isPending() && isWritable() && navigator.onLine) event.preventDefault(); });
