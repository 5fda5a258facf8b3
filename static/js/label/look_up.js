// Search engines, maps and the translator, each in a tab of its own and without a referrer.
import { at, isWritable, post, tell } from "./api.js";
import { attributeOf, current, suggestHardness } from "./cards.js";
import { whileSignedIn } from "./sign_in.js";

const ADDRESSES = {
  google: "https://www.google.com/search?q=",
  duckduckgo: "https://duckduckgo.com/?q=",
  bing: "https://www.bing.com/search?q=",
  openstreetmap: "https://www.openstreetmap.org/search?query=",
  deepl: "https://www.deepl.com/translator#-/en/",
};
const LONGEST_TRANSLATION = 1500; // what the translator takes without an account

export const address = (service, text, longest) => ADDRESSES[service] + encodeURIComponent([...text].slice(0, longest).join(""));

// A look-up belongs to the card that is being worked on: only there may it have settled the answer.
export const record = async (service, words) => {
  const card = current();
  if (!isWritable()) return;
  suggestHardness(card);
  try {
    await whileSignedIn(() => post(at("look-ups/"), new URLSearchParams({ service, words, attribute: attributeOf(card) })));
  } catch (error) {
    tell("warning", `The look-up couldn’t be recorded. ${error.message}`);
  }
};

// Text as it is shown: without hidden syntax, and with the characters that entities stand for.
const shownText = (written) => {
  const copy = written.cloneNode(true);
  for (const element of copy.querySelectorAll(".md-off")) element.replaceWith(element.parentElement.dataset.as ?? "");
  return copy.textContent;
};

// Translating is not looking up: nothing is recorded, and nothing suggested.
export const translate = (comment) => {
  if (comment) window.open(address("deepl", shownText(comment.querySelector(".written")), LONGEST_TRANSLATION), "_blank", "noopener,noreferrer");
};
