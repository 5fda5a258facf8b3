// Two tabs, one card: the person sees both answers and chooses.

const NAMES = { value: "Value", hardness: "Hardness", certainty: "Certainty", required_subreddit: "Required subreddit", note: "Note", evidence: "Evidence" };

const shown = (name, said) => {
  if (name === "evidence") return said.evidence.map((quote) => quote.text).join(" · ") || "–";
  if (name === "required_subreddit") return said[name] ? "yes" : "no";
  return String(said[name]) || "–";
};

const cell = (tag, text) => Object.assign(document.createElement(tag), { textContent: text });

const row = (name, mine, theirs) => {
  const line = document.createElement("tr");
  line.append(cell("th", NAMES[name]), cell("td", shown(name, mine)), cell("td", shown(name, theirs)));
  line.classList.toggle("differs", shown(name, mine) !== shown(name, theirs));
  return line;
};

export const settle = (card, mine, theirs) => {
  const dialog = document.getElementById("conflict");
  dialog.querySelector("[data-conflict-name]").textContent = card.querySelector("legend .hue-sign").textContent;
  dialog.querySelector("[data-conflict-rows]").replaceChildren(...Object.keys(NAMES).map((name) => row(name, mine, theirs)));
  return new Promise((chosen) => {
    const stay = () => dialog.showModal(); // a second Escape closes any dialog, but this question needs its answer
    const choose = (event) => {
      const button = event.target.closest("[data-keep]");
      if (!button) return;
      dialog.removeEventListener("click", choose);
      dialog.removeEventListener("close", stay);
      dialog.close();
      chosen(button.dataset.keep);
    };
    dialog.addEventListener("click", choose);
    dialog.addEventListener("close", stay);
    dialog.oncancel = (event) => event.preventDefault();
    dialog.showModal();
  });
};
