// The comments beside a decision: jumps to evidence, and walking through the evidence for one attribute.

const pane = document.getElementById("reading");
const comments = document.getElementById("comments");
const walkState = document.getElementById("walk-state");
const DETECTIONS = "telltale:adjudication-detections";
let links = []; // the evidence for the attribute in question, in reading order
let current = -1;

// On a narrow screen the panes are stacked and the page scrolls: then only a click moves it.
const scrollsAlone = () => getComputedStyle(pane).overflowY !== "visible";
const inOrder = (a, b) => a.dataset.rank - b.dataset.rank || a.dataset.start - b.dataset.start;

const load = async (comment) => {
  const url = `${pane.dataset.blockUrl}${location.search || "?"}&comment=${comment}&first=`;
  await htmx.ajax("GET", url, { target: "#comments", swap: "innerHTML" });
};

const commentOf = async (link) => {
  const id = `comment-${link.dataset.comment}`;
  if (!document.getElementById(id)) await load(link.dataset.comment);
  return document.getElementById(id);
};

// A person may have cited several spans of a comment: the first link belongs to the first of them.
const spanOf = (link, comment) => {
  const { about } = pane.dataset, { person } = link.dataset;
  const starts = comment.querySelectorAll(`.person-${person}.starts-${about}`);
  const own = links.filter(({ dataset }) => dataset.comment === link.dataset.comment && dataset.person === person);
  return starts[own.indexOf(link)] ?? starts[0] ?? comment;
};

const mark = (...elements) => {
  for (const element of comments.querySelectorAll("[aria-current]")) element.removeAttribute("aria-current");
  for (const element of elements) element.setAttribute("aria-current", "true");
};

const tell = (link) => {
  const count = links.length;
  if (!count) walkState.textContent = "No evidence";
  else walkState.textContent = link ? `${link.dataset.by}: ${current + 1} of ${count}` : `Evidence: ${count}`;
  for (const button of document.querySelectorAll("[data-walk]")) button.disabled = !count;
};

const jump = async (link) => {
  current = links.indexOf(link);
  tell(link);
  const comment = await commentOf(link);
  if (!comment || links[current] !== link) return; // another jump was faster
  const span = spanOf(link, comment);
  mark(comment, span);
  span.scrollIntoView({ block: "center" });
};

// Emphasise the evidence for this attribute, and show the first piece of it.
export const ask = (card) => {
  if (!card || (pane.dataset.about === card.id && links.length)) return;
  pane.dataset.about = card.id;
  links = [...card.querySelectorAll(".jump")].sort(inOrder);
  current = -1;
  if (links.length && scrollsAlone()) jump(links[0]);
  else tell();
};

export const walk = (step) => {
  if (links.length) jump(links[(current + step + links.length) % links.length]);
  return true;
};

for (const button of document.querySelectorAll("[data-walk]")) button.addEventListener("click", () => walk(Number(button.dataset.walk)));

document.addEventListener("click", (event) => {
  const link = event.target.closest(".jump");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  ask(link.closest(".case, .case-agreed"));
  jump(link);
});

// What is inserted above must not move what is being read. The browser would correct it only below the very top.
let heightBefore = 0;
const setAnchor = (value) => { pane.style.overflowAnchor = value; };
comments.addEventListener("htmx:beforeSwap", ({ target }) => {
  heightBefore = target.matches(".earlier") ? pane.scrollHeight : 0;
  if (heightBefore) setAnchor("none");
});
comments.addEventListener("htmx:afterSwap", () => {
  if (heightBefore && scrollsAlone()) pane.scrollTop += pane.scrollHeight - heightBefore;
  heightBefore = 0;
  requestAnimationFrame(() => setAnchor(""));
});

const detections = document.getElementById("show-detections");
detections.checked = localStorage.getItem(DETECTIONS) === "yes";
detections.addEventListener("change", () => localStorage.setItem(DETECTIONS, detections.checked ? "yes" : "no"));
