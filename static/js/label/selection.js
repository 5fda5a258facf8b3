// Selected words: a small menu, evidence for a card, a look-up elsewhere. Positions are counted in code points.
import { at, isWritable, post, say, tell } from "./api.js";
import { changed } from "./autosave.js";
import { cardOf, current, enter, fill, read } from "./cards.js";
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

// The selection as far as it lies in one comment: { comment, start, end, text, box }, or null.
const selected = () => {
  const selection = getSelection();
  if (!selection.rangeCount || selection.isCollapsed) return null;
  const range = selection.getRangeAt(0).cloneRange();
  const written = textOf(range.startContainer) ?? textOf(range.endContainer);
  if (!written) return null;
  if (!written.contains(range.startContainer)) range.setStart(written, 0);
  if (!written.contains(range.endContainer)) range.setEnd(written, written.childNodes.length);
  return quoteOf(written, range);
};

const textOf = (node) => (node.nodeType === Node.TEXT_NODE ? node.parentElement : node).closest?.(".written");

const quoteOf = (written, range) => {
  const before = document.createRange();
  before.selectNodeContents(written);
  before.setEnd(range.startContainer, range.startOffset);
  const raw = range.toString(), text = raw.trim();
  if (!text) return null;
  const start = length(before.toString()) + length(raw.slice(0, raw.indexOf(text)));
  return { comment: Number(written.closest(".comment").dataset.comment), start, end: start + length(text), text };
};

// A mark that something else cuts in two goes on in the next pieces.
const ofMark = (mark) => {
  const written = mark.closest(".written"), all = [...written.querySelectorAll(".mark")], range = document.createRange();
  let last = all.indexOf(mark);
  while (all[last + 1]?.classList.contains("mark-on")) last += 1;
  range.setStartBefore(mark);
  range.setEndAfter(all[last]);
  return quoteOf(written, range);
};

export const offer = () => {
  const quote = selected();
  if (!quote || !isWritable()) return hide();
  const box = getSelection().getRangeAt(0).getBoundingClientRect(), bar = menu();
  for (const link of bar.querySelectorAll("[data-service]")) link.href = ADDRESSES[link.dataset.service] + encodeURIComponent([...quote.text].slice(0, 300).join(""));
  bar.hidden = false;
  const left = Math.min(Math.max(8, box.left), innerWidth - bar.offsetWidth - 8);
  const below = box.bottom + bar.offsetHeight + 12 < innerHeight;
  bar.style.left = `${left}px`;
  bar.style.top = `${below ? box.bottom + 6 : Math.max(8, box.top - bar.offsetHeight - 6)}px`;
};

export const hide = () => { menu().hidden = true; };

export const asEvidence = (attribute) => {
  if (!isWritable()) return;
  const mark = document.querySelector("#comments .mark[aria-current]");
  const quote = selected() ?? (mark && ofMark(mark));
  if (!quote) return say("Select the words first, or walk to a detection.");
  const card = attribute ? cardOf(attribute) : current(), said = read(card);
  const known = said.evidence.some((one) => one.comment === quote.comment && one.start === quote.start && one.end === quote.end);
  if (!known) {
    fill(card, { ...said, evidence: [...said.evidence, quote] });
    changed(card);
  }
  getSelection().removeAllRanges();
  hide();
  enter(card, { focus: false });
  return say(`Evidence for ${card.querySelector("legend .hue-sign").textContent}: ${quote.text}`);
};

export const lookedUp = async (service) => {
  const quote = selected();
  document.getElementById("looked-up").hidden = false;
  document.getElementById("seat").classList.add("looked-up-now");
  try {
    await whileSignedIn(() => post(at("look-ups/"), new URLSearchParams({ service, words: quote?.text ?? "?" })));
  } catch (error) {
    tell("warning", `The look-up could not be noted. ${error.message}`);
  }
};

// ── Selecting by key, word by word, in the current comment ───────────────────
export const byWord = (direction, extend) => {
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
