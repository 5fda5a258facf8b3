// Walks through search hits or detections. The server knows their comments, so that no block is loaded in vain:
// entries are [position, comment, count], in reading order.
import { commentAt, here, positionOf, show, visibleComment } from "./comments.js";

export const create = (entries, elementsIn) => ({ entries, elementsIn });
export const total = ({ entries }) => entries.reduce((sum, [, , count]) => sum + count, 0);

const isShown = (element) => getComputedStyle(element).getPropertyValue("--off") !== "1";

// The entry and the element within it that the person is at, or null.
const locate = ({ entries, elementsIn }) => {
  const comment = here(), entry = entries.findIndex(([, id]) => String(id) === comment?.dataset.comment);
  const element = entry < 0 ? -1 : elementsIn(comment).findIndex((candidate) => candidate.hasAttribute("aria-current"));
  return element < 0 ? null : [entry, element];
};

// The number of the element that the person is at, from 1, or 0.
export const numberHere = (walk) => {
  const at = locate(walk);
  return at ? total({ entries: walk.entries.slice(0, at[0]) }) + at[1] + 1 : 0;
};

const nearest = ({ entries }, direction, origin) => {
  if (direction < 0) return [entries.findLastIndex(([position]) => position <= origin), Infinity];
  const entry = entries.findIndex(([position]) => position >= origin);
  return [entry < 0 ? entries.length : entry, 0];
};

const startOf = (walk, direction, origin) => {
  const at = origin === undefined ? locate(walk) : null;
  if (at) return [at[0], at[1] + direction];
  const comment = visibleComment();
  return nearest(walk, direction, origin ?? (comment ? positionOf(comment) : 0));
};

const pickFrom = (elements, element, direction) => (direction > 0 ? elements.slice(element).find(isShown) : elements.slice(0, element + 1).findLast(isShown));

// Go to the next or previous element. Returns its number, from 1, or 0 if there is none.
export const step = async (walk, direction, { origin, wrap = false, focus = true } = {}) => {
  const { entries, elementsIn } = walk;
  let [entry, element] = startOf(walk, direction, origin);
  for (let tries = entries.length; tries >= 0; tries -= 1) {
    if (wrap && entries.length && !entries[entry]) entry = direction > 0 ? 0 : entries.length - 1;
    if (!entries[entry]) return 0;
    const comment = await commentAt(entries[entry][0]), elements = comment ? elementsIn(comment) : [];
    entries[entry][2] = elements.length; // of marks that overlap, only one is shown
    const next = pickFrom(elements, element, direction);
    if (next) {
      comment.scrollIntoView({ block: "center" });
      show(next, { focus });
      return total({ entries: entries.slice(0, entry) }) + elements.indexOf(next) + 1;
    }
    [entry, element] = [entry + direction, direction > 0 ? 0 : Infinity];
  }
  return 0;
};
