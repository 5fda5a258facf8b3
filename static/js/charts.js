// Charts: one tab stop for each. The arrow keys walk along its values, and between its lines.
(() => {
  const tipsIn = (element) => [...element.querySelectorAll(".tip")];

  const stopAt = (chart, chosen) => {
    for (const tip of tipsIn(chart)) tip.setAttribute("tabindex", tip === chosen ? "0" : "-1");
  };

  const beside = (tip, step) => {
    const tips = tipsIn(tip.closest(".series"));
    return tips[tips.indexOf(tip) + step];
  };

  const across = (tip, step) => {
    const series = [...tip.closest("figure").querySelectorAll(".series")];
    const own = tip.closest(".series");
    const next = series[series.indexOf(own) + step];
    return next && tipsIn(next)[Math.min(tipsIn(own).indexOf(tip), tipsIn(next).length - 1)];
  };

  const moves = {
    ArrowLeft: (tip) => beside(tip, -1),
    ArrowRight: (tip) => beside(tip, 1),
    ArrowUp: (tip) => across(tip, -1),
    ArrowDown: (tip) => across(tip, 1),
    Home: (tip) => tipsIn(tip.closest(".series"))[0],
    End: (tip) => tipsIn(tip.closest(".series")).at(-1),
  };

  document.addEventListener("keydown", (event) => {
    const tip = event.target instanceof Element && event.target.closest(".chart .tip");
    if (!tip || !(event.key in moves) || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const next = moves[event.key](tip);
    if (!next) return;
    stopAt(tip.closest("figure"), next);
    next.focus();
  });

  document.addEventListener("focusin", (event) => {
    const tip = event.target.closest(".chart .tip");
    if (tip) stopAt(tip.closest("figure"), tip);
  });

  const prepare = (root) => {
    for (const chart of root.querySelectorAll(".chart")) stopAt(chart, chart.querySelector(".tip"));
  };

  prepare(document);
  document.addEventListener("htmx:load", (event) => prepare(event.target));
})();
