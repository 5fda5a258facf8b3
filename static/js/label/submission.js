// Submit or skip a profile and move to the next one, which is prefetched while this one is labelled.
import { at, get, isWritable, post, say, workspace, tell } from "./api.js";
import { decide, firstRefused, flush, isClosed, isPending } from "./autosave.js";
import { attributeOf, cardOf, cards, enter, enterGap, nameOf, show, version } from "./cards.js";
import { expectNext } from "./digits.js";
import { whileSignedIn } from "./sign_in.js";
import { elapsed } from "./time.js";

let prefetched = null, begin = () => {}, busy = false;
export const onNextProfile = (callback) => { begin = callback; };

export const prepare = async () => {
  const from = workspace();
  prefetched = null;
  if (!isWritable()) return;
  try {
    const response = await get(at("next/"));
    if (response.status === 204) return;
    const holder = document.createElement("template");
    holder.innerHTML = await response.text();
    if (from === workspace()) prefetched = holder.content.querySelector("#workspace");
  } catch { /* the next page is then loaded when it is needed */ }
};

const submissionFields = () => {
  const fields = new URLSearchParams(elapsed());
  for (const card of cards()) fields.set(`${attributeOf(card)}-version`, version(card));
  return fields;
};

export const submit = async ({ nothing = false } = {}) => {
  if (busy || !isWritable()) return;
  busy = true;
  document.querySelector(".label-bar [data-do=submit]")?.setAttribute("aria-busy", "true");
  try {
    if (await saveAll()) await trySubmit(nothing);
  } finally {
    busy = false;
    document.querySelector(".label-bar [data-do=submit]")?.removeAttribute("aria-busy");
  }
};

const saveAll = async () => {
  if (isPending()) await flush();
  if (isClosed()) { decide(); return false; }
  if (firstRefused()) return reportUnsaved(cardOf(firstRefused()));
  if (!isPending()) return true;
  if (document.getElementById("save-state").dataset.save === "offline") tell("warning", "You are offline. Your answers are kept in this browser. Submit when the connection is back.");
  return false;
};

const reportUnsaved = (card) => {
  enter(card);
  tell("error", "Not submitted yet: a card couldn’t be saved. It says why.");
  return false;
};

const trySubmit = async (nothing) => {
  const fields = submissionFields();
  if (nothing) fields.set("nothing", "yes");
  try {
    const { next } = await (await whileSignedIn(() => post(at("submit/"), fields))).json();
    goTo(next, "Submitted");
  } catch (error) {
    reportError(error);
  }
};

const reportError = (error) => {
  if (error.body?.nothing) return document.getElementById("nothing").showModal();
  if (error.body?.problems) return showProblems(error.body.problems);
  if (error.body?.theirs) return tell("error", `${error.message} Reload the page to see it, then submit.`);
  return tell(error.status ? "error" : "warning", error.status ? error.message : "You are offline. Your answers are kept. Submit when the connection is back.");
};

const showProblems = (problems) => {
  for (const [attribute, problem] of Object.entries(problems)) {
    show(cardOf(attribute), "incomplete", problem, "");
    cardOf(attribute).classList.add("is-refused");
  }
  const [[first, problem]] = Object.entries(problems);
  enterGap(cardOf(first), problem);
  expectNext(cardOf(first)); // digits fill the gap, and do not open other cards
  tell("error", `Not submitted yet. ${Object.entries(problems).map(([attribute, problem]) => `${nameOf(cardOf(attribute))}: ${problem}`).join(" ")}`);
};

const goTo = (url, action) => {
  const isPrefetched = prefetched && url === `/assignments/${prefetched.dataset.assignment}/`;
  if (!isPrefetched) return location.assign(url);
  workspace().replaceWith(prefetched);
  prefetched = null;
  history.pushState({}, "", url);
  document.title = `${workspace().dataset.title} · Telltale`;
  begin();
  document.getElementById("reading").focus({ preventScroll: true });
  return say(`${action}. Next profile: ${workspace().dataset.title}.`);
};

export const skip = async () => {
  const form = document.getElementById("answers");
  const fields = new URLSearchParams({ reason: form.elements.reason?.value ?? "", remark: form.elements.remark?.value ?? "" });
  if (!(await saveAll())) return;
  try {
    const { next } = await (await whileSignedIn(() => post(at("skip/"), fields))).json();
    goTo(next, "Skipped");
  } catch (error) {
    document.getElementById("skip-problem").textContent = error.message;
  }
};

addEventListener("popstate", () => location.reload());
