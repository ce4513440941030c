import { type Target, targetOf } from "../shared/target.ts";
import { askCredentials, credentials, followCredentials } from "./credentials.ts";
import { all, element, fieldOf, first } from "./dom.ts";
import { fillForms, learnIds, watchTyping } from "./known-ids.ts";
import { page } from "./page.ts";
import { resultOf } from "./result.ts";
import { type Call, send } from "./send.ts";
import { Problem } from "./token.ts";

/** Brings every "Try it" form to life. */
export function startTryForms(): void {
  const forms = all("[data-try]", HTMLFormElement);
  for (const form of forms) {
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void submit(form);
    });
    form.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
    });
    first("textarea", HTMLTextAreaElement, form)?.addEventListener("input", () => checkBody(form));
  }
  followCredentials(() => {
    for (const form of forms) say(form, signerLine());
  });
  watchTyping();
  fillForms();
}

function signerLine(): string {
  const client = credentials();
  return client === undefined
    ? "You will be asked for credentials."
    : `Signs as ${client.clientId}`;
}

async function submit(form: HTMLFormElement): Promise<void> {
  const client = await askCredentials();
  const button = first("[type=submit]", HTMLButtonElement, form);
  const result = first("[data-result]", HTMLElement, form);
  if (client === undefined || button === undefined || result === undefined || button.disabled)
    return;
  button.disabled = true;
  say(form, "Sending …");
  try {
    const outcome = await send(client, readCall(form));
    result.replaceChildren(...resultOf(outcome));
    if (outcome.status === 200) learnIds(outcome.text);
  } catch (error) {
    const text = error instanceof Problem ? error.message : `Something went wrong: ${error}`;
    result.replaceChildren(element("p", { class: "problem", role: "alert" }, text));
  } finally {
    result.hidden = false;
    button.disabled = false;
    say(form, signerLine());
  }
}

function readCall(form: HTMLFormElement): Call {
  const { method = "GET" } = form.dataset;
  const body = first("textarea", HTMLTextAreaElement, form)?.value;
  return {
    method,
    target: readTarget(form),
    reference: fieldOf(form, "reference").trim(),
    ...(body === undefined ? {} : { body }),
  };
}

function readTarget(form: HTMLFormElement): Target {
  const fields = [...new FormData(form)].map(
    ([name, value]) => [name, String(value).trim()] as const,
  );
  const of = (place: string) =>
    fields
      .filter(([name]) => name.startsWith(`${place}.`))
      .map(([name, value]) => [name.slice(place.length + 1), value] as const);
  return targetOf(page, form.dataset.path ?? "", Object.fromEntries(of("path")), of("query"));
}

/** Says what is wrong with the body, but lets it be sent: the answer to a mistake is worth seeing too. */
function checkBody(form: HTMLFormElement): void {
  let problem = "";
  try {
    JSON.parse(fieldOf(form, "body"));
  } catch (error) {
    problem = `Not valid JSON: ${error instanceof Error ? error.message : error}`;
  }
  first("[data-body-problem]", HTMLElement, form)?.replaceChildren(problem);
}

function say(form: HTMLFormElement, text: string): void {
  first("[data-try-state]", HTMLElement, form)?.replaceChildren(text);
}
