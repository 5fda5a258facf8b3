// Keyboard shortcuts for adjudication. Every key presses a button of a form that works without scripts.
import { ask, walk } from "./cited_comments.js";

const disputes = [...document.querySelectorAll(".case")];
let current = Math.max(0, disputes.findIndex((dispute) => `#${dispute.id}` === location.hash));
const OFF = "telltale:keys-off"; // one switch for this page and for labelling
const areOff = () => localStorage.getItem(OFF) === "yes";
let isSent = false;

const isTyping = (target) => target.matches?.("textarea, select, input:not([type=radio], [type=checkbox], [type=hidden])");

const show = (focus) => {
  disputes.forEach((dispute, at) => dispute.classList.toggle("is-current", at === current));
  ask(disputes[current]);
  if (focus) disputes[current]?.focus();
};

const go = (step) => {
  current = Math.min(disputes.length - 1, Math.max(0, current + step));
  show(true);
};

const open = (key) => {
  const form = disputes[current]?.querySelector(`[data-open-with="${key}"]`);
  if (!form) return false;
  form.open = true;
  const field = form.querySelector("[name=value]");
  field.focus();
  field.select?.();
  return true;
};

const press = (key) => {
  const here = disputes[current];
  const accepts = here ? [...here.querySelectorAll(".side [data-key]")] : [];
  const button = /^[1-9]$/.test(key)
    ? accepts[Number(key) - 1]
    : here?.querySelector(`[data-key="${key}"]`) ?? document.querySelector(`#continue [data-key="${key}"]`);
  button?.click();
  return Boolean(button);
};

const leave = (target) => {
  target.blur();
  show(true);
  return true;
};

const toggleKeys = () => {
  const keys = document.getElementById("keys");
  keys.open = !keys.open;
  if (keys.open) keys.scrollIntoView({ block: "nearest" });
  return true;
};

const act = (key, target) => {
  if (key === "Escape") return isTyping(target) && leave(target);
  if (isTyping(target) || areOff()) return false;
  if (key === "[" || key === "]") return go(key === "[" ? -1 : 1), true;
  if (key === "," || key === ".") return walk(key === "," ? -1 : 1);
  if (key === "?") return toggleKeys();
  if (key === "m" || key === "w") return open(key);
  return /^[a-z1-9]$/.test(key) && press(key);
};

addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.isComposing || event.altKey) return;
  if (event.ctrlKey || event.metaKey) {
    if (event.key === "Enter") event.target.closest?.("form")?.requestSubmit();
    return;
  }
  if (act(event.key, event.target)) event.preventDefault();
});

const keysButton = document.getElementById("turn-keys");
const updateLabel = () => { keysButton.textContent = areOff() ? "Turn shortcuts on" : "Turn shortcuts off"; };
keysButton.hidden = false;
keysButton.addEventListener("click", () => {
  if (areOff()) localStorage.removeItem(OFF); else localStorage.setItem(OFF, "yes");
  updateLabel();
});
updateLabel();

// Pressing a key twice decides only once.
addEventListener("submit", (event) => {
  if (isSent) event.preventDefault();
  isSent = true;
});
addEventListener("pageshow", () => { isSent = false; });

disputes.forEach((dispute, at) => dispute.addEventListener("focusin", () => { current = at; show(false); }));
show(!document.querySelector(".case-form[open]"));
document.querySelector(".case-form[open] .errorlist")?.closest(".field")?.querySelector("input, textarea, select")?.focus();
