// Keyboard shortcuts, from the table in the page. A pair such as `h 3` waits a moment for its second key.

const table = JSON.parse(document.getElementById("shortcut-keys").textContent);
const PAIR_TIMEOUT = 1500, OFF = "telltale:keys-off";
let first = "", timer = 0;

export const areOff = () => localStorage.getItem(OFF) === "yes";
export const setEnabled = (on) => (on ? localStorage.removeItem(OFF) : localStorage.setItem(OFF, "yes"));

const isTyping = (target) => target.matches?.("textarea, select, input:not([type=radio], [type=checkbox]), [contenteditable]");
const isDigit = (key) => key.length === 1 && key >= "0" && key <= "9";

const nameOf = (event) => {
  const arrow = event.shiftKey && event.key.startsWith("Arrow") ? "Shift+" : "";
  return `${event.ctrlKey || event.metaKey ? "Ctrl+" : ""}${arrow}${event.key}`;
};

const actionFor = (key) => {
  const digit = isDigit(key) ? "#" : key;
  return (first ? table[`${first} ${digit}`] : null) ?? table[digit] ?? null;
};

export const listen = (act) => addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.isComposing || event.altKey) return;
  const key = nameOf(event), [action, whileTyping] = actionFor(key) ?? [];
  const starts = Object.keys(table).some((keys) => keys.startsWith(`${key} `));
  if (!action && !starts) { first = ""; return; }
  if (!whileTyping && (isTyping(event.target) || areOff() || document.querySelector("dialog[open]"))) return;
  clearTimeout(timer);
  if (starts && !action) {
    first = key;
    timer = setTimeout(() => { first = ""; }, PAIR_TIMEOUT);
    event.preventDefault();
    return;
  }
  first = "";
  if (act(action, isDigit(key) ? Number(key) : null, event) !== false) event.preventDefault();
});
