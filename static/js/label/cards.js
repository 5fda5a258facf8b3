// The cards: read and fill them, explain their ratings, and say what is missing while the person types.
import { get, workspace } from "./api.js";

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

export const fill = (card, answer) => {
  setFields(card, "value", answer.value);
  setFields(card, "hardness", String(answer.hardness));
  setFields(card, "certainty", String(answer.certainty));
  fields(card, "required_subreddit")[0].checked = answer.required_subreddit;
  fields(card, "note")[0].value = answer.note;
  card.querySelector(".quotes").replaceChildren(...answer.evidence.map((span) => evidenceItem(card, span)));
};

const setFields = (card, name, value) => {
  for (const input of fields(card, name)) {
    if (input.type === "radio") input.checked = input.value === value;
    else input.value = value;
  }
};

const element = (tag, properties, ...children) => {
  const created = Object.assign(document.createElement(tag), properties);
  created.append(...children);
  return created;
};

const evidenceItem = (card, span) => {
  const keep = element("input", { type: "checkbox", name: `${attributeOf(card)}-evidence`, value: JSON.stringify(span), checked: true, ariaLabel: "Keep this evidence" });
  const text = element("button", { type: "button", className: "link quote-text", dir: "auto", textContent: [...span.text].slice(0, 120).join("") });
  text.dataset.jump = span.comment;
  const drop = element("button", { type: "button", className: "quote-drop", textContent: "×", ariaLabel: "Remove this evidence" });
  return element("li", { className: "quote" }, keep, text, drop);
};

export const asFields = (card, answer, basedOn) => {
  const name = attributeOf(card), data = new URLSearchParams();
  for (const key of ["value", "hardness", "certainty", "note"]) data.set(`${name}-${key}`, answer[key]);
  if (answer.required_subreddit) data.set(`${name}-required_subreddit`, "on");
  for (const span of answer.evidence) data.append(`${name}-evidence`, JSON.stringify(span));
  data.set(`${name}-version`, basedOn);
  return data;
};

export const isEmpty = (answer) => !answer.value.trim() && !answer.hardness && !answer.certainty && !answer.required_subreddit && !answer.evidence.length;
export const EMPTY = { value: "", hardness: 0, certainty: 0, required_subreddit: false, note: "", evidence: [] };

// Check without the server whether value and ratings go together.
const problemOf = (answer) => {
  if (!answer.value.trim()) return isEmpty(answer) ? "" : "Ratings or evidence without a value: give one, or clear the card.";
  const gaps = ["hardness", "certainty"].filter((name) => !answer[name]);
  return gaps.length ? `A value needs ${gaps.join(" and ")} from 1 to 5.` : "";
};

export const updateState = (card) => {
  const answer = read(card), problem = problemOf(answer);
  show(card, problem ? "incomplete" : isEmpty(answer) ? "nothing" : "answered", problem, "");
};

const LABELS = { untouched: "Untouched", nothing: "Nothing to find", answered: "Answered", incomplete: "Incomplete" };

export const show = (card, state, problem, hint) => {
  card.dataset.state = state;
  card.querySelector("[data-state-label]").textContent = LABELS[state];
  const line = card.querySelector(".card-notice"), notice = problem || hint || "";
  if (line.textContent !== notice) line.textContent = notice;
};

export const enter = (card, { focus = true } = {}) => {
  for (const other of cards()) other.classList.toggle("is-current", other === card);
  if (!focus) return;
  const target = card.dataset.kind === "choice" ? fields(card, "value").find((input) => input.checked) : fields(card, "value")[0];
  target?.focus({ preventScroll: true });
  card.scrollIntoView({ block: "nearest" });
};

// A look-up for this card: it suggests hardness 4 or 5 from now on. Translating is not looking up.
export const suggestHardness = (card) => { card.dataset.lookedUp = ""; };

// ── What the ratings mean, from the guidelines of the batch ──────────────────
let rules = null;

export const loadRules = async () => {
  const number = workspace().dataset.guideline;
  if (rules?.number !== number) rules = { number, ...(await (await get(`/guidelines/${number}/cards/`)).json()) };
  for (const card of cards()) {
    const part = rules.attributes[attributeOf(card)];
    if (part?.html) card.querySelector("[data-rules]").innerHTML = part.html;
  }
};

export const explainRating = (input) => {
  const card = input.closest(".card-of"), scale = input.closest(".rating")?.dataset.scale;
  const step = rules?.[scale]?.[input.value];
  if (!step) return;
  const own = scale === "hardness" ? rules.attributes[attributeOf(card)]?.hardness[input.value] : "";
  const line = card.querySelector("[data-meaning]");
  line.replaceChildren(element("strong", { textContent: `${input.value}: ${step.definition} ` }), own || step.example || "");
};
