import { mask } from "../shared/mask.ts";
import { signText, textToSign } from "../shared/sign.ts";
import { credentials, followCredentials } from "./credentials.ts";
import { fieldOf, first } from "./dom.ts";

/** Signs what the form holds, as it is typed. */
export function startPlayground(): void {
  const form = first("[data-playground]", HTMLFormElement);
  if (form === undefined) return;
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", () => void update(form));
  followCredentials(() => {
    const client = credentials();
    for (const name of ["clientId", "clientSecret"] as const) {
      const input = first(`[name=${name}]`, HTMLInputElement, form);
      if (input !== undefined) input.value = client?.[name] ?? input.defaultValue;
    }
    void update(form);
  });
}

async function update(form: HTMLFormElement): Promise<void> {
  const clientSecret = fieldOf(form, "clientSecret");
  const text = textToSign({
    method: fieldOf(form, "method"),
    url: fieldOf(form, "url"),
    reference: fieldOf(form, "reference"),
    clientId: fieldOf(form, "clientId"),
    clientSecret,
  });
  const isAble = globalThis.crypto?.subtle !== undefined;
  const unable = { digest: "only on https, localhost or 127.0.0.1", signature: "" };
  const { digest, signature } = isAble ? await signText(text) : unable;
  show(form, "text", mask(text, [clientSecret]));
  show(form, "digest", digest);
  show(form, "signature", signature);
}

function show(form: HTMLFormElement, name: string, text: string): void {
  first(`[data-playground-${name}]`, HTMLElement, form)?.replaceChildren(text);
}
