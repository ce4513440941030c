import type { OpenApiDocument } from "./document.ts";
import type { Guide } from "./guides.ts";
import type { Section } from "./reference.ts";

/** What every page of the site may need to know. */
export interface Site {
  /** Public addresses, without a slash at the end. */
  apiUrl: string;
  identityUrl: string;
  isSandbox: boolean;
  /** The path that a proxy puts before ours; mostly empty. */
  prefix: string;
  styleUrl: string;
  scriptUrl: string;
  iconUrl: string;
  document: OpenApiDocument;
  sections: Section[];
  guides: Guide[];
}
