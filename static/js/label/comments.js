// The comments, a block at a time. Blocks near the viewport are loaded; the others are empty boxes of the same height.
import { at, get, workspace } from "./api.js";
import { keepSelection } from "./kept_selection.js";

const NEAR = "1200px 0px", FAR = 6, MAX_LOADED = 14;
let blocks = [], size = 50, total = 0, observer = null, scrollTimer = 0, height = 0;
const loading = new Map();

export const pane = () => document.getElementById("reading");
const list = () => document.getElementById("comments");
export const here = () => list().querySelector(".comment[aria-current]");
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
  resized.disconnect();
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
  resized.observe(list());
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
  const before = blocks[index], keepStill = holdStill(before);
  observer.unobserve(before);
  element.toggleAttribute("data-near", before.hasAttribute("data-near"));
  before.replaceWith(element);
  blocks[index] = element;
  observer.observe(element);
  keepStill();
};

// What is on screen stays where it is while a block is replaced by a higher or lower one: the target of a jump, or what
// one reads. Browsers do that, too, but not if the block itself is partly on screen.
const holdStill = (block) => {
  if (anchor) return keepInView;
  const comment = firstVisible(block);
  if (!comment || !isOnScreen(comment)) return () => {};
  const offset = offsetOf(comment);
  return () => { if (comment.isConnected) pane().scrollTop += offsetOf(comment) - offset; };
};

// Keep the target of a jump where it is while blocks around it load and change height, until the person scrolls.
let anchor = null;
for (const kind of ["wheel", "touchmove", "pointerdown", "keydown"]) addEventListener(kind, () => { anchor = null; }, { capture: true, passive: true });
const keepInView = () => requestAnimationFrame(() => {
  if (!anchor?.comment.isConnected) return;
  if (anchor.offset === null) anchor.comment.scrollIntoView({ block: "nearest" });
  else pane().scrollTop += offsetOf(anchor.comment) - anchor.offset;
});

const resized = new ResizeObserver(keepInView); // whatever made comments taller or shorter

export const load = (index) => {
  if (isLoaded(index)) return Promise.resolve(blocks[index]);
  if (!loading.has(index)) loading.set(index, fetchBlock(index).finally(() => loading.delete(index)));
  return loading.get(index);
};

const fetchBlock = async (index) => {
  const blocksThen = blocks, asked = query();
  asked.set("first", index * size);
  const html = await (await get(`${at("comments/")}?${asked}`)).text();
  if (blocksThen !== blocks || isLoaded(index)) return blocks[index];
  if (asked.get("q") !== query().get("q")) return fetchBlock(index); // other words were typed since
  replace(index, parse(html));
  return blocks[index];
};

// Fetch comments again after their evidence changed, if they are on the page.
export const refresh = async (comments) => {
  for (const comment of new Set(comments)) {
    if (!document.getElementById(`comment-${comment}`)) continue;
    const html = await (await get(`${at(`comments/${comment}/`)}?${query()}`)).text();
    const old = document.getElementById(`comment-${comment}`);
    if (old) replaceComment(old, parse(html));
  }
};

const KINDS = [".mark:not(.mark-on)", ".hit:not(.hit-on)"];

// What is current in a comment: returns a function that makes the same current in a fresh copy of it.
const keepCurrent = (old) => {
  if (!old?.hasAttribute("aria-current")) return () => {};
  const found = KINDS.map((kind) => [kind, [...old.querySelectorAll(kind)].findIndex((element) => element.hasAttribute("aria-current"))]);
  return (fresh) => {
    fresh?.setAttribute("aria-current", "true");
    for (const [kind, index] of found) if (index >= 0) fresh?.querySelectorAll(kind)[index]?.setAttribute("aria-current", "true");
  };
};

// Keep the current mark, the focus, and the words that are being selected.
const replaceComment = (old, fresh) => {
  keepCurrent(old)(fresh);
  const isFocused = old === document.activeElement, select = keepSelection(old);
  old.replaceWith(fresh);
  select(fresh);
  if (isFocused) fresh.focus({ preventScroll: true });
};

// Mark a comment, or something inside it, as the current position.
export const setCurrent = (element) => {
  for (const element of document.querySelectorAll("#comments [aria-current]")) element.removeAttribute("aria-current");
  const comment = element.closest(".comment") ?? element;
  for (const current of [comment, element]) current.setAttribute("aria-current", "true");
  return comment;
};

export const show = (element, { focus = true } = {}) => {
  const comment = setCurrent(element);
  element.scrollIntoView({ block: element === comment ? "nearest" : "center" });
  if (focus) comment.focus({ preventScroll: true });
  anchor = { comment, offset: null };
  keepInView();
};

export const commentAt = async (position) => (await load(blockAt(position))).querySelectorAll(".comment")[position % size];

export const goTo = async (position) => {
  const comment = await commentAt(position);
  if (!comment) return comment;
  show(comment);
  comment.scrollIntoView({ block: "center" });
  return comment;
};

// ── Where the person is: a comment, its position, and how far below the top of the pane it starts ──
const offsetOf = (comment) => Math.round(comment.getBoundingClientRect().top - (STACKED.matches ? 0 : pane().getBoundingClientRect().top));

// The first block may still be empty; then a comment of the next.
const firstVisible = (except) => {
  const top = pane().getBoundingClientRect().top;
  const near = blocks.filter((block) => block !== except && block.getBoundingClientRect().bottom > top).slice(0, 2);
  return near.flatMap((block) => [...block.querySelectorAll(".comment")]).find((comment) => offsetOf(comment) + comment.offsetHeight > 0);
};

export const visibleComment = () => here() ?? firstVisible();

const placeOf = (comment) => comment && { comment: Number(comment.dataset.comment), position: positionOf(comment), offset: offsetOf(comment) };
export const topPlace = () => placeOf(firstVisible());

const isOnScreen = (comment) => offsetOf(comment) + comment.offsetHeight > 0 && offsetOf(comment) < pane().clientHeight;
export const whereNow = () => placeOf(here() && isOnScreen(here()) ? here() : firstVisible());

// Show a place again. Comments may have been removed since: then what stands there now.
export const returnTo = async ({ comment, position, offset }) => {
  if (blockAt(position) >= blocks.length) return;
  const fallback = await commentAt(position);
  const target = document.getElementById(`comment-${comment}`) ?? fallback;
  if (!target) return;
  anchor = { comment: target, offset };
  pane().scrollTop += offsetOf(target) - offset;
  keepInView();
};

// ── The filter ───────────────────────────────────────────────────────────────
const form = () => document.getElementById("filter");
export const query = () => new URLSearchParams([...new FormData(form())].filter(([, value]) => value));
export const words = () => (query().get("q") ?? "").trim();

// The part of the filter that leaves comments out. Words alone only mark them.
const narrowing = () => {
  const asked = query();
  if (!asked.has("only")) asked.delete("q");
  if (!asked.has("q")) asked.delete("only");
  return asked;
};
export const isNarrowed = () => narrowing().size > 0;

// The same filter is not requested twice; navigation waits until the request is done.
let pending = Promise.resolve();
export const ready = () => pending;

export const applyFilter = () => {
  const asked = String(query());
  if ((list().dataset.query ?? "") === asked) return pending;
  list().dataset.query = asked;
  const isSameList = (list().dataset.narrowing ?? "") === String(narrowing());
  pending = (isSameList ? markAgain() : fetchNarrowed()).catch((error) => { delete list().dataset.query; throw error; });
  return pending;
};

// Other words in the same list: fetch what is near again, and forget the rest.
const markAgain = async () => {
  loading.clear();
  const near = new Set(blocks.flatMap((block, index) => (isLoaded(index) && block.hasAttribute("data-near") ? [index] : [])));
  blocks.forEach((block, index) => { if (isLoaded(index) && !near.has(index)) replace(index, emptyLike(block)); });
  await Promise.all([...near].map(fetchMarked));
};

const fetchMarked = async (index) => {
  const blocksThen = blocks, asked = query();
  asked.set("first", index * size);
  const fresh = parse(await (await get(`${at("comments/")}?${asked}`)).text());
  if (blocksThen !== blocks || asked.get("q") !== query().get("q")) return;
  const current = here();
  if (current && blockOf(current) === index) keepCurrent(current)(fresh.querySelector(`#${current.id}`));
  replace(index, fresh);
};

const fetchNarrowed = async () => {
  const owner = workspace(), asked = query(), place = whereNow(), current = here(), keep = keepCurrent(current);
  const [html, position] = await Promise.all([get(`${at("comments/")}?${asked}`).then((response) => response.text()), positionIn(asked, place)]);
  if (owner !== workspace() || String(asked) !== String(query())) return; // superseded by a newer request
  const first = parse(html);
  [list().dataset.total, list().dataset.narrowing] = [first.dataset.total, String(narrowing())];
  list().replaceChildren(first);
  showNarrowed(Number(first.dataset.total));
  begin();
  pane().scrollTop = 0;
  if (position === null) return;
  await returnTo({ ...place, position });
  if (Number(current?.dataset.comment) === place.comment) keep(document.getElementById(current.id));
};

// Where a comment stands among those that match, or null.
const positionIn = async (asked, place) => {
  if (!place) return null;
  const { places } = await (await get(`${at("places/")}?${new URLSearchParams([...asked, ["comment", place.comment]])}`)).json();
  return places[0]?.[0] ?? null;
};

export const grouped = (number) => Number(number).toLocaleString("en").replaceAll(",", "\u202f");
export const counted = (number) => `${grouped(number)} comment${Number(number) === 1 ? "" : "s"}`;

const showNarrowed = (count) => {
  const notice = isNarrowed() ? `Showing ${grouped(count)} of ${counted(list().dataset.all)}` : "";
  document.getElementById("shown-count").textContent = notice || counted(count);
  form().classList.toggle("is-narrowed", isNarrowed());
  for (const note of document.querySelectorAll("[data-narrowed-note]")) [note.textContent, note.hidden] = [notice, !notice];
  list().classList.toggle("is-empty", count === 0);
};

export const showAll = () => {
  for (const name of ["subreddit", "year"]) form().elements[name].value = "";
  for (const name of ["found", "only"]) form().elements[name].checked = false;
  return applyFilter();
};
