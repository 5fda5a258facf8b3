// What the next digit does: fill a part of the open card (value of a list, hardness, certainty), or else open a card.
import { current, read } from "./cards.js";

const PARTS = ["value", "hardness", "certainty"];
let part = "";

export const expected = () => part;

export const expect = (name) => {
  document.querySelector("[data-expects-digit]")?.removeAttribute("data-expects-digit");
  part = PARTS.includes(name) ? name : "";
  if (part) current().querySelector(`[data-part=${part}]`).setAttribute("data-expects-digit", "");
};

// After a value come hardness and certainty, as far as they are missing. `value: false` does not ask for the value.
export const expectNext = (card, { value = true } = {}) => {
  const answer = read(card);
  if (card !== current() || card.disabled) return expect("");
  if (!answer.value.trim()) return expect(value && card.dataset.kind === "choice" ? "value" : "");
  return expect(["hardness", "certainty"].find((name) => !answer[name]) ?? "");
};

// Who comes to a scale or a list with Tab means that one.
document.addEventListener("keyup", (event) => {
  const part = event.key === "Tab" && event.target.type === "radio" ? event.target.closest(".card-of.is-current [data-part]") : null;
  if (part) expect(part.dataset.part);
});
