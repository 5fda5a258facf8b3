// Keyboard navigation: to the next comment, detection, subreddit or search hit.
import { at, get, say } from "./api.js";
import { blockCount, blockOf, goTo, isFiltered, load, positionOf, ready, show, words } from "./comments.js";

const pane = () => document.getElementById("reading");
const here = () => document.querySelector("#comments .comment[aria-current]");
const isBefore = (a, b) => Boolean(a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING);

// Start at the current comment, or at the first visible one.
const start = () => {
  if (here()) return here();
  const top = pane().getBoundingClientRect().top;
  return [...document.querySelectorAll("#comments .comment")].find((comment) => comment.getBoundingClientRect().bottom > top + 40);
};

// The next or previous element of a kind, loading blocks on the way.
const findNext = async (selector, step) => {
  await ready();
  const mark = document.querySelector(`#comments ${selector}[aria-current]`) ?? here();
  const from = mark ?? start();
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
  else say(`No further ${what}.`);
};

// One step after the other: three quick presses are three steps, even while blocks are still loading.
let last = Promise.resolve();
export const finished = () => last.catch(() => {});
const inTurn = (move) => (...args) => (last = finished().then(() => move(...args)));

export const comment = inTurn(async (step) => showOrSay(await findNext(".comment", step), "comment"));
export const hit = inTurn(async (step) => {
  if (words()) showOrSay(await findNext(".hit", step), "hit");
  else say("Search first: press /.");
});

// ── Detections: the server knows their positions, so that no block is loaded in vain ──
const cache = new Map();

export const clearCache = () => cache.clear();

const fetchPositions = async (query) => {
  const key = `${query}&${new URLSearchParams(new FormData(document.getElementById("filter")))}`;
  if (!cache.has(key)) cache.set(key, (await (await get(`${at("places/")}?${key}`)).json()).places);
  return cache.get(key);
};

const isShown = (mark) => getComputedStyle(mark).getPropertyValue("--off") !== "1";

const marksIn = (comment, { type, text } = {}) =>
  [...comment.querySelectorAll(".mark:not(.mark-on)")].filter((mark) => isShown(mark) && (!type || mark.dataset.type === type) && (!text || textOf(mark) === text));

// A mark that overlaps something else continues in the next pieces.
const textOf = (mark) => {
  let text = mark.textContent;
  const all = [...mark.closest(".written").querySelectorAll(".mark")];
  for (let next = all[all.indexOf(mark) + 1], n = all.indexOf(mark) + 1; next?.classList.contains("mark-on"); next = all[(n += 1)]) text += next.textContent;
  return text;
};

// The marks of this comment that come after the current one, or all of them.
const remainingIn = (comment, step, filter) => {
  const current = comment.querySelector(".mark[aria-current]"), all = marksIn(comment, filter);
  return current ? all.filter((mark) => mark !== current && (step > 0 ? isBefore(current, mark) : isBefore(mark, current))) : all;
};

export const detection = inTurn(async (step, filter = {}) => {
  await ready();
  const from = start(), marksHere = from ? remainingIn(from, step, filter) : [];
  if (marksHere.length) return show(step > 0 ? marksHere[0] : marksHere.at(-1));
  const origin = from ? positionOf(from) : -1;
  const list = await fetchPositions(new URLSearchParams(Object.entries(filter).filter(([, value]) => value)));
  const rest = list.filter(([position]) => (step > 0 ? position > origin : position < origin));
  for (const [position] of step > 0 ? rest : rest.reverse()) {
    const marks = marksIn(await goTo(position), filter);
    if (marks.length) return show(step > 0 ? marks[0] : marks.at(-1));
  }
  return filter.type && list.length ? wrapAround(list, filter) : say("No further detection.");
});

// After the last occurrence of a string, start over at the first.
const wrapAround = async (list, filter) => {
  const marks = marksIn(await goTo(list[0][0]), filter);
  if (marks.length) show(marks[0]);
};

// ── Subreddits ───────────────────────────────────────────────────────────────
const chapters = () => [...document.querySelectorAll("[data-jump-to]")].map((link) => Number(link.dataset.jumpTo)).sort((a, b) => a - b);

export const subreddit = inTurn(async (step) => {
  if (isFiltered()) return showOrSay((await findNext(".place", step))?.querySelector(".comment"), "subreddit");
  const from = start(), now = from ? positionOf(from) : 0, all = chapters();
  const own = all.filter((position) => position <= now).at(-1) ?? 0;
  const next = step > 0 ? all.find((position) => position > now) : all.filter((position) => position < own).at(-1);
  if (next === undefined) return say("No further subreddit.");
  return goTo(next);
});

export const jumpToComment = async (number) => {
  const [place] = await fetchPositions(new URLSearchParams({ comment: number }));
  if (place) await goTo(place[0]);
  else say("This comment is not among those shown. Change the filter to see it.");
};
