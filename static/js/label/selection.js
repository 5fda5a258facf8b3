// Selected text: a small menu to add it as evidence or look it up. Positions are counted in code points.
import { isWritable, notify, say } from "./api.js";
import { changed } from "./autosave.js";
import { cardOf, current, enter, fill, nameOf, read } from "./cards.js";
import { address } from "./look_up.js";

const menu = () => document.getElementById("selection-menu");
const length = (text) => [...text].length;

// The part of the selection that lies in one comment: { comment, start, end, text }, or null.
const selectedSpan = () => {
  const selection = getSelection();
  if (!selection.rangeCount || selection.isCollapsed) return null;
  const range = selection.getRangeAt(0).cloneRange();
  const written = textOf(range.startContainer) ?? textOf(range.endContainer);
  if (!written) return null;
  if (!written.contains(range.startContainer)) range.setStart(written, 0);
  if (!written.contains(range.endContainer)) range.setEnd(written, written.childNodes.length);
  return spanOf(written, range);
};

const textOf = (node) => (node.nodeType === Node.TEXT_NODE ? node.parentElement : node).closest?.(".written");

const spanOf = (written, range) => {
  const before = document.createRange();
  before.selectNodeContents(written);
  before.setEnd(range.startContainer, range.startOffset);
  const raw = range.toString(), text = raw.trim();
  if (!text) return null;
  const start = length(before.toString()) + length(raw.slice(0, raw.indexOf(text)));
  return { comment: Number(written.closest(".comment").dataset.comment), start, end: start + length(text), text };
};

// A mark or hit that something else cuts through continues in the next pieces.
const rangeOf = (element) => {
  const kind = element.classList.contains("hit") ? "hit" : "mark", range = document.createRange();
  const all = [...element.closest(".written").querySelectorAll(`.${kind}`)];
  let last = all.indexOf(element);
  while (all[last + 1]?.classList.contains(`${kind}-on`)) last += 1;
  range.setStartBefore(element);
  range.setEndAfter(all[last]);
  return range;
};

const currentElement = () => document.querySelector("#comments :is(.hit, .mark)[aria-current]");
const currentSpan = () => {
  const element = currentElement();
  return element && spanOf(element.closest(".written"), rangeOf(element));
};

// What the menu was opened for. A tap on the menu may take the selection away before it arrives.
let offered = null, pointer = "mouse", touchTimer = 0;
export const usePointer = (type) => { pointer = type; };
export const isOpen = () => !menu().hidden;

// A finger selects by a long press and by dragging handles, and no pointer event tells when that is done.
export const follow = () => {
  clearTimeout(touchTimer);
  if (pointer !== "mouse") touchTimer = setTimeout(() => (getSelection().isCollapsed ? hide() : offer()), 350);
  else if (getSelection().isCollapsed) hide();
};

export const offer = () => {
  const span = selectedSpan();
  if (!span || !isWritable()) return hide();
  offered = span;
  const box = getSelection().getRangeAt(0).getBoundingClientRect(), bar = menu();
  for (const link of bar.querySelectorAll("[data-service]")) link.href = address(link.dataset.service, span.text, 300);
  bar.hidden = false;
  const left = Math.min(Math.max(8, box.left), innerWidth - bar.offsetWidth - 8);
  const below = box.bottom + bar.offsetHeight + 12 < innerHeight;
  bar.style.left = `${left}px`;
  bar.style.top = `${below ? box.bottom + 6 : Math.max(8, box.top - bar.offsetHeight - 6)}px`;
};

export const selectedText = () => (selectedSpan() ?? offered)?.text ?? "?";

export const hide = () => { menu().hidden = true; offered = null; };

// The selected words, or those of the current detection.
export const chosenWords = () => (selectedSpan() ?? currentSpan())?.text ?? "";

export const addEvidence = (attribute) => {
  if (!isWritable()) return;
  const span = selectedSpan() ?? offered ?? currentSpan();
  if (!span) return notify("Select the words first, or go to a match or detection.");
  const card = attribute ? cardOf(attribute) : current(), answer = read(card);
  const isKnown = answer.evidence.some((known) => known.comment === span.comment && known.start === span.start && known.end === span.end);
  if (!isKnown) {
    fill(card, { ...answer, evidence: [...answer.evidence, span] });
    changed(card);
  }
  getSelection().removeAllRanges();
  hide();
  enter(card, { focus: false });
  return say(`Evidence for ${nameOf(card)}: ${span.text}`);
};

// ── Selecting by key, word by word, in the current comment ───────────────────
// Start at the match or detection that the person walked to; extending takes it along.
const startSelection = (selection, written, direction, extend) => {
  const element = currentElement(), forward = direction === "forward";
  if (!element || !written.contains(element)) { selection.collapse(written, forward ? 0 : written.childNodes.length); return; }
  const range = rangeOf(element), start = [range.startContainer, range.startOffset], end = [range.endContainer, range.endOffset];
  if (!extend) selection.collapse(...start);
  else if (forward) selection.setBaseAndExtent(...start, ...end);
  else selection.setBaseAndExtent(...end, ...start);
};

export const selectWord = (direction, extend) => {
  const written = document.querySelector("#comments .comment[aria-current] .written");
  if (!written) return notify("Go to a comment first: press j.");
  const selection = getSelection(), isNew = !selection.rangeCount || !written.contains(selection.focusNode);
  if (isNew) startSelection(selection, written, direction, extend);
  else if (!extend && !selection.isCollapsed) direction === "forward" ? selection.collapseToEnd() : selection.collapseToStart();
  selection.modify("extend", direction, "word");
  if (!written.contains(selection.focusNode)) selection.extend(written, direction === "forward" ? written.childNodes.length : 0);
  offer();
  return say(selection.toString());
};
