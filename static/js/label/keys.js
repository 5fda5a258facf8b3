// Keys, by the table that the server wrote into the page. A pair such as `h 3` waits a moment for its second part.

const table = JSON.parse(document.getElementById("shortcut-keys").textContent);
const PAIR = 1500, OFF = "telltale:keys-off";
let first = "", forget = 0;

export const areOff = () => localStorage.getItem(OFF) === "yes";
export const turn = (on) => (on ? localStorage.removeItem(OFF) : localStorage.setItem(OFF, "yes"));

const isTyping = (target) => target.matches?.("textarea, select, input:not([type=radio], [type=checkbox]), [contenteditable]");
const isDigit = (key) => key.length === 1 && key >= "0" && key <= "9";

const named = (event) => {
  const arrow = event.shiftKey && event.key.startsWith("Arrow") ? "Shift+" : "";
  return `${event.ctrlKey || event.metaKey ? "Ctrl+" : ""}${arrow}${event.key}`;
};

const found = (key) => {
  const digit = isDigit(key) ? "#" : key;
  return (first ? table[`${first} ${digit}`] : null) ?? table[digit] ?? null;
};

export const listen = (act) => addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.isComposing || event.altKey) return;
  const key = named(event), [action, whileTyping] = found(key) ?? [];
  const starts = Object.keys(table).some((keys) => keys.startsWith(`${key} `));
  if (!action && !starts) { first = ""; return; }
  if (!whileTyping && (isTyping(event.target) || areOff() || document.querySelector("dialog[open]"))) return;
  clearTimeout(forget);
  if (starts && !action) {
    first = key;
    forget = setTimeout(() => { first = ""; }, PAIR);
    event.preventDefault();
    return;
  }
  first = "";
  if (act(action, isDigit(key) ? Number(key) : null, event) !== false) event.preventDefault();
});
