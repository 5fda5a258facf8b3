// Keyboard navigation: to the next comment, detection, subreddit or search hit.
import { at, get, notify } from "./api.js";
import { blockCount, blockOf, goTo, here, isNarrowed, load, positionOf, query, ready, show, visibleComment } from "./comments.js";
import * as search from "./search.js";
import { isNew } from "./seen.js";
import * as walk from "./walk.js";

const isBefore = (a, b) => Boolean(a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING);

// The next or previous element of a kind, loading blocks on the way.
const findNext = async (selector, step) => {
  await ready();
  const mark = document.querySelector(`#comments ${selector}[aria-current]`) ?? here();
  const from = mark ?? visibleComment();
  if (!from) return null;
  for (let index = blockOf(from); index >= 0 && index < blockCount(); index += step) {
    const elements = [...(await load(index)).querySelectorAll(selector)];
    const onward = elements.filter((element) => (element === from ? !mark : step > 0 ? isBefore(from, element) : isBefore(element, from) && !element.contains(from)));
    const next = step > 0 ? onward[0] : onward.at(-1);
    if (next) return next;
  }
  return null;
};

const showOrSay = (element, what) => {
  if (element) show(element);
  else notify(`No further ${what}.`);
};

// One step after the other: three quick presses are three steps, even while blocks are still loading.
let last = Promise.resolve();
export const finished = () => last.catch(() => {});
const inTurn = (move) => (...args) => (last = finished().then(() => move(...args)));

export const comment = inTurn(async (step) => showOrSay(await findNext(".comment", step), "comment"));
export const hit = inTurn(search.step);
const accept = inTurn(search.accept);

// Leave the box at once, so that the next key is not typed into it.
export const acceptHit = () => {
  document.getElementById("reading").focus({ preventScroll: true });
  return accept();
};

// ── Detections ───────────────────────────────────────────────────────────────
const cache = new Map();

export const clearCache = () => cache.clear();

const ask = (more) => new URLSearchParams([...query(), ...Object.entries(more).filter(([, value]) => value)]);
const fetchPositions = async (asked) => (await (await get(`${at("places/")}?${asked}`)).json()).places;

const marksIn = (comment, { type, text } = {}) =>
  [...comment.querySelectorAll(".mark:not(.mark-on)")].filter((mark) => (!type || mark.dataset.type === type) && (!text || textOf(mark) === text));

// A mark that something else cuts through carries its whole text.
const textOf = (mark) => mark.dataset.text ?? mark.textContent;

const walkFor = async (filter) => {
  const key = String(ask(filter));
  if (!cache.has(key)) cache.set(key, walk.create(await fetchPositions(key), (comment) => marksIn(comment, filter)));
  return cache.get(key);
};

// Go to the next or previous detection: of all, of a type, or of a string. Those of a type or string start over at the end.
export const detection = inTurn(async (step, filter = {}) => {
  await ready();
  const through = await walkFor(filter), number = await walk.step(through, step, { wrap: Boolean(filter.type) });
  if (!number) notify("No further detection.");
  return { number, total: walk.total(through) };
});

// ── Comments that were not on screen yet ────────────────────────────────────
const fetchOrder = async () => {
  const key = String(ask({ all: "on" }));
  if (!cache.has(key)) cache.set(key, await fetchPositions(key));
  return cache.get(key);
};

// From here on, then from the start.
export const unseen = inTurn(async () => {
  await ready();
  const from = here(), top = visibleComment(), first = from ? positionOf(from) + 1 : top ? positionOf(top) : 0;
  const left = (await fetchOrder()).filter(([, id]) => isNew(id) && id !== Number(from?.dataset.comment));
  const next = left.find(([position]) => position >= first) ?? left[0];
  return next ? goTo(next[0]) : notify("You’ve seen all these comments.");
});

// ── Subreddits ───────────────────────────────────────────────────────────────
const chapters = () => [...document.querySelectorAll("[data-jump-to]")].map((link) => Number(link.dataset.jumpTo)).sort((a, b) => a - b);

export const subreddit = inTurn(async (step) => {
  if (isNarrowed()) return showOrSay((await findNext(".place", step))?.querySelector(".comment"), "subreddit");
  const from = visibleComment(), now = from ? positionOf(from) : 0, all = chapters();
  const own = all.filter((position) => position <= now).at(-1) ?? 0;
  const next = step > 0 ? all.find((position) => position > now) : all.filter((position) => position < own).at(-1);
  if (next === undefined) return notify("No further subreddit.");
  return goTo(next);
});

export const jumpToComment = async (number) => {
  const [place] = await fetchPositions(ask({ comment: number }));
  if (place) await goTo(place[0]);
  else notify("This comment is not among those shown. Show all comments to see it.");
};
