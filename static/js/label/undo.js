// Take back choices made with one key or click, one by one. Typed text is left to the browser's own undo.
import { attributeOf, cardOf, cards, fill, isEmpty, labelOf, leaveUntouched, nameOf, read } from "./cards.js";

const MAX_STEPS = 100;
const FIELDS = { value: "value", hardness: "hardness", certainty: "certainty", required_subreddit: "required subreddit" };
let steps = [], known = new Map(); // attribute → the answer before the next change

const at = (span) => [span.comment, span.start, span.end].join();
const without = (spans, others) => spans.filter((span) => !others.some((other) => at(other) === at(span)));

// The server may have moved a span in a text with other line breaks: then its words find it.
const plain = (span) => `${span.comment} ${span.text.replaceAll(/\r\n?/g, "\n")}`;
const remove = (spans, gone) => gone.reduce((rest, span) => {
  const exact = rest.findIndex((other) => at(other) === at(span));
  const index = exact < 0 ? rest.findIndex((other) => plain(other) === plain(span)) : exact;
  return rest.filter((_, number) => number !== index);
}, spans);

export const sync = (card) => known.set(attributeOf(card), read(card));

export const begin = () => {
  steps = [];
  known = new Map();
  for (const card of cards()) sync(card);
};

// Called with every change of a card.
export const record = (card, { typing }) => {
  const before = known.get(attributeOf(card)), after = read(card), state = card.dataset.state;
  sync(card);
  if (typing || !before) return;
  const step = { attribute: attributeOf(card), fields: Object.keys(FIELDS).filter((name) => before[name] !== after[name]), before, after, state };
  step.added = without(after.evidence, before.evidence);
  step.removed = without(before.evidence, after.evidence);
  const isFirst = state === "untouched" && isEmpty(after); // nothing to infer, said for the first time
  if (!step.fields.length && !step.added.length && !step.removed.length && !isFirst) return;
  delete card.dataset.takenBack;
  steps = [...steps, step].slice(-MAX_STEPS);
  tellLast();
};

const describe = ({ attribute, fields, added, removed, after }) => {
  const name = nameOf(cardOf(attribute));
  if (fields.length > 1 || (fields.length && removed.length)) return `${name} cleared`;
  if (added.length) return `${name}: evidence added`;
  if (removed.length) return `${name}: evidence removed`;
  if (!fields.length) return `${name}: nothing to infer`;
  const [field] = fields, value = after[field];
  if (field === "required_subreddit") return `${name}: required subreddit ${value ? "on" : "off"}`;
  return `${name}: ${field === "value" ? labelOf(cardOf(attribute), value) || "no value" : `${FIELDS[field]} ${value || "removed"}`}`;
};

const tellLast = (undone) => {
  const line = document.getElementById("last-change"), last = steps.at(-1);
  document.getElementById("undo")?.toggleAttribute("disabled", !last);
  line.replaceChildren(undone ? `Undone: ${describe(undone)}. ` : last ? `${describe(last)}. ` : "");
  if (last) line.append(Object.assign(document.createElement("button"), { type: "button", className: "link", textContent: "Undo" }));
  line.querySelector("button")?.setAttribute("data-do", "undo");
};

// Returns the card that was changed back, or null. Text that was typed since then stays.
export const undo = () => {
  const step = steps.pop();
  if (!step) return null;
  const card = cardOf(step.attribute), answer = read(card), isTyped = card.dataset.kind !== "choice";
  for (const name of step.fields) {
    if (name !== "value" || !isTyped || answer.value === step.after.value) answer[name] = step.before[name];
  }
  answer.evidence = [...remove(answer.evidence, step.added), ...without(step.removed, answer.evidence)];
  fill(card, answer);
  sync(card);
  tellLast(step);
  if (step.state === "untouched") leaveUntouched(card);
  return card;
};
