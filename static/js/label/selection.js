// Selected text: a small menu to add it as evidence or look it up. Positions are counted in code points.
import { at, isWritable, post, say, tell } from "./api.js";
import { changed } from "./autosave.js";
import { attributeOf, cardOf, current, enter, fill, nameOf, read, suggestHardness } from "./cards.js";
import { whileSignedIn } from "./sign_in.js";

const menu = () => document.getElementById("selection-menu");
const ADDRESSES = {
  google: "https://www.google.com/search?q=",
  duckduckgo: "https://duckduckgo.com/?q=",
  bing: "https://www.bing.com/search?q=",
  openstreetmap: "https://www.openstreetmap.org/search?query=",
  deepl: "https://www.deepl.com/translator#-/en/",
};

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

// A mark that overlaps something else continues in the next pieces.
const spanOfMark = (mark) => {
  const written = mark.closest(".written"), all = [...written.querySelectorAll(".mark")], range = document.createRange();
  let last = all.indexOf(mark);
  while (all[last + 1]?.classList.contains("mark-on")) last += 1;
  range.setStartBefore(mark);
  range.setEndAfter(all[last]);
  return spanOf(written, range);
};

export const offer = () => {
  const span = selectedSpan();
  if (!span || !isWritable()) return hide();
  const box = getSelection().getRangeAt(0).getBoundingClientRect(), bar = menu();
  for (const link of bar.querySelectorAll("[data-service]")) link.href = ADDRESSES[link.dataset.service] + encodeURIComponent([...span.text].slice(0, 300).join(""));
  bar.hidden = false;
  const left = Math.min(Math.max(8, box.left), innerWidth - bar.offsetWidth - 8);
  const below = box.bottom + bar.offsetHeight + 12 < innerHeight;
  bar.style.left = `${left}px`;
  bar.style.top = `${below ? box.bottom + 6 : Math.max(8, box.top - bar.offsetHeight - 6)}px`;
};

export const hide = () => { menu().hidden = true; };

// The selected words, or those of the current detection.
export const chosenWords = () => {
  const mark = document.querySelector("#comments .mark[aria-current]");
  return (selectedSpan() ?? (mark && spanOfMark(mark)))?.text ?? "";
};

export const addEvidence = (attribute) => {
  if (!isWritable()) return;
  const mark = document.querySelector("#comments .mark[aria-current]");
  const span = selectedSpan() ?? (mark && spanOfMark(mark));
  if (!span) return say("Select the words first, or walk to a detection.");
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

export const recordLookUp = async (service) => {
  const span = selectedSpan();
  const card = current();
  if (service !== "deepl") suggestHardness(card);
  try {
    await whileSignedIn(() => post(at("look-ups/"), new URLSearchParams({ service, words: span?.text ?? "?", attribute: attributeOf(card) })));
  } catch (error) {
    tell("warning", `The look-up could not be noted. ${error.message}`);
  }
};

// ── Selecting by key, word by word, in the current comment ───────────────────
export const selectWord = (direction, extend) => {
  const written = document.querySelector("#comments .comment[aria-current] .written");
  if (!written) return say("Go to a comment first: press j.");
  const selection = getSelection();
  if (!selection.rangeCount || !written.contains(selection.focusNode)) selection.collapse(written, direction === "forward" ? 0 : written.childNodes.length);
  if (!extend && !selection.isCollapsed) direction === "forward" ? selection.collapseToEnd() : selection.collapseToStart();
  selection.modify("extend", direction, "word");
  if (!written.contains(selection.focusNode)) selection.extend(written, direction === "forward" ? written.childNodes.length : 0);
  offer();
  return say(selection.toString());
};
