// Keeping every change: first in this browser, then on the server, in order, until the server has confirmed it.
import { at, isWritable, post, seat, tell } from "./api.js";
import { asFields, attributeOf, cardOf, cards, fill, judge, read, setVersion, show, version } from "./cards.js";
import { settle } from "./conflict.js";
import { signIn } from "./sign_in.js";

const TYPING = 300, SLOWEST = 20000, TRIED = 20;
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
let timer = 0, running = null, wait = 1000, waiting = new Map(); // attribute → { said, basedOn, sent: tried so far }
const refused = new Set(); // attributes whose card the server did not take
const marked = new Map(); // attribute → the evidence that the text shows
let whenQuoted = () => {};
export const onQuoted = (call) => { whenQuoted = call; };

const key = (attribute) => `telltale:${seat().dataset.person}:${seat().dataset.assignment}:${attribute}`;

const state = (name, words) => {
  const line = document.getElementById("save-state");
  line.dataset.save = name;
  if (line.textContent !== words) line.textContent = words;
};

const keep = (attribute, entry) => {
  waiting.set(attribute, entry);
  try { localStorage.setItem(key(attribute), JSON.stringify(entry)); } catch { /* a full or forbidden store: the server still gets it */ }
};

// Another tab may have left its own words under the same name: those stay until that tab has sent them.
const drop = (attribute) => {
  const own = JSON.stringify(waiting.get(attribute));
  waiting.delete(attribute);
  if (localStorage.getItem(key(attribute)) === own) localStorage.removeItem(key(attribute));
};

export const changed = (card, { typing = false } = {}) => {
  if (!isWritable()) return;
  const attribute = attributeOf(card), before = waiting.get(attribute);
  refused.delete(attribute);
  keep(attribute, { said: read(card), basedOn: before?.basedOn ?? version(card), sent: before?.sent });
  judge(card);
  if (document.getElementById("save-state").dataset.save !== "offline") state("saving", "Saving…");
  clearTimeout(timer);
  timer = setTimeout(flush, typing ? TYPING : 0);
};

export const isPending = () => waiting.size > 0;
export const firstRefused = () => [...refused][0];

export const flush = () => {
  clearTimeout(timer);
  running ??= run().finally(() => { running = null; });
  return running;
};

const run = async () => {
  while (waiting.size) {
    const [attribute, entry] = waiting.entries().next().value;
    try {
      await saveOne(attribute, entry);
    } catch (error) {
      if (!(await recover(error, attribute))) return false;
    }
    wait = 1000;
  }
  if (refused.size) return false;
  state("saved", "Saved");
  return true;
};

const saveOne = async (attribute, entry) => {
  const card = cardOf(attribute), here = seat();
  keep(attribute, { ...entry, sent: [...(entry.sent ?? []).filter((one) => !same(one, entry.said)), entry.said].slice(-TRIED) });
  const kept = await (await post(at(`answers/${attribute}/`), asFields(card, entry.said, entry.basedOn))).json();
  if (here !== seat()) return;
  accept(card, kept, entry.said);
};

// The server's word on a card. What was typed meanwhile stays, and is sent next, based on the new version.
const accept = (card, kept, sent) => {
  const attribute = attributeOf(card), before = JSON.stringify(sent.evidence);
  setVersion(card, kept.version);
  if (same(read(card), sent)) {
    drop(attribute);
    show(card, kept.state, kept.problem, kept.hint);
    if (before !== JSON.stringify(kept.evidence)) fill(card, { ...sent, evidence: kept.evidence });
  } else keep(attribute, { said: read(card), basedOn: kept.version });
  markAnew(attribute, kept.evidence);
};

// Where evidence came or went, the comment is shown anew.
const markAnew = (attribute, evidence) => {
  const before = marked.get(attribute) ?? [];
  marked.set(attribute, evidence);
  if (!same(before, evidence)) whenQuoted(before.concat(evidence).map((quote) => quote.comment));
};

// True: go on with what waits. False: stop here; something else will call again.
const recover = async (error, attribute) => {
  const card = cardOf(attribute);
  if (error.status === 401) {
    state("out", "Signed out: kept in this browser, will be sent");
    return signIn().then(() => true, () => later());
  }
  if (error.status === 409 && error.body.theirs) return resolve(card, error.body.theirs);
  if (error.status === 409 || error.status === 404) return give(card, error);
  if (error.status === 422) return mend(card, error);
  return later(error);
};

const later = ({ status } = { status: 0 }) => {
  state("offline", `${status ? "The server has a problem" : "Offline"}: kept in this browser, will be sent`);
  timer = setTimeout(flush, (wait = Math.min(wait * 2, SLOWEST)));
  return false;
};

// What the server has came from this page, and only the answer was lost on the way: that is no quarrel.
const isOurs = (attribute, theirs) => (waiting.get(attribute)?.sent ?? []).some((one) => bare(one) === bare(theirs));
const bare = ({ value, hardness, certainty, required_subreddit, note, evidence }) =>
  JSON.stringify([value.trim(), hardness, certainty, required_subreddit, note.trim(), evidence.map(({ comment, start, end }) => [comment, start, end].join()).sort()]);

const resolve = async (card, theirs) => {
  const mine = read(card);
  if (isOurs(attributeOf(card), theirs)) {
    setVersion(card, theirs.version);
    keep(attributeOf(card), { said: mine, basedOn: theirs.version });
    return true;
  }
  state("conflict", "Changed elsewhere");
  const choice = await settle(card, mine, theirs);
  setVersion(card, theirs.version);
  if (choice === "mine") keep(attributeOf(card), { said: mine, basedOn: theirs.version });
  else {
    drop(attributeOf(card));
    fill(card, theirs);
    show(card, theirs.state, theirs.problem, theirs.hint);
    markAnew(attributeOf(card), theirs.evidence);
  }
  return true;
};

const give = (card, error) => {
  state("closed", "Not saved");
  tell("error", error.message);
  waiting.delete(attributeOf(card));
  return false;
};

// Refused for its words: the person sees why, the rest of the card is kept, evidence that does not match goes.
const mend = (card, error) => {
  const said = read(card);
  if (error.body.evidence && said.evidence.length) {
    fill(card, { ...said, evidence: said.evidence.slice(0, -1) });
    keep(attributeOf(card), { said: read(card), basedOn: version(card) });
    tell("error", error.message);
    return true;
  }
  waiting.delete(attributeOf(card));
  refused.add(attributeOf(card));
  show(card, "incomplete", error.message, "");
  state("refused", "Not saved: see the card");
  return waiting.size > 0;
};

// Changed before the scripts were there: on a slow line, or by a browser that fills in what it remembers.
const isTouched = (card) =>
  [...card.querySelectorAll("input, textarea")].some((input) => (/radio|checkbox/.test(input.type) ? input.checked !== input.defaultChecked : input.value !== input.defaultValue));

// What a crash, a closed tab or a lost network left behind in this browser.
export const restore = async () => {
  waiting = new Map();
  refused.clear();
  for (const card of cards()) marked.set(attributeOf(card), read(card).evidence);
  for (const card of isWritable() ? cards() : []) {
    const left = JSON.parse(localStorage.getItem(key(attributeOf(card))) ?? "null");
    if (!left && isTouched(card)) changed(card);
    if (!left) continue;
    if (same(left.said, read(card))) { localStorage.removeItem(key(attributeOf(card))); continue; }
    const theirs = { ...read(card), version: version(card), state: card.dataset.state, problem: "", hint: "" };
    fill(card, left.said);
    keep(attributeOf(card), left);
    if (left.basedOn !== theirs.version) await resolve(card, theirs);
    judge(card);
  }
  if (!waiting.size) return;
  state("saving", "Saving…");
  flush();
};

addEventListener("online", () => { wait = 1000; if (isPending()) flush(); });
addEventListener("beforeunload", (event) => { if (isPending() && navigator.onLine) event.preventDefault(); });
