// Marks the comments that were on screen for a moment. Kept in this browser, not on the server: it helps to find the
// way in a long profile and is no data of the study, and to scroll should not mean to write to the database.
import { workspace } from "./api.js";
import { grouped, pane } from "./comments.js";

const KEY = "telltale:seen:", KEPT = "telltale:seen", MAX_KEPT = 50, MOMENT = 800;
let ids = new Set(), observer = null, added = null, saveTimer = 0, isReturning = false;
const waiting = new Map();

const read = (key) => { try { return JSON.parse(localStorage.getItem(key) ?? "[]"); } catch { return []; } };

// Differences in base 36: 20,000 comments take some 50 kB.
const pack = (numbers) => [...numbers].sort((a, b) => a - b).map((number, index, all) => (number - (all[index - 1] ?? 0)).toString(36)).join(" ");
const unpack = (text) => { let last = 0; return new Set((text ?? "").split(" ").filter(Boolean).map((step) => (last += parseInt(step, 36)))); };

const save = () => {
  const assignment = workspace().dataset.assignment, kept = [...read(KEPT).filter((other) => other !== assignment), assignment];
  for (const old of kept.splice(0, kept.length - MAX_KEPT)) localStorage.removeItem(KEY + old);
  try {
    localStorage.setItem(KEPT, JSON.stringify(kept));
    localStorage.setItem(KEY + assignment, pack(ids));
  } catch { /* full: what was seen is forgotten with the page */ }
};

const see = (comment) => {
  waiting.delete(comment);
  if (document.hidden || !comment.isConnected) return;
  observer.unobserve(comment);
  comment.classList.add("is-seen");
  ids.add(Number(comment.dataset.comment));
  showNew();
  clearTimeout(saveTimer);
  saveTimer = setTimeout(save, 500);
};

export const isNew = (id) => !ids.has(id);

// Who comes back reads how many comments are left that were never on screen.
const showNew = () => {
  const left = document.getElementById("comments").dataset.all - ids.size, button = document.getElementById("new-count");
  button.hidden = !isReturning || left <= 0;
  button.textContent = `${grouped(left)} not seen yet`;
};

const isInSight = ({ isIntersecting, intersectionRatio, intersectionRect, rootBounds }) =>
  isIntersecting && (intersectionRatio > 0.6 || intersectionRect.height > (rootBounds?.height ?? innerHeight) / 2);

const onIntersect = (entries) => {
  for (const entry of entries) {
    clearTimeout(waiting.get(entry.target));
    waiting.delete(entry.target);
    if (isInSight(entry)) waiting.set(entry.target, setTimeout(() => see(entry.target), MOMENT));
  }
};

const mark = (root) => {
  for (const comment of root.matches?.(".comment") ? [root] : root.querySelectorAll(".comment")) {
    if (ids.has(Number(comment.dataset.comment))) comment.classList.add("is-seen");
    else observer.observe(comment);
  }
};

export const begin = () => {
  observer?.disconnect();
  added?.disconnect();
  clearTimeout(saveTimer);
  for (const timer of waiting.values()) clearTimeout(timer);
  waiting.clear();
  const list = document.getElementById("comments");
  try { ids = unpack(localStorage.getItem(KEY + workspace().dataset.assignment)); } catch { ids = new Set(); }
  observer = new IntersectionObserver(onIntersect, { root: matchMedia("(width < 44rem)").matches ? null : pane(), threshold: [0, 0.3, 0.65, 1] });
  added = new MutationObserver((changes) => { for (const { addedNodes } of changes) for (const node of addedNodes) if (node.nodeType === Node.ELEMENT_NODE) mark(node); });
  added.observe(list, { childList: true, subtree: true });
  isReturning = ids.size > 0;
  showNew();
  mark(list);
};
