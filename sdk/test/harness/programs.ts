import { readFileSync } from "node:fs";

/** The programs of a page, each with the heading that it stands under. */
function programsOf(path: string): [heading: string, program: string][] {
  const page = readFileSync(new URL(path, import.meta.url), "utf8");
  return page.split(/^#+ /m).flatMap((section) => {
    const [heading = ""] = section.split("\n");
    const programs = [...section.matchAll(/^```js\n(.*?)^```/gms)];
    return programs.map(([, program = ""]) => [heading, program] as [string, string]);
  });
}

/** What the SDK's guide and its own page show. */
export const programs = [
  ...programsOf("../../../docs/guides/sdk.md"),
  ...programsOf("../../README.md"),
];
