// The server takes no more changes of this profile: ask what to do with those that are not saved.

const describe = (name, answer) => {
  const ratings = [answer.hardness && `hardness ${answer.hardness}`, answer.certainty && `certainty ${answer.certainty}`];
  const parts = [answer.value, ...ratings, answer.evidence.length && "evidence", answer.note && "a note"].filter(Boolean);
  return `${name}: ${parts.join(", ") || "cleared"}`;
};

// Resolves to "reopen", "discard", or "" to decide later. `unsaved` holds [name, answer] pairs.
export const askWhatToKeep = ({ problem, canReopen }, unsaved) => {
  const dialog = document.getElementById("closed");
  dialog.querySelector("[data-closed-why]").textContent = problem;
  dialog.querySelector("[value=reopen]").hidden = !canReopen;
  const lines = unsaved.map(([name, answer]) => Object.assign(document.createElement("li"), { textContent: describe(name, answer) }));
  dialog.querySelector("[data-closed-cards]").replaceChildren(...lines);
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => {
    // The event comes a little later: by then the dialog may be open again, for another question.
    const answer = () => {
      if (dialog.open) return;
      dialog.removeEventListener("close", answer);
      resolve(dialog.returnValue);
    };
    dialog.addEventListener("close", answer);
  });
};
