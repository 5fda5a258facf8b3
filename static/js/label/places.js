// Place suggestions: a list below the field, navigated with the arrow keys. Free text stays possible.
import { get } from "./api.js";
import { changed } from "./autosave.js";

const PAUSE = 100;
let timer = 0, latest = 0;

const list = (input) => document.getElementById(input.getAttribute("aria-controls"));
const options = (input) => [...list(input).children];
const active = (input) => options(input).find((option) => option.ariaSelected === "true");
export const isOpen = (input) => input.getAttribute("aria-expanded") === "true";

export const close = (input) => {
  list(input).hidden = true;
  input.setAttribute("aria-expanded", "false");
  input.removeAttribute("aria-activedescendant");
};

// Close the list first: its suggestions belong to an earlier text and must not be chosen any more.
export const suggest = (input) => {
  clearTimeout(timer);
  close(input);
  const typed = input.value.trim(), number = (latest += 1);
  if (typed) timer = setTimeout(() => fetchPlaces(input, typed, number), PAUSE);
};

const fetchPlaces = async (input, typed, number) => {
  try {
    const { places } = await (await get(`/places/?${new URLSearchParams({ typed })}`)).json();
    if (number === latest && document.activeElement === input) show(input, places.filter((place) => place !== typed));
  } catch { /* no suggestions without the server; the typed text stays */ }
};

const show = (input, places) => {
  if (!places.length) return close(input);
  list(input).replaceChildren(...places.map((place, index) => createOption(input, place, index)));
  list(input).hidden = false;
  return input.setAttribute("aria-expanded", "true");
};

const createOption = (input, place, index) => {
  const option = Object.assign(document.createElement("li"), { id: `${list(input).id}-${index}`, textContent: place });
  option.setAttribute("role", "option");
  option.setAttribute("aria-selected", "false");
  return option;
};

export const choose = (input, option) => {
  clearTimeout(timer);
  latest += 1;
  input.value = option.textContent;
  close(input);
  changed(input.closest(".card-of"));
};

// Returns true if the key was meant for the list.
export const handleKey = (input, event) => {
  if (!isOpen(input)) return false;
  const all = options(input), now = all.indexOf(active(input));
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    const next = all[(now + (event.key === "ArrowDown" ? 1 : all.length - (now < 0 ? 0 : 1)) + all.length) % all.length];
    for (const option of all) option.setAttribute("aria-selected", String(option === next));
    input.setAttribute("aria-activedescendant", next.id);
    next.scrollIntoView({ block: "nearest" });
  } else if (event.key === "Enter" && now >= 0) {
    choose(input, all[now]);
    input.blur(); // so that the next key is a command again
  } else if (event.key === "Escape") close(input);
  else return false;
  event.preventDefault();
  return true;
};
