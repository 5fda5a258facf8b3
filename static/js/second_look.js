// Keyboard shortcuts for reviewing claims. Every key presses a button or a field of a form that works without scripts.

const OFF = "telltale:keys-off"; // one switch for all pages with keys
const areOff = () => localStorage.getItem(OFF) === "yes";
const form = document.getElementById("last-word");
let rated = ""; // the scale that the next digit is for
let isSent = false;

const isTyping = (target) => target.matches?.("textarea, select, input:not([type=radio], [type=checkbox], [type=hidden])");

const press = (key) => {
  const button = document.querySelector(`#claim [data-key="${key}"], #undo [data-key="${key}"]`);
  if (isSent) return false;
  button?.click();
  return Boolean(button);
};

const rate = (digit) => {
  const choice = form?.querySelector(`[name="${rated}"][value="${digit}"]`);
  rated = "";
  if (choice) choice.checked = true;
  return Boolean(choice);
};

const startRating = (name) => {
  rated = name;
  form.querySelector(`[name="${name}"]:checked, [name="${name}"]`).focus();
  return true;
};

const goToValue = () => {
  const field = form.querySelector("[name=value]");
  field.focus();
  field.select?.();
  return true;
};

const toggleSubreddit = () => {
  form.querySelector("[name=required_subreddit]").click();
  return true;
};

const quote = () => {
  const selection = getSelection();
  const [line] = selection.toString().trim().split("\n");
  const isComment = document.getElementById("comments").contains(selection.anchorNode);
  const field = form.querySelector("[name=quotes]");
  if (line && isComment) field.value = [field.value.trim(), line.trim()].filter(Boolean).join("\n");
  else field.focus();
  return true;
};

const toggleKeys = () => {
  const keys = document.getElementById("keys");
  if (keys) keys.open = !keys.open;
  return Boolean(keys);
};

const FIELDS = { h: () => startRating("hardness"), c: () => startRating("certainty"), r: toggleSubreddit, v: goToValue, e: quote };

const act = (key, target) => {
  if (key === "Escape") return isTyping(target) && (target.blur(), true);
  if (isTyping(target) || areOff()) return false;
  if (key === "?") return toggleKeys();
  if (/^[1-5]$/.test(key) && rated) return rate(key);
  if (form && FIELDS[key]) return FIELDS[key]();
  return /^[ynou]$/.test(key) && press(key);
};

addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.isComposing || event.repeat || event.altKey || event.ctrlKey || event.metaKey) return;
  if (act(event.key, event.target)) event.preventDefault();
});

// Pressing a key twice decides only once.
addEventListener("submit", (event) => {
  if (isSent) event.preventDefault();
  isSent = true;
});
addEventListener("pageshow", () => { isSent = false; });

const keysButton = document.getElementById("turn-keys");
const updateLabel = () => { keysButton.textContent = areOff() ? "Turn shortcuts on" : "Turn shortcuts off"; };
if (keysButton) {
  keysButton.hidden = false;
  keysButton.addEventListener("click", () => {
    if (areOff()) localStorage.removeItem(OFF); else localStorage.setItem(OFF, "yes");
    updateLabel();
  });
  updateLabel();
}
document.querySelector("#last-word .errorlist")?.closest(".field")?.querySelector("input, select, textarea")?.focus();
