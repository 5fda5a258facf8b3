// The cards: what stands in them, what their numbers mean, and what is still missing, said while one types.
import { get, seat } from "./api.js";

export const cards = () => [...document.querySelectorAll(".card-of")];
export const cardOf = (attribute) => document.getElementById(`card-${attribute}`);
export const attributeOf = (card) => card.dataset.attribute;
export const current = () => document.querySelector(".card-of.is-current") ?? cards()[0];
const fields = (card, name) => [...card.querySelectorAll(`[name="${attributeOf(card)}-${name}"]`)];
const chosen = (card, name) => fields(card, name).find((input) => input.checked)?.value ?? "";

export const read = (card) => ({
  value: card.dataset.kind === "choice" ? chosen(card, "value") : fields(card, "value")[0].value,
  hardness: Number(chosen(card, "hardness")),
  certainty: Number(chosen(card, "certainty")),
  required_subreddit: fields(card, "required_subreddit")[0].checked,
  note: fields(card, "note")[0].value,
  evidence: fields(card, "evidence").map((input) => JSON.parse(input.value)),
});

export const version = (card) => Number(fields(card, "version")[0].value);
export const setVersion = (card, number) => { fields(card, "version")[0].value = number; };

export const fill = (card, said) => {
  setEach(card, "value", said.value);
  setEach(card, "hardness", String(said.hardness));
  setEach(card, "certainty", String(said.certainty));
  fields(card, "required_subreddit")[0].checked = said.required_subreddit;
  fields(card, "note")[0].value = said.note;
  card.querySelector(".quotes").replaceChildren(...said.evidence.map((quote) => quoteItem(card, quote)));
};

const setEach = (card, name, value) => {
  for (const input of fields(card, name)) {
    if (input.type === "radio") input.checked = input.value === value;
    else input.value = value;
  }
};

const element = (tag, properties, ...children) => {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
};

const quoteItem = (card, quote) => {
  const keep = element("input", { type: "checkbox", name: `${attributeOf(card)}-evidence`, value: JSON.stringify(quote), checked: true, ariaLabel: "Keep this evidence" });
  const text = element("button", { type: "button", className: "link quote-text", dir: "auto", textContent: [...quote.text].slice(0, 120).join("") });
  text.dataset.jump = quote.comment;
  const drop = element("button", { type: "button", className: "quote-drop", textContent: "×", ariaLabel: "Remove this evidence" });
  return element("li", { className: "quote" }, keep, text, drop);
};

export const asFields = (card, said, basedOn) => {
  const name = attributeOf(card), sent = new URLSearchParams();
  for (const key of ["value", "hardness", "certainty", "note"]) sent.set(`${name}-${key}`, said[key]);
  if (said.required_subreddit) sent.set(`${name}-required_subreddit`, "on");
  for (const quote of said.evidence) sent.append(`${name}-evidence`, JSON.stringify(quote));
  sent.set(`${name}-version`, basedOn);
  return sent;
};

export const isEmpty = (said) => !said.value.trim() && !said.hardness && !said.certainty && !said.required_subreddit && !said.evidence.length;
export const EMPTY = { value: "", hardness: 0, certainty: 0, required_subreddit: false, note: "", evidence: [] };

// What can be said without asking the server: whether value and ratings go together.
const missing = (said) => {
  if (!said.value.trim()) return isEmpty(said) ? "" : "Ratings or evidence without a value: give one, or clear the card.";
  const gaps = ["hardness", "certainty"].filter((name) => !said[name]);
  return gaps.length ? `A value needs ${gaps.join(" and ")} from 1 to 5.` : "";
};

export const judge = (card) => {
  const said = read(card), gap = missing(said);
  show(card, gap ? "incomplete" : isEmpty(said) ? "nothing" : "answered", gap, "");
};

const LABELS = { untouched: "Untouched", nothing: "Nothing to find", answered: "Answered", incomplete: "Incomplete" };

export const show = (card, state, problem, hint) => {
  card.dataset.state = state;
  card.querySelector("[data-state-label]").textContent = LABELS[state];
  const line = card.querySelector(".card-said"), said = problem || hint || "";
  if (line.textContent !== said) line.textContent = said;
};

export const enter = (card, { focus = true } = {}) => {
  for (const other of cards()) other.classList.toggle("is-current", other === card);
  if (!focus) return;
  const wanted = card.dataset.kind === "choice" ? fields(card, "value").find((input) => input.checked) : fields(card, "value")[0];
  wanted?.focus({ preventScroll: true });
  card.scrollIntoView({ block: "nearest" });
};

// ── What the numbers mean, from the guidelines that the batch began with ─────
let rules = null;

export const loadRules = async () => {
  const number = seat().dataset.guideline;
  if (rules?.number !== number) rules = { number, ...(await (await get(`/guidelines/${number}/cards/`)).json()) };
  for (const card of cards()) {
    const part = rules.attributes[attributeOf(card)];
    if (part?.html) card.querySelector("[data-rules]").innerHTML = part.html;
  }
};

export const mean = (input) => {
  const card = input.closest(".card-of"), scale = input.closest(".rating")?.dataset.scale;
  const step = rules?.[scale]?.[input.value];
  if (!step) return;
  const own = scale === "hardness" ? rules.attributes[attributeOf(card)]?.hardness[input.value] : "";
  const line = card.querySelector("[data-meaning]");
  line.replaceChildren(element("strong", { textContent: `${input.value}: ${step.definition} ` }), own || step.example || "");
};
