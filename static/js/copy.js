// Copies to the clipboard: <button data-copy="#codes"> takes the element's value or text,
// <button data-copy-text="https://…"> the text itself. The button says so for a moment.
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy], [data-copy-text]");
  if (!button || button.dataset.copying) return;
  const source = button.dataset.copy && document.querySelector(button.dataset.copy);
  const before = button.textContent;
  button.dataset.copying = "yes";
  try {
    await navigator.clipboard.writeText(source ? (source.value ?? source.textContent) : button.dataset.copyText);
    button.textContent = "Copied";
  } catch {
    source?.select?.();
    button.textContent = "Press Ctrl+C";
  }
  setTimeout(() => {
    button.textContent = before;
    delete button.dataset.copying;
  }, 2000);
});
