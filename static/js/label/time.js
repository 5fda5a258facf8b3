// Seconds in which the page was in sight and used within the last minute, in all and by card. Counts no keys.
import { at, csrf, isWritable } from "./api.js";
import { attributeOf } from "./cards.js";

const IDLE = 60_000, TELL = 30_000;
let lastUse = 0, active = 0, byCard = {}, sitting = "", url = "", told = 0;

const newKey = () => {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
};

export const begin = () => {
  if (sitting) tellNow();
  [active, byCard, sitting, url, told] = [0, {}, isWritable() ? newKey() : "", at("time/"), 0];
  lastUse = performance.now();
};

// For a message that goes anyway, such as the submit.
export const soFar = () => ({ key: sitting, active, cards: JSON.stringify(byCard) });

export const tellNow = () => {
  if (!sitting || active === told) return;
  told = active;
  navigator.sendBeacon(url, new URLSearchParams({ ...soFar(), csrfmiddlewaretoken: csrf() }));
};

const tick = () => {
  if (!sitting || document.hidden || performance.now() - lastUse > IDLE) return;
  active += 1;
  const card = document.activeElement?.closest?.(".card-of");
  if (card) byCard[attributeOf(card)] = (byCard[attributeOf(card)] ?? 0) + 1;
  if (active - told >= TELL / 1000) tellNow();
};

for (const kind of ["keydown", "pointerdown", "pointermove", "wheel", "touchmove", "scroll"]) {
  addEventListener(kind, () => { lastUse = performance.now(); }, { capture: true, passive: true });
}
addEventListener("visibilitychange", () => { if (document.hidden) tellNow(); });
addEventListener("pagehide", tellNow);
setInterval(tick, 1000);
