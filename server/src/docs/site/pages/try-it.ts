import type { OpenApiDocument, ParameterObject } from "../document.ts";
import { exampleOf } from "../example.ts";
import { type Html, html } from "../html.ts";
import type { Operation } from "../reference.ts";
import { shapeOf } from "../shape.ts";
import { pretty } from "./envelope.ts";

/** The form that sends an operation; the script in `browser/` brings it to life. */
export function tryForm(document: OpenApiDocument, operation: Operation): Html {
  const { method, path, body, pathParameters, queryParameters } = operation;
  const text = body === undefined ? undefined : pretty(exampleOf(document, body, "sendable"));
  return html`<form class="try" data-try data-method="${method}" data-path="${path}" autocomplete="off">
<div class="parameters">
${pathParameters.map((parameter) => parameterInput(document, "path", parameter))}
${queryParameters.map((parameter) => parameterInput(document, "query", parameter))}
</div>
${
  text !== undefined &&
  html`<label class="field"><span>Body</span>
<textarea name="body" rows="${Math.min(16, text.split("\n").length)}" spellcheck="false"
 autocapitalize="off">${`\n${text}`}</textarea></label>
<p class="problem" data-body-problem></p>`
}
<label class="field"><span>Reference</span><input name="reference" maxlength="30" spellcheck="false"
 placeholder="new for every request"></label>
<div class="buttons"><button type="submit" class="button primary">Send</button>
<span class="fine" data-try-state role="status"></span></div>
<div class="result" data-result role="region" aria-label="Result" hidden></div>
</form>`;
}

function parameterInput(
  document: OpenApiDocument,
  place: "path" | "query",
  { name, required = false, schema = {} }: ParameterObject,
): Html {
  const { values, type } = shapeOf(document, schema);
  const choices = type === "boolean" ? ["true", "false"] : values;
  const label = html`<span>${name}${required && html`<em>required</em>`}</span>`;
  if (choices.length > 0 && place === "query") {
    return html`<label class="field">${label}<select name="${place}.${name}"><option value=""></option>
${choices.map((choice) => html`<option>${choice}</option>`)}</select></label>`;
  }
  const example = place === "path" ? String(exampleOf(document, schema, "sendable")) : "";
  return html`<label class="field">${label}<input name="${place}.${name}" placeholder="${example}"
${required && html` required`} spellcheck="false" autocapitalize="off"></label>`;
}
