import { codeBlock, tabs } from "../code.ts";
import type { ParameterObject, Schema } from "../document.ts";
import { exampleOf } from "../example.ts";
import { type Content, type Html, html } from "../html.ts";
import { markdown } from "../markdown/markdown.ts";
import type { Operation } from "../reference.ts";
import { type Field, shapeOf } from "../shape.ts";
import type { Site } from "../site.ts";
import { snippetsFor } from "../snippets/snippets.ts";
import { answerExample } from "./envelope.ts";
import { fieldList, nested } from "./fields.ts";
import { tryForm } from "./try-it.ts";

/** One operation: what it does and takes on one side, code and a way to try it on the other. */
export function operationArticle(site: Site, operation: Operation): Html {
  const { anchor, method, path, summary, description } = operation;
  return html`<article class="columns operation" id="${anchor}" aria-labelledby="${anchor}-title">
<div class="prose">
<h2 id="${anchor}-title"><a href="#${anchor}">${summary}</a></h2>
<p class="endpoint"><span class="method ${method.toLowerCase()}">${method}</span><code>${path}</code></p>
${markdown(description)}
${parameters(site, "Path parameters", operation.pathParameters)}
${parameters(site, "Query parameters", operation.queryParameters)}
${operation.body !== undefined && values(site, "Body", operation.body, "required")}
${operation.data !== undefined && answer(site, operation.data, operation.isPaged)}
</div>
<div class="aside"><div class="sticky">
${requestTabs(site, operation)}
${codeBlock(answerExample(site.document, operation), "json", "Answer")}
</div></div>
</article>`;
}

function parameters(site: Site, title: string, all: ParameterObject[]): Html | false {
  const fields = all.map(({ name, required, description, schema = {} }): Field => {
    const shape = shapeOf(site.document, schema);
    const text = description ?? schema.description ?? "";
    return { ...shape, name, description: text, isRequired: required === true };
  });
  return all.length > 0 && html`<h3>${title}</h3>${fieldList(fields, "required")}`;
}

function values(site: Site, title: Content, schema: Schema, says: "required" | "optional"): Html {
  const { fields, variants } = shapeOf(site.document, schema);
  return html`<h3>${title}</h3>
${fields.length > 0 && fieldList(fields, says)}
${variants.map((variant, i) => nested(`Form ${i + 1}`, variant, says))}`;
}

/** As many fields as can be shown without asking. */
const FEW = 8;

function answer(site: Site, data: Schema, isPaged: boolean): Html {
  const { type, fields, variants } = shapeOf(site.document, data);
  const forms = variants.length > 0 ? variants : [fields];
  return html`<h3>Answer</h3>
<p>${isPaged ? "One page of a list: " : ""}<code>data</code> holds ${article(type)} <span class="type">${type}</span>
 in the <a href="${site.prefix}/docs#answers">envelope</a> that all answers share.
 Refusals carry a <a href="${site.prefix}/docs/response-codes">response code</a> instead.</p>
${forms.map((form) => form.length > 0 && nested("Fields of data", form, "optional", form.length <= FEW))}`;
}

const article = (type: string): string => (/^[aeiou]/i.test(type) ? "an" : "a");

function requestTabs(site: Site, operation: Operation): Html {
  const { apiUrl, identityUrl, document } = site;
  const { method, body, anchor } = operation;
  const example = body === undefined ? {} : { body: exampleOf(document, body, "sendable") };
  const call = { apiUrl, identityUrl, method, target: exampleTarget(site, operation), ...example };
  const snippets = snippetsFor(call).map(({ title, language, code }) => ({
    name: language,
    title,
    content: codeBlock(code, language),
  }));
  const live = { name: "try", title: "Try it", content: tryForm(document, operation) };
  return tabs(anchor, "How to call it", site.isSandbox ? [...snippets, live] : snippets);
}

function exampleTarget(
  { document }: Site,
  { path, pathParameters, queryParameters }: Operation,
): string {
  const example = ({ schema = {} }: ParameterObject): string =>
    encodeURIComponent(String(exampleOf(document, schema, "sendable")));
  const filled = pathParameters.reduce(
    (target, parameter) => target.replace(`{${parameter.name}}`, example(parameter)),
    path,
  );
  const needed = queryParameters.filter(({ required }) => required === true);
  const query = needed.map((parameter) => `${parameter.name}=${example(parameter)}`).join("&");
  return query === "" ? filled : `${filled}?${query}`;
}
