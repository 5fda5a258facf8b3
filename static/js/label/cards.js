// The cards: read and fill them, explain their ratings, and say what is missing while the person types.
import { get, workspace } from "./api.js";
import * as rows from "./rows.js";

export const cards = () => [...document.querySelectorAll(".card-of")];
export const cardOf = (attribute) => document.getElementById(`card-${attribute}`);
export const attributeOf = (card) => card.dataset.attribute;
export const nameOf = (card) => card.querySelector(".card-name").textContent;
export const current = () => document.querySelector(".card-of.is-current") ?? cards()[0];
const fields = (card, name) => [...card.querySelectorAll(`[name="${attributeOf(card)}-${name}"]`)];
const chosen = (card, name) => fields(card, name).find((input) => input.checked)?.value ?? "";

// A value as people read it: of a list, the words on its button.
export const labelOf = (card, value) => {
  const choice = card.dataset.kind === "choice" && value ? fields(card, "value").find((input) => input.value === value) : null;
  return choice?.closest("label").querySelector("span").textContent ?? value;
};

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
  setFields(card, "note", answer.note);
  card.querySelector(".quotes").replaceChildren(...answer.evidence.map((span) => evidenceItem(card, span)));
};

const setFields = (card, name, value) => {
  for (const input of fields(card, name)) {
    if (input.type === "radio") input.checked = input.value === value && !/^0?$/.test(value); // none is chosen for none
    else if (input.value !== value) input.value = value;
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
  if (!answer.value.trim()) return isEmpty(answer) ? "" : "Add a value, or clear the card.";
  const gaps = rows.missing(answer);
  return gaps.length ? `Add ${gaps.join(" and ")} from 1 to 5.` : "";
};

export const updateState = (card) => {
  const answer = read(card), problem = problemOf(answer);
  card.classList.remove("is-refused");
  show(card, problem ? "incomplete" : isEmpty(answer) ? "nothing" : "answered", problem, "");
};

// A card whose first choice was taken back says nothing yet, although the server has an empty answer of it.
export const leaveUntouched = (card) => { card.dataset.takenBack = JSON.stringify(read(card)); };
const isUntouched = (card, answer) => isEmpty(answer) && card.dataset.takenBack === JSON.stringify(answer);

export const show = (card, state, problem, hint) => {
  const answer = read(card);
  if (state === "nothing" && isUntouched(card, answer)) return show(card, "untouched", problem, hint);
  rows.update(card, answer, state);
  rows.summarize(cards().map((one) => ({ name: nameOf(one), state: one.dataset.state, answer: read(one) })));
  for (const scale of card.querySelectorAll(".rating")) explain(scale);
  const line = card.querySelector(".card-notice"), notice = problem || hint || "";
  if (line.textContent !== notice) line.textContent = notice;
};

const head = (card) => card.querySelector(".card-head");

// Open a card and fold the others. What is incomplete when it is left, is marked as such from then on.
export const enter = (card, { focus = true } = {}) => {
  for (const other of cards()) {
    if (other !== card && other.classList.contains("is-current")) other.classList.add("was-left");
    other.classList.toggle("is-current", other === card);
    head(other).setAttribute("aria-expanded", String(other === card));
  }
  for (const scale of card.querySelectorAll(".rating")) explain(scale);
  if (focus) focusOn(card);
};

// An empty text field is to be typed in. Where there is an answer already, keys are commands.
const focusOn = (card) => {
  const inputs = fields(card, "value"), first = card.dataset.kind === "choice" ? inputs.find((input) => input.checked) ?? inputs[0] : inputs[0];
  const target = card.disabled || (first.type === "text" && first.value) ? head(card) : first;
  target.focus({ preventScroll: true });
  card.scrollIntoView({ block: "nearest" });
};

// Put the focus on what a card lacks. A problem that only the server knows is one of the value.
export const enterGap = (card, problem) => {
  const answer = read(card), [gap] = problem === problemOf(answer) ? rows.missing(answer) : ["value"];
  enter(card);
  const target = gap === "value" ? fields(card, "value")[0] : card.querySelector(`[data-scale=${gap}] label:not(.no-script) input`);
  target.focus({ preventScroll: true });
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
  for (const scale of current().querySelectorAll(".rating")) explain(scale);
};

// The rating to explain: the one under the pointer, else the focused one, else the chosen one. A finger doesn't hover.
const CAN_HOVER = matchMedia("(hover: hover)");
const ratingOf = (scale) =>
  (CAN_HOVER.matches && scale.querySelector("label:hover input")) || (scale.querySelector(":focus-visible") ?? scale.querySelector(":checked"));

// Explain a rating beside its scale. A save that is confirmed meanwhile must not change what is explained.
export const explain = (scale) => {
  const input = ratingOf(scale), name = scale.dataset.scale, step = rules?.[name]?.[input?.value], line = scale.querySelector("[data-meaning]");
  if (!step) return line.replaceChildren();
  const own = name === "hardness" ? rules.attributes[attributeOf(scale.closest(".card-of"))]?.hardness[input.value] : "";
  const example = own || step.example || "";
  line.title = `${step.definition} ${example}`;
  return line.replaceChildren(element("strong", { textContent: `${step.definition} ` }), example);
};
