// From one profile to the next: the next one is got ready while this one is labelled.
import { at, get, isWritable, post, say, seat, tell } from "./api.js";
import { firstRefused, flush, isPending } from "./autosave.js";
import { attributeOf, cardOf, cards, enter, show, version } from "./cards.js";
import { whileSignedIn } from "./sign_in.js";
import { soFar } from "./time.js";

let ready = null, begin = () => {}, busy = false;
export const onArrival = (call) => { begin = call; };

export const prepare = async () => {
  const from = seat();
  ready = null;
  if (!isWritable()) return;
  try {
    const response = await get(at("next/"));
    if (response.status === 204) return;
    const holder = document.createElement("template");
    holder.innerHTML = await response.text();
    if (from === seat()) ready = holder.content.querySelector("#seat");
  } catch { /* then the next page is loaded when it is needed */ }
};

const sealed = () => {
  const fields = new URLSearchParams(soFar());
  for (const card of cards()) fields.set(`${attributeOf(card)}-version`, version(card));
  return fields;
};

export const submit = async ({ nothing = false } = {}) => {
  if (busy || !isWritable()) return;
  busy = true;
  document.querySelector(".label-bar [data-do=submit]")?.setAttribute("aria-busy", "true");
  try {
    if (await kept()) await trySubmit(nothing);
  } finally {
    busy = false;
    document.querySelector(".label-bar [data-do=submit]")?.removeAttribute("aria-busy");
  }
};

const kept = async () => {
  if (isPending()) await flush();
  if (firstRefused()) return stuck(cardOf(firstRefused()));
  if (!isPending()) return true;
  if (document.getElementById("save-state").dataset.save === "offline") tell("warning", "You are offline. Your answers are kept in this browser. Submit when the connection is back.");
  return false;
};

const stuck = (card) => {
  enter(card);
  tell("error", "Not submitted yet. A card could not be saved; it says why.");
  return false;
};

const trySubmit = async (nothing) => {
  const fields = sealed();
  if (nothing) fields.set("nothing", "yes");
  try {
    const { next } = await (await whileSignedIn(() => post(at("submit/"), fields))).json();
    go(next, "Submitted");
  } catch (error) {
    explain(error);
  }
};

const explain = (error) => {
  if (error.body?.nothing) return document.getElementById("nothing").showModal();
  if (error.body?.problems) return point(error.body.problems);
  if (error.body?.theirs) return tell("error", `${error.message} Reload the page to see it, then submit.`);
  return tell(error.status ? "error" : "warning", error.status ? error.message : "You are offline. Your answers are kept. Submit when the connection is back.");
};

const point = (problems) => {
  for (const [attribute, problem] of Object.entries(problems)) show(cardOf(attribute), "incomplete", problem, "");
  const [[first, problem]] = Object.entries(problems);
  enter(cardOf(first));
  tell("error", `Not submitted yet. ${Object.keys(problems).length > 1 ? "Some cards are" : "A card is"} not complete.`);
  say(problem);
};

const go = (url, done) => {
  const waitingThere = ready && url === `/assignments/${ready.dataset.assignment}/`;
  if (!waitingThere) return location.assign(url);
  seat().replaceWith(ready);
  ready = null;
  history.pushState({}, "", url);
  document.title = `${seat().dataset.title} · Telltale`;
  begin();
  document.getElementById("reading").focus({ preventScroll: true });
  return say(`${done}. Next profile: ${seat().dataset.title}.`);
};

export const skip = async () => {
  const form = document.getElementById("answers");
  const fields = new URLSearchParams({ reason: form.elements.reason?.value ?? "", remark: form.elements.remark?.value ?? "" });
  await flush();
  try {
    const { next } = await (await whileSignedIn(() => post(at("skip/"), fields))).json();
    go(next, "Skipped");
  } catch (error) {
    document.getElementById("skip-problem").textContent = error.message;
  }
};

addEventListener("popstate", () => location.reload());
