// What the eight rows and the line under them say. The server writes the same when it renders the page.
const LABELS = { untouched: "Untouched", nothing: "Nothing to infer", answered: "Answered", incomplete: "Incomplete" };
const MAX_GAPS = 2;
const MARKS = [["hard", "hardness"], ["sure", "certainty"]];

export const missing = (answer) => (answer.value.trim() ? ["hardness", "certainty"].filter((name) => !answer[name]) : ["value"]);

const shownValue = (card, answer, state) => {
  if (state === "nothing") return LABELS.nothing;
  const choice = card.dataset.kind === "choice" ? card.querySelector(".card-value input:checked") : null;
  return choice?.value ? choice.closest("label").querySelector("span").textContent : answer.value;
};

const mark = (name, number) => {
  const part = document.createElement("span");
  part.append(`${name} `, Object.assign(document.createElement("b"), { textContent: number }));
  return part;
};

export const update = (card, answer, state) => {
  card.dataset.state = state;
  card.querySelector("[data-state-label]").textContent = LABELS[state];
  card.querySelector("[data-shown]").textContent = shownValue(card, answer, state);
  const marks = [...MARKS.map(([name, key]) => [name, answer[key]]), ["¶", answer.evidence.length]];
  card.querySelector("[data-marks]").replaceChildren(...marks.filter(([, number]) => number).map(([name, number]) => mark(name, number)));
};

const gap = ({ name, answer }) => `${name}: ${missing(answer).length ? `${missing(answer).join(" and ")} missing` : "check the value"}`;

// `all` holds { name, state, answer } of each card.
export const summarize = (all) => {
  const having = (state) => all.filter((card) => card.state === state);
  const incomplete = having("incomplete");
  const parts = [
    [having("answered").length, "answered"],
    [incomplete.length, `incomplete (${incomplete.slice(0, MAX_GAPS).map(gap).join("; ")}${incomplete.length > MAX_GAPS ? "; …" : ""})`],
    [having("nothing").length, "nothing to infer"],
    [having("untouched").length, "untouched"],
  ];
  document.getElementById("card-summary").textContent = parts.filter(([count]) => count).map((part) => part.join(" ")).join(" · ");
};
