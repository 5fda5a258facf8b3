// What Presidio found: asked for again while it is still running, or when there is much to count.
import { at, get, seat } from "./api.js";

const box = () => document.getElementById("presidio-results");
let timer = 0;

export const begin = () => {
  clearTimeout(timer);
  const pause = Number(box().dataset.again);
  if (pause) timer = setTimeout(renew, pause);
};

const renew = async () => {
  const here = seat();
  try {
    const html = await (await get(at("presidio/"))).text();
    if (here !== seat()) return;
    const holder = document.createElement("template");
    holder.innerHTML = html;
    box().replaceWith(holder.content.querySelector("#presidio-results"));
  } catch { /* the next time, then */ }
  begin();
};
