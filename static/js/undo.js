// Undo the last decision with u or Ctrl+Z, wherever it is offered.

const form = document.getElementById("undo");
const areOff = () => localStorage.getItem("telltale:keys-off") === "yes"; // single keys only
const isTyping = (target) => target.matches?.("textarea, select, input:not([type=radio], [type=checkbox], [type=hidden])");
let isSent = false;

const isUndo = ({ key, ctrlKey, metaKey, altKey, shiftKey }) => {
  if (altKey || shiftKey) return false;
  return ctrlKey || metaKey ? key === "z" : key === "u" && !areOff();
};

addEventListener("keydown", (event) => {
  if (!form || event.defaultPrevented || event.isComposing || isTyping(event.target) || !isUndo(event)) return;
  event.preventDefault();
  if (!isSent) form.requestSubmit();
  isSent = true;
});
addEventListener("pageshow", () => { isSent = false; });
