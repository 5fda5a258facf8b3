// Report failed htmx requests in the live region; otherwise the page would stay silent.
const say = (kind, text) => {
  const message = document.createElement("div");
  message.className = `message message-${kind}`;
  message.append(Object.assign(document.createElement("div"), { textContent: text }));
  document.getElementById("messages")?.replaceChildren(message);
};

const explain = (status) => {
  if (status === 401 || status === 403) return "You may have been signed out. Nothing on this page was lost. Sign in again in another tab, then repeat the last step.";
  if (status === 404) return "This is no longer there; someone may have changed it in another tab. Reload the page to see how it stands.";
  if (status === 429) return "That was a little fast. Wait a moment, then try again.";
  return "The server could not do that. Nothing was changed. Try again; if it stays like this, tell the people who run the study.";
};

document.addEventListener("htmx:responseError", (event) => say("error", explain(event.detail.xhr.status)));
document.addEventListener("htmx:sendError", () =>
  say("warning", "The server cannot be reached. What you typed is still on this page. Check the connection, then try again."),
);
