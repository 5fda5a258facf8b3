// Remembers where somebody was reading, so that a reload or a later visit goes on there.
// In this browser only: a comment's number and a distance in pixels, never a word of it.
import { workspace } from "./api.js";
import { isNarrowed, pane, returnTo, topPlace } from "./comments.js";

const KEY = "telltale:places", MAX_KEPT = 200, PAUSE = 300;
let timer = 0;

const stored = () => {
  try { return new Map(JSON.parse(localStorage.getItem(KEY) ?? "[]")); } catch { return new Map(); }
};

const stopTimer = () => { clearTimeout(timer); timer = 0; };

const save = () => {
  stopTimer();
  const place = isNarrowed() ? null : topPlace();
  if (!place) return;
  const places = stored(), assignment = workspace().dataset.assignment;
  places.delete(assignment);
  places.set(assignment, place);
  try { localStorage.setItem(KEY, JSON.stringify([...places].slice(-MAX_KEPT))); } catch { /* full: the place is not kept */ }
};

const saveSoon = () => { stopTimer(); timer = setTimeout(save, PAUSE); };
addEventListener("pagehide", () => { if (timer) save(); }); // who reloads just after scrolling

export const begin = async () => {
  stopTimer();
  const place = stored().get(workspace().dataset.assignment);
  pane().addEventListener("scroll", saveSoon, { passive: true });
  if (place && !isNarrowed() && (place.position > 0 || place.offset < 0)) await returnTo(place);
};
