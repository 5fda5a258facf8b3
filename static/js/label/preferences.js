// Text size, density and reminders: applied at once and saved with the account, without leaving the page.
import { post, tell } from "./api.js";
import { refresh } from "./breaks.js";
import { whileSignedIn } from "./sign_in.js";

const form = document.getElementById("preferences-form");
let saved = Promise.resolve();

const apply = () => {
  for (const radio of form.querySelectorAll("[type=radio]")) {
    document.body.classList.toggle(`${radio.name.replace("_", "-")}-${radio.value}`, radio.checked);
  }
  document.getElementById("break-reminder").dataset.on = form.elements.break_reminders.checked ? "yes" : "no";
  refresh();
};

const save = async () => {
  const fields = new URLSearchParams(new FormData(form));
  fields.delete("csrfmiddlewaretoken"); // the header has the current one
  try {
    await whileSignedIn(() => post(form.action, fields, { accept: "application/json" }));
  } catch (error) {
    tell("warning", `Your preferences aren’t saved. ${error.message}`);
  }
};

form.addEventListener("change", () => { apply(); saved = saved.then(save); });
form.addEventListener("submit", (event) => { event.preventDefault(); form.closest("[popover]").hidePopover(); });
