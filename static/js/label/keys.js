// Keyboard shortcuts, from the table in the page.

const table = JSON.parse(document.getElementById("shortcut-keys").textContent);
const OFF = "telltale:keys-off";

export const areOff = () => localStorage.getItem(OFF) === "yes";
export const setEnabled = (on) => (on ? localStorage.removeItem(OFF) : localStorage.setItem(OFF, "yes"));

const isTyping = (target) => target.matches?.("textarea, select, input:not([type=radio], [type=checkbox]), [contenteditable]");
const isDigit = (key) => key.length === 1 && key >= "0" && key <= "9";

const nameOf = (event) => {
  const arrow = event.shiftKey && event.key.startsWith("Arrow") ? "Shift+" : "";
  return `${event.ctrlKey || event.metaKey ? "Ctrl+" : ""}${arrow}${event.key}`;
};

export const listen = (act) => addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.isComposing || event.altKey) return;
  const key = nameOf(event), [action, whileTyping] = table[isDigit(key) ? "#" : key] ?? [];
  if (!action) return;
  const isOff = areOff() && !key.startsWith("Ctrl+");
  if (!whileTyping && (isTyping(event.target) || isOff || document.querySelector("dialog[open]"))) return;
  if (act(action, isDigit(key) ? Number(key) : null, event) !== false) event.preventDefault();
});
