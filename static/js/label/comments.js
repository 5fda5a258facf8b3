// The comments, a block at a time. Blocks near the viewport are loaded; the others are empty boxes of the same height.
import { at, get, workspace } from "./api.js";

const NEAR = "1200px 0px", FAR = 6, MAX_LOADED = 14;
let blocks = [], size = 50, total = 0, observer = null, scrollTimer = 0, height = 0;
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

const parse = (html) => {
  const holder = document.createElement("template");
  holder.innerHTML = html;
  return holder.content.querySelector(".block, .comment");
};

const empty = (first) => {
  const box = document.createElement("div");
  box.className = "block waiting";
  box.dataset.first = first;
  box.style.height = `${height}px`;
  return box;
};

// Create empty blocks around the one that came with the page.
export const begin = () => {
  observer?.disconnect();
  loading.clear();
  const loaded = list().querySelector(".block");
  [total, size] = [Number(list().dataset.total), Number(list().dataset.size)];
  height = total > size ? Math.max(loaded.offsetHeight, 400) : 400;
  blocks = Array.from({ length: Math.ceil(total / size) }, (_, n) => (loaded && Number(loaded.dataset.first) === n * size ? loaded : empty(n * size)));
  loaded?.before(...blocks.slice(0, blocks.indexOf(loaded)));
  loaded?.after(...blocks.slice(blocks.indexOf(loaded) + 1));
  watch();
};

const STACKED = matchMedia("(width < 44rem)"); // then the page scrolls, not the pane

const watch = () => {
  const root = STACKED.matches ? null : pane();
  observer = new IntersectionObserver(onIntersect, { root, rootMargin: NEAR });
  for (const block of blocks) observer.observe(block);
};

const onIntersect = (entries) => {
  for (const { target, isIntersecting } of entries) target.toggleAttribute("data-near", isIntersecting);
  clearTimeout(scrollTimer);
  scrollTimer = setTimeout(loadNear, 40); // scrolling past blocks does not load them all
};

const loadNear = async () => {
  const near = blocks.flatMap((block, index) => (block.hasAttribute("data-near") ? [index] : []));
  await Promise.all(near.map((index) => load(index).catch(() => {})));
  if (near.length) unloadFar(near[0], near.at(-1));
};

// Keep few blocks in the page, so that 20,000 comments weigh no more than 1,000.
const unloadFar = (first, last) => {
  const loaded = blocks.flatMap((block, index) => (isLoaded(index) ? [index] : []));
  if (loaded.length <= MAX_LOADED) return;
  for (const index of loaded) if (index < first - FAR || index > last + FAR) replace(index, emptyLike(blocks[index]));
};

const emptyLike = (block) => {
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
  keepInView();
};

// Keep the target of a jump in view while blocks around it load and change height, until the person scrolls.
let anchor = null;
for (const kind of ["wheel", "touchmove", "pointerdown", "keydown"]) addEventListener(kind, () => { anchor = null; }, { capture: true, passive: true });
const keepInView = () => requestAnimationFrame(() => { if (anchor?.isConnected) anchor.closest(".comment").scrollIntoView({ block: "nearest" }); });

export const load = (index) => {
  if (isLoaded(index)) return Promise.resolve(blocks[index]);
  if (!loading.has(index)) loading.set(index, fetchBlock(index).finally(() => loading.delete(index)));
  return loading.get(index);
};

const fetchBlock = async (index) => {
  const blocksThen = blocks, query = filter();
  query.set("first", index * size);
  const html = await (await get(`${at("comments/")}?${query}`)).text();
  if (blocksThen === blocks && !isLoaded(index)) replace(index, parse(html));
  return blocks[index];
};

// Fetch comments again after their evidence changed, if they are on the page.
export const refresh = async (comments) => {
  for (const comment of new Set(comments)) {
    if (!document.getElementById(`comment-${comment}`)) continue;
    const html = await (await get(`${at(`comments/${comment}/`)}?${filter()}`)).text();
    const old = document.getElementById(`comment-${comment}`);
    if (old) replaceComment(old, parse(html));
  }
};

const MARKS = ".mark:not(.mark-on)";

// Keep the current mark and the focus.
const replaceComment = (old, fresh) => {
  const current = [...old.querySelectorAll(MARKS)].findIndex((mark) => mark.hasAttribute("aria-current"));
  if (old.hasAttribute("aria-current")) fresh.setAttribute("aria-current", "true");
  if (current >= 0) fresh.querySelectorAll(MARKS)[current]?.setAttribute("aria-current", "true");
  const isFocused = old === document.activeElement;
  old.replaceWith(fresh);
  if (isFocused) fresh.focus({ preventScroll: true });
};

// Mark a comment, or something inside it, as the current position.
export const setCurrent = (element) => {
  for (const element of document.querySelectorAll("#comments [aria-current]")) element.removeAttribute("aria-current");
  const comment = element.closest(".comment") ?? element;
  for (const current of [comment, element]) current.setAttribute("aria-current", "true");
  return comment;
};

export const show = (element) => {
  const comment = setCurrent(element);
  element.scrollIntoView({ block: element === comment ? "nearest" : "center" });
  comment.focus({ preventScroll: true });
  anchor = comment;
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
// The same filter is not requested twice; navigation waits until the request is done.
let pending = Promise.resolve();
export const ready = () => pending;

export const applyFilter = () => {
  const query = String(filter());
  if (list().dataset.query === query) return pending;
  list().dataset.query = query;
  pending = fetchFiltered(query).catch((error) => { delete list().dataset.query; throw error; });
  return pending;
};

const fetchFiltered = async (query) => {
  const here = workspace();
  const html = await (await get(`${at("comments/")}?${query}`)).text();
  if (here !== workspace() || query !== String(filter())) return; // superseded by a newer request
  const first = parse(html);
  list().dataset.total = first.dataset.total;
  list().replaceChildren(first);
  const count = Number(first.dataset.total);
  document.getElementById("shown-count").textContent = `${count.toLocaleString("en").replaceAll(",", "\u202f")} comment${count === 1 ? "" : "s"}`;
  list().classList.toggle("is-empty", count === 0);
  begin();
};
