import { curlCommand } from "../shared/curl.ts";
import { type Language, tokensOf } from "../shared/highlight.ts";
import { mask } from "../shared/mask.ts";
import { element } from "./dom.ts";
import { page } from "./page.ts";
import type { Outcome } from "./send.ts";

/** What came back, what was signed for it, and how to do the same in a terminal. */
export function resultOf(outcome: Outcome): HTMLElement[] {
  const { text, request, signedText, secrets } = outcome;
  return [
    verdict(outcome),
    codeFigure(pretty(text), "json"),
    fold("What was signed", codeFigure(mask(signedText, secrets), "text")),
    fold("The same request with curl", ...maskable(curlCommand(request), secrets)),
  ];
}

interface Envelope {
  responseCode?: string;
  responseMessage?: string;
  finality?: string;
}

function verdict({ status, text, durationMs }: Outcome): HTMLElement {
  const { responseCode, responseMessage = "", finality = "" } = parse(text) as Envelope;
  const line = element("p", { class: "verdict", role: "status" });
  line.append(element("strong", {}, `HTTP ${status}`));
  if (responseCode !== undefined) {
    const href = `${page.prefix}/docs/response-codes#code-${responseCode}`;
    line.append(
      element("a", { href, class: "response-code" }, element("code", {}, responseCode)),
      element("span", {}, responseMessage),
      element("span", { class: `finality ${finality}` }, finality),
    );
  }
  line.append(element("span", { class: "fine" }, `${Math.round(durationMs)} ms`));
  return line;
}

function parse(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function fold(title: string, ...content: HTMLElement[]): HTMLElement {
  return element("details", { class: "nested" }, element("summary", {}, title), ...content);
}

/** Code whose secrets appear only when asked for. */
function maskable(code: string, secrets: string[]): HTMLElement[] {
  const figure = codeFigure(mask(code, secrets), "bash");
  const box = element("input", { type: "checkbox" });
  box.addEventListener("change", () => {
    const shown = box.checked ? code : mask(code, secrets);
    figure.querySelector("code")?.replaceChildren(...coloured(shown, "bash"));
  });
  const note =
    "Its Reference is used up once the request has succeeded: put in a new one and sign again.";
  return [
    element("label", { class: "check" }, box, "Show the token and the unique key"),
    figure,
    element("p", { class: "fine" }, note),
  ];
}

function codeFigure(code: string, language: Language): HTMLElement {
  const copy = element("button", { type: "button", class: "copy", "data-copy": "" }, "Copy");
  const pre = element("pre", { tabindex: "0" }, element("code", {}, ...coloured(code, language)));
  return element("figure", { class: "code" }, copy, pre);
}

function coloured(code: string, language: Language): Node[] {
  return tokensOf(code, language).map(({ kind, text }) =>
    kind === undefined
      ? document.createTextNode(text)
      : element("span", { class: `t-${kind}` }, text),
  );
}
