// Report failed htmx requests in the live region; otherwise the page would stay silent.
const say = (kind, text) => {
  const message = document.createElement("div");
  message.className = `message message-${kind}`;
  message.append(Object.assign(document.createElement("div"), { textContent: text }));
  document.getElementById("messages")?.replaceChildren(message);
};

const explain = (status) => {
  if (status === 401 || status === 403) return "You may have been signed out. Nothing on this page is lost. Sign in again in another tab, then repeat your last step.";
  if (status === 404) return "This no longer exists. It may have been changed in another tab. Reload the page to see its current state.";
  if (status === 429) return "Too many requests. Wait a moment, then try again.";
  return "The server couldn’t do that. Nothing was changed. Try again. If it keeps happening, tell the people who run the study.";
};

document.addEventListener("htmx:responseError", (event) => say("error", explain(event.detail.xhr.status)));
document.addEventListener("htmx:sendError", () =>
  say("warning", "The server can’t be reached. What you typed is still on this page. Check your connection, then try again."),
);
