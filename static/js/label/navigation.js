// Through the comments by key: comments, detections, subreddits, hits, and the places of one string.
import { at, get, say } from "./api.js";
import { blockCount, blockOf, goTo, isFiltered, load, positionOf, settled, show, words } from "./comments.js";

const pane = () => document.getElementById("reading");
const here = () => document.querySelector("#comments .comment[aria-current]");
const isAfter = (one, other) => Boolean(one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING);

// Where a walk begins when nothing is current yet: the first comment in sight.
const start = () => {
  if (here()) return here();
  const top = pane().getBoundingClientRect().top;
  return [...document.querySelectorAll("#comments .comment")].find((comment) => comment.getBoundingClientRect().bottom > top + 40);
};

// The next or previous element of a kind, loading blocks on the way.
const walk = async (selector, step) => {
  await settled();
  const mark = document.querySelector(`#comments ${selector}[aria-current]`) ?? here();
  const from = mark ?? start();
  if (!from) return null;
  for (let index = blockOf(from); index >= 0 && index < blockCount(); index += step) {
    const found = [...(await load(index)).querySelectorAll(selector)];
    const onward = found.filter((one) => (one === from ? !mark : step > 0 ? isAfter(from, one) : isAfter(one, from) && !one.contains(from)));
    const next = step > 0 ? onward[0] : onward.at(-1);
    if (next) return next;
  }
  return null;
};

const arrive = (element, what) => {
  if (element) show(element);
  else say(`No further ${what}.`);
};

// One walk after the other: three quick presses are three steps, also where blocks have to come first.
let last = Promise.resolve();
export const arrived = () => last.catch(() => {});
const inTurn = (go) => (...wanted) => (last = arrived().then(() => go(...wanted)));

export const comment = inTurn(async (step) => arrive(await walk(".comment", step), "comment"));
export const hit = inTurn(async (step) => {
  if (words()) arrive(await walk(".hit", step), "hit");
  else say("Search first: press /.");
});

// ── Detections: the server says where they are, so that none is missed and no block is loaded in vain ──
const asked = new Map();

export const forgetPlaces = () => asked.clear();

const places = async (query) => {
  const key = `${query}&${new URLSearchParams(new FormData(document.getElementById("filter")))}`;
  if (!asked.has(key)) asked.set(key, (await (await get(`${at("places/")}?${key}`)).json()).places);
  return asked.get(key);
};

const isShown = (mark) => getComputedStyle(mark).getPropertyValue("--off") !== "1";

const marksIn = (comment, { type, text } = {}) =>
  [...comment.querySelectorAll(".mark:not(.mark-on)")].filter((mark) => isShown(mark) && (!type || mark.dataset.type === type) && (!text || whole(mark) === text));

// A mark that something else cuts in two goes on in the next pieces.
const whole = (mark) => {
  let text = mark.textContent;
  const all = [...mark.closest(".written").querySelectorAll(".mark")];
  for (let next = all[all.indexOf(mark) + 1], n = all.indexOf(mark) + 1; next?.classList.contains("mark-on"); next = all[(n += 1)]) text += next.textContent;
  return text;
};

// What is left in the comment at hand: all of it, or what comes after the mark one is at.
const leftIn = (comment, step, wanted) => {
  const now = comment.querySelector(".mark[aria-current]"), all = marksIn(comment, wanted);
  return now ? all.filter((mark) => mark !== now && (step > 0 ? isAfter(now, mark) : isAfter(mark, now))) : all;
};

export const detection = inTurn(async (step, wanted = {}) => {
  await settled();
  const from = start(), beside = from ? leftIn(from, step, wanted) : [];
  if (beside.length) return show(step > 0 ? beside[0] : beside.at(-1));
  const at = from ? positionOf(from) : -1;
  const list = await places(new URLSearchParams(Object.entries(wanted).filter(([, value]) => value)));
  const rest = list.filter(([position]) => (step > 0 ? position > at : position < at));
  for (const [position] of step > 0 ? rest : rest.reverse()) {
    const found = marksIn(await goTo(position), wanted);
    if (found.length) return show(step > 0 ? found[0] : found.at(-1));
  }
  return wanted.type && list.length ? again(list, wanted) : say("No further detection.");
});

// The walk through one string begins anew after its last place.
const again = async (list, wanted) => {
  const found = marksIn(await goTo(list[0][0]), wanted);
  if (found.length) show(found[0]);
};

// ── Subreddits ───────────────────────────────────────────────────────────────
const chapters = () => [...document.querySelectorAll("[data-jump-to]")].map((link) => Number(link.dataset.jumpTo)).sort((a, b) => a - b);

export const subreddit = inTurn(async (step) => {
  if (isFiltered()) return arrive((await walk(".place", step))?.querySelector(".comment"), "subreddit");
  const from = start(), now = from ? positionOf(from) : 0, all = chapters();
  const own = all.filter((position) => position <= now).at(-1) ?? 0;
  const next = step > 0 ? all.find((position) => position > now) : all.filter((position) => position < own).at(-1);
  if (next === undefined) return say("No further subreddit.");
  return goTo(next);
});

export const jumpToComment = async (number) => {
  const [found] = await places(new URLSearchParams({ comment: number }));
  if (found) await goTo(found[0]);
  else say("This comment is not among those shown. Change the filter to see it.");
};
