// Two tabs changed the same card: show both answers and let the person choose.
import { labelOf, nameOf } from "./cards.js";

const NAMES = { value: "Value", hardness: "Hardness", certainty: "Certainty", required_subreddit: "Required subreddit", note: "Note", evidence: "Evidence" };

const display = (name, answer) => {
  if (name === "evidence") return answer.evidence.map((span) => span.text).join(" · ") || "–";
  if (name === "required_subreddit") return answer[name] ? "yes" : "no";
  return String(answer[name]) || "–";
};

const cell = (tag, text) => Object.assign(document.createElement(tag), { textContent: text });

const row = (name, mine, theirs) => {
  const line = document.createElement("tr");
  line.append(cell("th", NAMES[name]), cell("td", display(name, mine)), cell("td", display(name, theirs)));
  line.classList.toggle("differs", display(name, mine) !== display(name, theirs));
  return line;
};

const readable = (card, answer) => ({ ...answer, value: labelOf(card, answer.value) });

export const chooseAnswer = (card, mine, theirs) => {
  const dialog = document.getElementById("conflict");
  dialog.querySelector("[data-conflict-name]").textContent = nameOf(card);
  dialog.querySelector("[data-conflict-rows]").replaceChildren(...Object.keys(NAMES).map((name) => row(name, readable(card, mine), readable(card, theirs))));
  return new Promise((resolve) => {
    const stay = () => dialog.showModal(); // a second Escape closes any dialog, but this one needs an answer
    const choose = (event) => {
      const button = event.target.closest("[data-keep]");
      if (!button) return;
      dialog.removeEventListener("click", choose);
      dialog.removeEventListener("close", stay);
      dialog.close();
      resolve(button.dataset.keep);
    };
    dialog.addEventListener("click", choose);
    dialog.addEventListener("close", stay);
    dialog.oncancel = (event) => event.preventDefault();
    dialog.showModal();
  });
};
