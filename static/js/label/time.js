// Counts the seconds in which the page was visible and used within the last minute, in total and by card.
import { at, csrf, isWritable } from "./api.js";
import { attributeOf } from "./cards.js";

const IDLE = 60_000, REPORT_INTERVAL = 30_000;
let activeSecond = () => {};
let lastUse = 0, active = 0, byCard = {}, sitting = "", url = "", reported = 0;

const newKey = () => {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
};

export const begin = () => {
  if (sitting) report();
  [active, byCard, sitting, url, reported] = [0, {}, isWritable() ? newKey() : "", at("time/"), 0];
  lastUse = performance.now();
};

// Also sent along with the submission.
export const elapsed = () => ({ key: sitting, active, cards: JSON.stringify(byCard) });

export const report = () => {
  if (!sitting || active === reported) return;
  reported = active;
  navigator.sendBeacon(url, new URLSearchParams({ ...elapsed(), csrfmiddlewaretoken: csrf() }));
};

export const onActiveSecond = (callback) => { activeSecond = callback; };

const tick = () => {
  if (document.hidden || performance.now() - lastUse > IDLE) return;
  activeSecond();
  if (!sitting) return;
  active += 1;
  const card = document.activeElement?.closest?.(".card-of");
  if (card) byCard[attributeOf(card)] = (byCard[attributeOf(card)] ?? 0) + 1;
  if (active - reported >= REPORT_INTERVAL / 1000) report();
};

for (const kind of ["keydown", "pointerdown", "pointermove", "wheel", "touchmove", "scroll"]) {
  addEventListener(kind, () => { lastUse = performance.now(); }, { capture: true, passive: true });
}
addEventListener("visibilitychange", () => { if (document.hidden) report(); });
addEventListener("pagehide", report);
setInterval(tick, 1000);
