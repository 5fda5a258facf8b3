// The overview: can be folded, and says each month of the activity picture. Comments can be shown as they were written.
import { counted } from "./comments.js";

const FOLDED = "telltale:overview-folded", AS_WRITTEN = "telltale:as-written";
const SMALL = matchMedia("(width <= 60rem)");
const isFolded = () => (localStorage.getItem(FOLDED) ?? (SMALL.matches ? "yes" : "no")) === "yes";

const fold = () => {
  document.getElementById("overview").hidden = isFolded();
  document.querySelector("[data-do=fold-overview]").setAttribute("aria-expanded", String(!isFolded()));
};

export const toggle = () => {
  localStorage.setItem(FOLDED, isFolded() ? "no" : "yes");
  fold();
};

export const showAsWritten = (on) => {
  localStorage.setItem(AS_WRITTEN, on ? "yes" : "no");
  document.getElementById("comments").classList.toggle("as-written", on);
};

export const begin = () => {
  fold();
  const on = localStorage.getItem(AS_WRITTEN) === "yes";
  document.getElementById("as-written").checked = on;
  document.getElementById("comments").classList.toggle("as-written", on);
};

// ── The picture of the months: the one under the pointer, or the one that the arrow keys went to ──
const STEPS = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };
let index = 0;
const pictureOf = (target) => target.closest?.("#activity");
const months = () => [...document.querySelectorAll("#activity-table [data-month]")];

const showMonth = (number) => {
  const all = months(), tip = document.getElementById("activity-tip");
  index = Math.min(Math.max(number, 0), all.length - 1);
  tip.textContent = `${all[index].dataset.month}: ${counted(all[index].textContent.replaceAll(/\D/g, ""))}`;
  tip.style.setProperty("--at", (index + 0.5) / all.length);
  tip.hidden = false;
};

const hideMonth = () => { document.getElementById("activity-tip").hidden = true; };

const follow = (event) => {
  const picture = pictureOf(event.target);
  if (!picture) return;
  const { left, width } = picture.querySelector("svg").getBoundingClientRect();
  showMonth(Math.floor(((event.clientX - left) / width) * months().length));
};

for (const kind of ["pointermove", "pointerdown"]) document.addEventListener(kind, follow);
document.addEventListener("pointerout", (event) => { if (pictureOf(event.target) && event.pointerType === "mouse") hideMonth(); });
document.addEventListener("focusin", (event) => { if (pictureOf(event.target)?.matches(":focus-visible")) showMonth(months().length - 1); });
document.addEventListener("focusout", (event) => { if (pictureOf(event.target)) hideMonth(); });

document.addEventListener("keydown", (event) => {
  if (!pictureOf(event.target) || !(event.key in STEPS)) return;
  event.preventDefault(); // these keys select words elsewhere
  showMonth(index + STEPS[event.key]);
}, { capture: true });
