// What keys and buttons do: to a card, and to the profile as a whole.
import { at, get, isWritable, notify, post, tell, workspace } from "./api.js";
import * as autosave from "./autosave.js";
import * as cards from "./cards.js";
import * as digits from "./digits.js";
import * as places from "./places.js";
import * as selection from "./selection.js";
import { whileSignedIn } from "./sign_in.js";
import * as undo from "./undo.js";

export const enter = (card) => {
  cards.enter(card);
  digits.expectNext(card);
};

// Choose the value or rating with this number in the open card. 0 removes a rating.
const pick = (part, number) => {
  const card = cards.current(), inputs = [...card.querySelectorAll(`[data-part=${part}] label:not(.no-script) input`)];
  if (!isWritable() || number > inputs.length || (part === "value" && !number)) return notify(`Choose 1 to ${inputs.length}.`);
  for (const [index, input] of inputs.entries()) input.checked = index === number - 1;
  inputs[number - 1]?.focus({ preventScroll: true });
  autosave.changed(card);
  return digits.expectNext(card);
};

export const digit = (number) => {
  if (digits.expected()) return pick(digits.expected(), number);
  return number >= 1 && number <= 8 ? enter(cards.cards()[number - 1]) : false;
};

// Text: take the selected words, or type. A list: the next digit chooses.
export const editValue = () => {
  const card = cards.current(), input = card.querySelector(".card-value input[type=text]"), words = selection.chosenWords();
  if (!isWritable()) return;
  if (!input) return digits.expect("value");
  if (words) takeAsValue(card, input, words);
  if (words && input.role !== "combobox") return digits.expectNext(card);
  input.focus({ preventScroll: true });
  return words ? places.suggest(input) : input.select();
};

const takeAsValue = (card, input, words) => {
  const age = card.dataset.kind === "age" ? words.match(/\d+(\s*-\s*\d+)?/)?.[0] : "";
  input.value = (age || words.replaceAll(/\s+/g, " ")).slice(0, input.maxLength);
  autosave.changed(card);
  getSelection().removeAllRanges();
  selection.hide();
};

export const clear = (card = cards.current()) => {
  if (!isWritable()) return;
  cards.fill(card, { ...cards.EMPTY, note: cards.read(card).note });
  autosave.changed(card);
  digits.expect("");
  selection.hide();
};

export const withoutWork = () => {
  if (!isWritable()) return;
  const card = cards.cardOf("occupation");
  cards.fill(card, { ...cards.read(card), value: "none" });
  cards.enter(card, { focus: false });
  autosave.changed(card);
  digits.expectNext(card);
};

export const takeBack = () => {
  const card = isWritable() ? undo.undo() : null;
  if (!card) return notify("Nothing to undo.");
  autosave.changed(card);
  return digits.expectNext(cards.current());
};

export const toggleRequired = () => {
  const card = cards.current();
  card.querySelector("[name$=required_subreddit]").click();
};

export const note = () => {
  if (!isWritable()) return;
  const more = cards.current().querySelector(".card-more");
  more.open = true;
  more.querySelector("textarea").focus();
};

// ── Guidelines, flags, skipping, going back ──────────────────────────────────
export const openDialog = (name) => document.getElementById(name).showModal();

export const guidelines = async () => {
  const body = document.getElementById("guidelines-body"), number = workspace().dataset.guideline;
  openDialog("guidelines");
  if (body.dataset.number === number) return;
  try {
    body.innerHTML = await (await get(`/guidelines/${number}/`, { headers: { "HX-Request": "true" } })).text();
    body.dataset.number = number;
  } catch (error) {
    body.textContent = error.message;
  }
};

export const flag = (comment) => {
  const form = document.getElementById("flag-form");
  form.reset();
  form.elements.comment.value = comment?.dataset.comment ?? "";
  document.querySelector("[data-flag-what]").textContent = comment ? "this comment" : "this profile";
  document.querySelector("[data-flag-problem]").textContent = "";
  openDialog("flag");
};

export const skip = () => {
  const menu = document.getElementById("skip");
  if (!menu) return notify("This profile can’t be skipped.");
  menu.showPopover();
  return menu.querySelector("input").focus();
};

export const back = () => {
  const link = document.getElementById("previous-profile");
  return link ? link.click() : notify("There is no earlier profile.");
};

export const sendFlag = async (form) => {
  try {
    const { said } = await (await whileSignedIn(() => post(at("flag/"), new URLSearchParams(new FormData(form))))).json();
    form.closest("dialog").close();
    tell("success", said);
  } catch (error) {
    document.querySelector("[data-flag-problem]").textContent = error.message;
  }
};
