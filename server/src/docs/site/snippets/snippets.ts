import type { Language } from "../shared/highlight.ts";
import { bashSnippet } from "./bash.ts";
import type { Call } from "./call.ts";
import { javascriptSnippet } from "./javascript.ts";
import { pythonSnippet } from "./python.ts";

export interface Snippet {
  title: string;
  language: Language;
  code: string;
}

/** The same signed call in each language; complete, so that it runs as it is shown. */
export function snippetsFor(call: Call): Snippet[] {
  return [
    { title: "cURL", language: "bash", code: bashSnippet(call) },
    { title: "JavaScript", language: "javascript", code: javascriptSnippet(call) },
    { title: "Python", language: "python", code: pythonSnippet(call) },
  ];
}
