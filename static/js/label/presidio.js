// Presidio results: polled while the run is in progress, or while a large profile is being counted. A click on a
// string walks through its occurrences; the walker stands beside it.
import { at, get, workspace } from "./api.js";
import { detection } from "./navigation.js";

const box = () => document.getElementById("presidio-results");
let timer = 0, walking = null;

export const begin = () => {
  walking = null;
  poll();
};

const poll = () => {
  clearTimeout(timer);
  const pause = Number(box().dataset.again);
  if (pause) timer = setTimeout(refresh, pause);
};

const refresh = async () => {
  const here = workspace();
  try {
    const html = await (await get(at("presidio/"))).text();
    if (here !== workspace()) return;
    const holder = document.createElement("template");
    holder.innerHTML = html;
    box().replaceWith(holder.content.querySelector("#presidio-results"));
    if (walking) showWalker();
  } catch { /* try again next time */ }
  poll();
};

const buttonOf = ({ type, text }) => [...box().querySelectorAll(".walk")].find((button) => button.dataset.walkType === type && button.dataset.walkText === text);

const showWalker = () => {
  const walker = document.getElementById("walker"), button = buttonOf(walking);
  for (const other of box().querySelectorAll(".walk[aria-pressed]")) other.removeAttribute("aria-pressed");
  if (!walker || !button) return;
  button.setAttribute("aria-pressed", "true");
  button.closest("li").append(walker);
  document.getElementById("walk-at").textContent = `${walking.number || "–"} of ${walking.total}`;
  walker.hidden = false;
};

export const walk = async ({ walkType: type, walkText: text }) => {
  walking = { type, text };
  await step(1);
};

export const step = async (direction) => {
  const { type, text } = walking, { number, total } = await detection(direction, { type, text });
  walking = { type, text, number, total };
  showWalker();
};
