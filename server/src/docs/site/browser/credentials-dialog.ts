import {
  type Credentials,
  clearCredentials,
  complete,
  credentials,
  followCredentials,
  useCredentials,
} from "./credentials.ts";
import { all, fieldOf, first } from "./dom.ts";
import { forgetIds } from "./known-ids.ts";

/** Brings the dialog to life: opening, loading a file, pasting, saving and clearing. */
export function startCredentialsDialog(): void {
  const dialog = first("#site-credentials", HTMLDialogElement);
  const form = dialog && first("form", HTMLFormElement, dialog);
  if (dialog === undefined || form === undefined) return;
  on("[data-credentials-open]", () => dialog.showModal());
  on("[data-credentials-cancel]", () => dialog.close());
  on("[data-credentials-clear]", () => {
    form.reset();
    clearCredentials();
    forgetIds();
  });
  form.addEventListener("submit", () => {
    const entered = complete({
      clientId: fieldOf(form, "clientId").trim(),
      clientSecret: fieldOf(form, "clientSecret").trim(),
      uniqueKey: fieldOf(form, "uniqueKey").trim(),
    });
    if (entered !== undefined) useCredentials(entered);
  });
  takeFiles(form);
  followCredentials(() => {
    fill(form, credentials());
    for (const dot of all("[data-credentials-dot]", HTMLElement)) {
      dot.classList.toggle("on", credentials() !== undefined);
    }
  });
}

function on(selector: string, act: () => void): void {
  for (const button of all(selector, HTMLButtonElement)) button.addEventListener("click", act);
}

/** sandbox.json may be chosen, dropped on the form, or pasted into it; it is read here, not uploaded. */
function takeFiles(form: HTMLFormElement): void {
  const picker = first("[data-credentials-file]", HTMLInputElement, form);
  picker?.addEventListener("change", async () => {
    const file = picker.files?.[0];
    if (file !== undefined) take(form, await file.text());
    picker.value = "";
  });
  form.addEventListener("dragover", (event) => event.preventDefault());
  form.addEventListener("drop", async (event) => {
    const file = event.dataTransfer?.files[0];
    if (file === undefined) return;
    event.preventDefault();
    take(form, await file.text());
  });
  form.addEventListener("paste", (event) => {
    const text = event.clipboardData?.getData("text") ?? "";
    if (!text.trimStart().startsWith("{")) return;
    event.preventDefault();
    take(form, text);
  });
}

function take(form: HTMLFormElement, text: string): void {
  const found = read(text);
  const problem = first("[data-credentials-problem]", HTMLElement, form);
  problem?.replaceChildren(found === undefined ? "That is not a sandbox.json." : "");
  if (found !== undefined) fill(form, found);
}

function read(text: string): Credentials | undefined {
  try {
    return complete(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function fill(form: HTMLFormElement, values: Credentials | undefined): void {
  for (const name of ["clientId", "clientSecret", "uniqueKey"] as const) {
    const input = first(`[name=${name}]`, HTMLInputElement, form);
    if (input !== undefined) input.value = values?.[name] ?? "";
  }
}
