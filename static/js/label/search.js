// Searching jumps through the hits and leaves all comments in place. Narrowing to the matches is a switch of its own.
import { at, get, notify, say } from "./api.js";
import { applyFilter, query, whereNow, returnTo, words } from "./comments.js";
import * as walk from "./walk.js";

let hits = null, counted = "", origin = null;
const box = () => document.querySelector("#filter [name=q]");
const line = () => document.getElementById("hits");
const hitsIn = (comment) => [...comment.querySelectorAll(".hit:not(.hit-on)")];

export const begin = () => { [hits, counted, origin] = [null, "", null]; };

const showCount = (number) => {
  line().hidden = !words();
  if (!hits) return;
  const total = walk.total(hits);
  document.getElementById("hit-at").textContent = total ? `${number || "–"} of ${total.toLocaleString("en").replaceAll(",", "\u202f")}` : "No matches";
  for (const button of line().querySelectorAll("button")) button.disabled = !total;
};

const count = async () => {
  const asked = query();
  asked.set("hits", "on");
  if (counted === String(asked)) return;
  const { places } = await (await get(`${at("places/")}?${asked}`)).json();
  [hits, counted] = [walk.create(places, hitsIn), String(asked)];
};

// The words changed: go to the first hit from where the search began, without taking the focus.
export const changed = async () => {
  if (!words()) return clear();
  origin ??= whereNow();
  const asked = words();
  await Promise.all([applyFilter(), count()]);
  if (asked !== words()) return undefined; // superseded by what was typed since
  return showCount(await walk.step(hits, 1, { origin: origin?.position ?? 0, wrap: true, focus: false }));
};

// Accept the hit: the next keys act on it.
export const accept = async () => {
  await changed();
  origin = null;
  document.querySelector("#comments .comment[aria-current]")?.focus({ preventScroll: true });
};

export const step = async (direction) => {
  if (!words()) return notify("Search first: press /.");
  await Promise.all([applyFilter(), count()]);
  origin = null;
  const number = await walk.step(hits, direction, { wrap: true });
  showCount(number);
  return say(number ? `Match ${number} of ${walk.total(hits)}` : "No matches.");
};

// Another filter: the hits are counted again, and the place is kept.
export const refresh = async () => {
  await applyFilter();
  if (!words()) return;
  await count();
  showCount(walk.numberHere(hits));
};

export const isOn = () => words() !== "";

// Leave the search. Without having accepted a hit, go back to where it began.
export const clear = async () => {
  const back = origin;
  box().value = "";
  document.querySelector("#filter [name=only]").checked = false;
  begin();
  showCount(0);
  await applyFilter();
  if (back) await returnTo(back);
};
