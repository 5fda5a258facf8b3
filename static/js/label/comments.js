// The comments, a block at a time. What is near the window is there; what is far away is an empty box of its height.
import { at, get, seat } from "./api.js";

const NEAR = "1200px 0px", FAR = 6, KEPT = 14;
let blocks = [], size = 50, total = 0, observer = null, settling = 0, tall = 0;
const loading = new Map();

const pane = () => document.getElementById("reading");
const list = () => document.getElementById("comments");
const filter = () => new URLSearchParams([...new FormData(document.getElementById("filter"))].filter(([, value]) => value));
export const isFiltered = () => filter().size > 0;
export const words = () => filter().get("q") ?? "";
export const blockCount = () => blocks.length;
export const blockAt = (position) => Math.floor(position / size);
export const blockOf = (element) => blocks.indexOf(element.closest(".block"));
export const isLoaded = (index) => !blocks[index].classList.contains("waiting");
export const positionOf = (comment) => {
  const block = comment.closest(".block");
  return Number(block.dataset.first) + [...block.querySelectorAll(".comment")].indexOf(comment);
};

const parsed = (html) => {
  const holder = document.createElement("template");
  holder.innerHTML = html;
  return holder.content.querySelector(".block, .comment");
};

const empty = (first) => {
  const box = document.createElement("div");
  box.className = "block waiting";
  box.dataset.first = first;
  box.style.height = `${tall}px`;
  return box;
};

// Lays out all blocks around the one that came with the page.
export const begin = () => {
  observer?.disconnect();
  loading.clear();
  const there = list().querySelector(".block");
  [total, size] = [Number(list().dataset.total), Number(list().dataset.size)];
  tall = total > size ? Math.max(there.offsetHeight, 400) : 400;
  blocks = Array.from({ length: Math.ceil(total / size) }, (_, n) => (there && Number(there.dataset.first) === n * size ? there : empty(n * size)));
  there?.before(...blocks.slice(0, blocks.indexOf(there)));
  there?.after(...blocks.slice(blocks.indexOf(there) + 1));
  watch();
};

const STACKED = matchMedia("(width < 44rem)"); // then the page scrolls, not the pane

const watch = () => {
  const root = STACKED.matches ? null : pane();
  observer = new IntersectionObserver(seen, { root, rootMargin: NEAR });
  for (const block of blocks) observer.observe(block);
};

const seen = (entries) => {
  for (const { target, isIntersecting } of entries) target.toggleAttribute("data-near", isIntersecting);
  clearTimeout(settling);
  settling = setTimeout(fetchNear, 40); // whoever scrolls past does not ask for all that was passed
};

const fetchNear = async () => {
  const near = blocks.flatMap((block, index) => (block.hasAttribute("data-near") ? [index] : []));
  await Promise.all(near.map((index) => load(index).catch(() => {})));
  if (near.length) forgetFar(near[0], near.at(-1));
};

// Only so many blocks stay: twenty thousand comments must not weigh more than a thousand do.
const forgetFar = (first, last) => {
  const there = blocks.flatMap((block, index) => (isLoaded(index) ? [index] : []));
  if (there.length <= KEPT) return;
  for (const index of there) if (index < first - FAR || index > last + FAR) replace(index, sized(blocks[index]));
};

const sized = (block) => {
  const box = empty(block.dataset.first);
  box.style.height = `${block.offsetHeight}px`;
  return box;
};

const replace = (index, element) => {
  const before = blocks[index];
  observer.unobserve(before);
  element.toggleAttribute("data-near", before.hasAttribute("data-near"));
  before.replaceWith(element);
  blocks[index] = element;
  observer.observe(element);
  steady();
};

// What somebody jumped to stays in sight while blocks around it come and change their height; until they scroll.
let held = null;
for (const kind of ["wheel", "touchmove", "pointerdown", "keydown"]) addEventListener(kind, () => { held = null; }, { capture: true, passive: true });
const steady = () => requestAnimationFrame(() => { if (held?.isConnected) held.closest(".comment").scrollIntoView({ block: "nearest" }); });

export const load = (index) => {
  if (isLoaded(index)) return Promise.resolve(blocks[index]);
  if (!loading.has(index)) loading.set(index, fetchBlock(index).finally(() => loading.delete(index)));
  return loading.get(index);
};

const fetchBlock = async (index) => {
  const asked = blocks, query = filter();
  query.set("first", index * size);
  const html = await (await get(`${at("comments/")}?${query}`)).text();
  if (asked === blocks && !isLoaded(index)) replace(index, parsed(html));
  return blocks[index];
};

// A comment anew, after something in it was marked; only where it is on the page.
export const renew = async (comments) => {
  for (const comment of new Set(comments)) {
    if (!document.getElementById(`comment-${comment}`)) continue;
    const html = await (await get(`${at(`comments/${comment}/`)}?${filter()}`)).text();
    const old = document.getElementById(`comment-${comment}`);
    if (old) renewOne(old, parsed(html));
  }
};

const MARKS = ".mark:not(.mark-on)";

// Whoever walks through the marks is still at the same one afterwards, and the focus stays.
const renewOne = (old, fresh) => {
  const now = [...old.querySelectorAll(MARKS)].findIndex((mark) => mark.hasAttribute("aria-current"));
  if (old.hasAttribute("aria-current")) fresh.setAttribute("aria-current", "true");
  if (now >= 0) fresh.querySelectorAll(MARKS)[now]?.setAttribute("aria-current", "true");
  const isFocused = old === document.activeElement;
  old.replaceWith(fresh);
  if (isFocused) fresh.focus({ preventScroll: true });
};

// Where the reader is: at a comment, or at something marked in it.
export const setCurrent = (element) => {
  for (const one of document.querySelectorAll("#comments [aria-current]")) one.removeAttribute("aria-current");
  const comment = element.closest(".comment") ?? element;
  for (const one of [comment, element]) one.setAttribute("aria-current", "true");
  return comment;
};

export const show = (element) => {
  const comment = setCurrent(element);
  element.scrollIntoView({ block: element === comment ? "nearest" : "center" });
  comment.focus({ preventScroll: true });
  held = comment;
};

export const goTo = async (position) => {
  const block = await load(blockAt(position));
  const comment = block.querySelectorAll(".comment")[position % size];
  if (!comment) return comment;
  show(comment);
  comment.scrollIntoView({ block: "center" });
  return comment;
};

// ── The filter ───────────────────────────────────────────────────────────────
// What is shown already is not asked for again; whoever walks waits for what is on its way.
let underway = Promise.resolve();
export const settled = () => underway;

export const narrow = () => {
  const query = String(filter());
  if (list().dataset.query === query) return underway;
  list().dataset.query = query;
  underway = narrowTo(query).catch((error) => { delete list().dataset.query; throw error; });
  return underway;
};

const narrowTo = async (query) => {
  const here = seat();
  const html = await (await get(`${at("comments/")}?${query}`)).text();
  if (here !== seat() || query !== String(filter())) return; // asked again meanwhile
  const first = parsed(html);
  list().dataset.total = first.dataset.total;
  list().replaceChildren(first);
  const many = Number(first.dataset.total);
  document.getElementById("shown-count").textContent = `${many.toLocaleString("en").replaceAll(",", "\u202f")} comment${many === 1 ? "" : "s"}`;
  list().classList.toggle("is-empty", many === 0);
  begin();
};
