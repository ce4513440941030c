import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { expect } from "vitest";
import type { OpenApiDocument } from "../../src/docs/site/document.ts";
import type { ApiAnswer } from "./api-client.ts";

const PREFIX = "/api/v1";

/** Holds answers against what the API's own document says about them. */
export class ApiSchemas {
  readonly #ajv = new Ajv2020({ strict: false, validateFormats: false });
  readonly #templates: [template: string, pattern: RegExp][];
  readonly #validators = new Map<string, ValidateFunction>();

  constructor(document: OpenApiDocument) {
    this.#ajv.addSchema(document, "florin");
    // Paths without parameters come first: /cards/transfers is no card.
    this.#templates = Object.keys(document.paths ?? {})
      .sort((a, b) => a.split("{").length - b.split("{").length)
      .map((path) => [path, new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`)]);
  }

  expect(method: string, path: string, { status, body }: ApiAnswer): void {
    const bare = PREFIX + path.replace(/\?.*/, "");
    const template = this.#templates.find(([, pattern]) => pattern.test(bare))?.[0];
    if (template === undefined) throw new Error(`The document does not know ${bare}.`);
    const outcome = status === 200 ? "200" : "default";
    const place = `/paths/${pointer(template)}/${method.toLowerCase()}/responses/${outcome}`;
    const isGood = this.#validatorAt(place);
    expect(isGood(body), `${method} ${path}: ${JSON.stringify(isGood.errors)}`).toBe(true);
  }

  #validatorAt(place: string): ValidateFunction {
    const $ref = `florin#${place}/content/application~1json/schema`;
    const validator = this.#validators.get($ref) ?? this.#ajv.compile({ $ref });
    this.#validators.set($ref, validator);
    return validator;
  }
}

const pointer = (text: string): string =>
  encodeURIComponent(text.replaceAll("~", "~0").replaceAll("/", "~1"));
