// Suggests a break after a long stretch of activity. This browser keeps two numbers for it, and nothing else does.
import { onActiveSecond } from "./time.js";

const KEY = "telltale:activity", BREAK = 10 * 60_000; // whoever was away this long has had a break
const box = document.getElementById("break-reminder"), words = box.querySelector("p"), button = box.querySelector("button");
const after = Number(box.dataset.after); // seconds; 0: never
let kept = { seconds: 0, at: 0 }; // for browsers that forbid storage

const read = () => {
  try { kept = JSON.parse(localStorage.getItem(KEY)) ?? kept; } catch { /* the count of this page has to do */ }
  return Date.now() - kept.at > BREAK ? 0 : kept.seconds;
};

const write = (seconds) => {
  kept = { seconds, at: Date.now() };
  try { localStorage.setItem(KEY, JSON.stringify(kept)); } catch { /* as above */ }
};

export const refresh = () => {
  const isDue = after > 0 && box.dataset.on === "yes" && read() >= after;
  if (isDue === Boolean(words.childNodes.length)) return;
  words.replaceChildren(...(isDue ? [box.querySelector("template").content.cloneNode(true)] : []));
  button.hidden = !isDue;
};

const dismiss = () => {
  const hadFocus = document.activeElement === button;
  write(0);
  refresh();
  if (hadFocus) document.getElementById("reading").focus({ preventScroll: true });
};

button.addEventListener("pointerdown", (event) => event.preventDefault()); // the focus stays where it is
button.addEventListener("click", dismiss);
addEventListener("storage", refresh); // dismissed in another tab
onActiveSecond(() => { write(read() + 1); refresh(); });
refresh();
