// Type-ahead for places: a list under the field, to be walked with the arrows. Free text stays possible.
import { get } from "./api.js";
import { changed } from "./autosave.js";

const PAUSE = 100;
let timer = 0, latest = 0;

const list = (input) => document.getElementById(input.getAttribute("aria-controls"));
const options = (input) => [...list(input).children];
const active = (input) => options(input).find((one) => one.ariaSelected === "true");
export const isOpen = (input) => input.getAttribute("aria-expanded") === "true";

export const close = (input) => {
  list(input).hidden = true;
  input.setAttribute("aria-expanded", "false");
  input.removeAttribute("aria-activedescendant");
};

// Whatever was offered or asked for before belongs to other words: it must not be chosen in their place.
export const typed = (input) => {
  clearTimeout(timer);
  close(input);
  const typed = input.value.trim(), number = (latest += 1);
  if (typed) timer = setTimeout(() => ask(input, typed, number), PAUSE);
};

const ask = async (input, typed, number) => {
  try {
    const { places } = await (await get(`/places/?${new URLSearchParams({ typed })}`)).json();
    if (number === latest && document.activeElement === input) offer(input, places.filter((place) => place !== typed));
  } catch { /* without a server there are no suggestions; what was typed stays */ }
};

const offer = (input, places) => {
  if (!places.length) return close(input);
  list(input).replaceChildren(...places.map((place, index) => option(input, place, index)));
  list(input).hidden = false;
  return input.setAttribute("aria-expanded", "true");
};

const option = (input, place, index) => {
  const made = Object.assign(document.createElement("li"), { id: `${list(input).id}-${index}`, textContent: place });
  made.setAttribute("role", "option");
  made.setAttribute("aria-selected", "false");
  return made;
};

export const choose = (input, option) => {
  clearTimeout(timer);
  latest += 1;
  input.value = option.textContent;
  close(input);
  changed(input.closest(".card-of"));
};

// True: the key was for the list.
export const key = (input, event) => {
  if (!isOpen(input)) return false;
  const all = options(input), now = all.indexOf(active(input));
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    const next = all[(now + (event.key === "ArrowDown" ? 1 : all.length - (now < 0 ? 0 : 1)) + all.length) % all.length];
    for (const one of all) one.setAttribute("aria-selected", String(one === next));
    input.setAttribute("aria-activedescendant", next.id);
    next.scrollIntoView({ block: "nearest" });
  } else if (event.key === "Enter" && now >= 0) {
    choose(input, all[now]);
    input.blur(); // chosen: the next key is a command again
  } else if (event.key === "Escape") close(input);
  else return false;
  event.preventDefault();
  return true;
};
