// A comment is rendered again while words in it may be selected: the selection is put back on the same characters.
const offsetIn = (written, node, offset) => {
  const range = document.createRange();
  range.selectNodeContents(written);
  range.setEnd(node, offset);
  return range.toString().length;
};

const pointAt = (written, offset) => {
  const texts = document.createTreeWalker(written, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    if (offset <= node.length) return [node, offset];
    offset -= node.length;
  }
  return [written, written.childNodes.length];
};

// Call before the old comment goes; the returned function selects the same in its fresh copy.
export const keepSelection = (old) => {
  const { anchorNode, anchorOffset, focusNode, focusOffset, isCollapsed } = getSelection(), written = old.querySelector(".written");
  if (isCollapsed || !(written.contains(anchorNode) || written.contains(focusNode))) return () => {};
  const point = (node, offset) => {
    if (!written.contains(node)) return () => [node, offset];
    const characters = offsetIn(written, node, offset);
    return (fresh) => pointAt(fresh, characters);
  };
  const [anchor, focus] = [point(anchorNode, anchorOffset), point(focusNode, focusOffset)];
  return (fresh) => {
    const text = fresh.querySelector(".written");
    getSelection().setBaseAndExtent(...anchor(text), ...focus(text));
  };
};
