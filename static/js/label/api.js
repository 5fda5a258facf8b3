// Requests to the server. A refusal becomes an error that says why; no request ever follows a redirect to sign in.

export const workspace = () => document.getElementById("workspace");
export const at = (path = "") => `/assignments/${workspace().dataset.assignment}/${path}`;
export const isWritable = () => workspace().dataset.writable === "yes";

let token = document.querySelector("#answers input[name=csrfmiddlewaretoken]")?.value ?? "";
export const csrf = () => token;

// status 0: the server cannot be reached. 401: signed out. 409 and 422 carry the response in `body`.
export class Refused extends Error {
  constructor(status, body = {}) {
    super(body.problem ?? "The server could not do that. Nothing is lost; try again in a moment.");
    this.status = status;
    this.body = body;
  }
}

const send = async (url, options) => {
  try {
    return await fetch(url, { credentials: "same-origin", redirect: "manual", ...options });
  } catch {
    throw new Refused(0, { problem: "The server cannot be reached." });
  }
};

const checked = async (response) => {
  if (response.ok) return response;
  const isJson = response.headers.get("Content-Type")?.startsWith("application/json");
  throw new Refused(response.status || 401, isJson ? await response.json() : {});
};

// Returns who is signed in and refreshes the CSRF token, after a pause or a sign-in elsewhere.
export const session = async () => {
  const answer = await (await checked(await send("/session/"))).json();
  token = answer.csrf;
  return answer.person;
};

const isMe = (person) => String(person) === workspace().dataset.person;

export const post = async (url, fields, { again = true, accept = "*/*" } = {}) => {
  const response = await send(url, { method: "POST", body: fields, headers: { "X-CSRFToken": token, Accept: accept } });
  if (response.status === 403 && again) {
    if (!isMe(await session())) throw new Refused(401);
    return post(url, fields, { again: false, accept });
  }
  return checked(response);
};

export const get = async (url, options = {}) => checked(await send(url, options));

const NOTICE_TIME = 4000;
let hideTimer = 0;

const showAnnouncement = (isVisible) => {
  const live = document.getElementById("announce");
  live.classList.toggle("visually-hidden", !isVisible);
  live.classList.toggle("notification", isVisible);
};

// Announce and show for a moment, such as why a key did nothing.
export const notify = (text) => {
  say(text);
  showAnnouncement(true);
  hideTimer = setTimeout(() => showAnnouncement(false), NOTICE_TIME);
};

export const say = (text) => {
  const live = document.getElementById("announce");
  clearTimeout(hideTimer);
  showAnnouncement(false);
  live.textContent = "";
  requestAnimationFrame(() => { live.textContent = text; });
};

export const tell = (kind, text) => {
  const message = document.createElement("div");
  message.className = `message message-${kind}`;
  message.append(Object.assign(document.createElement("div"), { textContent: text }));
  document.getElementById("messages")?.replaceChildren(message);
};
