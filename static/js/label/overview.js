// The overview can be folded, and comments can be shown as they were written. Both choices are remembered.
const FOLDED = "telltale:overview-folded", AS_WRITTEN = "telltale:as-written";
const SMALL = matchMedia("(width <= 60rem)");
const isFolded = () => (localStorage.getItem(FOLDED) ?? (SMALL.matches ? "yes" : "no")) === "yes";

const show = () => {
  document.getElementById("overview").hidden = isFolded();
  document.querySelector("[data-do=fold-overview]").setAttribute("aria-expanded", String(!isFolded()));
};

export const toggle = () => {
  localStorage.setItem(FOLDED, isFolded() ? "no" : "yes");
  show();
};

export const showAsWritten = (on) => {
  localStorage.setItem(AS_WRITTEN, on ? "yes" : "no");
  document.getElementById("comments").classList.toggle("as-written", on);
};

export const begin = () => {
  show();
  const on = localStorage.getItem(AS_WRITTEN) === "yes";
  document.getElementById("as-written").checked = on;
  document.getElementById("comments").classList.toggle("as-written", on);
};
