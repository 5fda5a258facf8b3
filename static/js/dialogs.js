// Opens and closes <dialog> by data attributes: a strict CSP allows no inline handlers.
//   <button data-dialog-open="skip">…  <dialog id="skip">… <button data-dialog-close>…
document.addEventListener("click", (event) => {
  const opener = event.target.closest("[data-dialog-open]");
  if (opener) document.getElementById(opener.dataset.dialogOpen)?.showModal();
  if (event.target.closest("[data-dialog-close]")) event.target.closest("dialog")?.close();
});
