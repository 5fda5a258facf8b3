// Keyboard shortcuts for checking a judge. Every key presses a button of a form that works without scripts.

const OFF = "telltale:keys-off"; // one switch for all pages with keys
const areOff = () => localStorage.getItem(OFF) === "yes";
let isSent = false;

addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.repeat || event.altKey || event.ctrlKey || event.metaKey || areOff()) return;
  const button = /^[123u]$/.test(event.key) && document.querySelector(`#pair [data-key="${event.key}"]`);
  if (!button || isSent) return;
  event.preventDefault();
  button.click();
});

// Pressing a key twice decides only once.
document.addEventListener("submit", () => { isSent = true; });
document.addEventListener("htmx:afterSwap", () => { isSent = false; });
document.addEventListener("htmx:sendError", () => { isSent = false; });
document.addEventListener("htmx:responseError", () => { isSent = false; });
addEventListener("pageshow", () => { isSent = false; });

const keysButton = document.getElementById("turn-keys");
const updateLabel = () => { keysButton.textContent = areOff() ? "Turn keys on" : "Turn keys off"; };
if (keysButton) {
  keysButton.hidden = false;
  keysButton.addEventListener("click", () => {
    if (areOff()) localStorage.removeItem(OFF); else localStorage.setItem(OFF, "yes");
    updateLabel();
  });
  updateLabel();
}
