// Sign in again without leaving the page, with the second factor where one is set up.
import { csrf, workspace, session } from "./api.js";

const LOGIN = "/account/login/", LOGOUT = "/account/logout/";
const WRONG_PASSWORD = "The user name or the password is not right.";
const form = () => document.getElementById("sign-in-form");
let open = null;

export const signIn = () => {
  open ??= showDialog().finally(() => { open = null; });
  return open;
};

// Calls the function; if the session has ended, asks for the password and calls it again.
export const whileSignedIn = async (call) => {
  try {
    return await call();
  } catch (error) {
    if (error.status !== 401) throw error;
    await signIn();
    return call();
  }
};

const showDialog = async () => {
  await session();
  const dialog = document.getElementById("sign-in");
  step("password");
  return new Promise((resolve) => {
    const stay = () => dialog.showModal(); // a second Escape closes any dialog, but nothing works without this one
    const submit = async (event) => {
      event.preventDefault();
      problem("");
      if (!(await attempt())) return;
      form().removeEventListener("submit", submit);
      dialog.removeEventListener("close", stay);
      form().reset();
      dialog.close();
      resolve();
    };
    form().addEventListener("submit", submit);
    dialog.addEventListener("close", stay);
    dialog.oncancel = (event) => event.preventDefault();
    dialog.showModal();
    form().elements.password.focus();
  });
};

const step = (name) => {
  for (const part of form().querySelectorAll("[data-step]")) part.hidden = part.dataset.step !== name;
  form().dataset.at = name;
};

const problem = (text) => { form().querySelector("[data-sign-in-problem]").textContent = text; };

const attempt = async () => {
  try {
    return await (form().dataset.at === "code" ? sendCode() : sendPassword());
  } catch {
    problem("The server cannot be reached. Try again when the connection is back.");
    return false;
  }
};

const send = async (url, fields) => {
  const headers = { "X-Requested-With": "XMLHttpRequest", "X-CSRFToken": csrf(), Accept: "application/json" };
  const response = await fetch(url, { method: "POST", credentials: "same-origin", headers, body: new URLSearchParams(fields) });
  const body = response.headers.get("Content-Type")?.startsWith("application/json") ? await response.json() : {};
  return { ok: response.ok, location: body.location ?? "", body, status: response.status };
};

const sendPassword = async () => {
  const { login, password } = form().elements;
  const answer = await send(LOGIN, { login: login.value, password: password.value });
  if (answer.ok && answer.location.includes("two-factor")) {
    await session();
    form().dataset.code = answer.location;
    step("code");
    form().elements.code.focus();
    return false;
  }
  return answer.ok ? checkSession(WRONG_PASSWORD) : refuse(answer, WRONG_PASSWORD);
};

const sendCode = async () => {
  const answer = await send(form().dataset.code, { code: form().elements.code.value });
  return answer.ok ? checkSession("This code is not right.") : refuse(answer, "This code is not right.");
};

const refuse = (answer, words) => {
  problem(answer.status === 429 ? "That was tried too often. Wait a few minutes." : (answer.body.form?.errors?.[0] ?? words));
  return false;
};

// The second step responds with a page, right or wrong; the session tells which.
const checkSession = async (words) => {
  const person = await session();
  if (String(person) === workspace().dataset.person) return true;
  if (person === null) return refuse({ body: {} }, words);
  await send(LOGOUT, {});
  await session();
  step("password");
  problem("You signed in as somebody else. These answers belong to another account: sign in with that one.");
  return false;
};
