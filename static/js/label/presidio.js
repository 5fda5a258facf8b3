// Presidio results: polled while the run is in progress, or while a large profile is being counted.
import { at, get, workspace } from "./api.js";

const box = () => document.getElementById("presidio-results");
let timer = 0;

export const begin = () => {
  clearTimeout(timer);
  const pause = Number(box().dataset.again);
  if (pause) timer = setTimeout(refresh, pause);
};

const refresh = async () => {
  const here = workspace();
  try {
    const html = await (await get(at("presidio/"))).text();
    if (here !== workspace()) return;
    const holder = document.createElement("template");
    holder.innerHTML = html;
    box().replaceWith(holder.content.querySelector("#presidio-results"));
  } catch { /* try again next time */ }
  begin();
};
