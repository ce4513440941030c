import { expect, test } from "vitest";
import { markdown } from "./markdown.ts";

const plain = (text: string): string => markdown(text).markup.replace(/\n/g, " ").trim();

test.each([
  ["one\ntwo", "<p>one two</p>"],
  ["one\n\ntwo", "<p>one</p><p>two</p>"],
  ["a `b*c*` **d _e_**", "<p>a <code>b*c*</code> <strong>d <em>e</em></strong></p>"],
  ["snake_case_name and 2*3*4", "<p>snake_case_name and 2*3*4</p>"],
  ["[a](https://x.example/y)", '<p><a href="https://x.example/y">a</a></p>'],
  ["[a](#b) \\*c\\*", '<p><a href="#b">a</a> *c*</p>'],
  ["[a](javascript:alert(1))", "<p>[a](javascript:alert(1))</p>"],
  ["[a](javascript:x)", "<p>a</p>"],
  ["<!-- gone -->shown", "<p>shown</p>"],
  ["# A\n## B c", '<h1>A</h1><h2 id="b-c"><a href="#b-c">B c</a></h2>'],
  [
    "## A, `b`!\n## A, `b`!",
    '<h2 id="a-b"><a href="#a-b">A, <code>b</code>!</a></h2><h2 id="a-b-1"><a href="#a-b-1">A, <code>b</code>!</a></h2>',
  ],
  ["- a\n- b\n  c", "<ul><li>a</li><li>b c</li></ul>"],
  ["1. a\n   - b\n2. c", "<ol><li>a<ul><li>b</li></ul></li><li>c</li></ol>"],
  ["- a\n\ntext", "<ul><li>a</li></ul><p>text</p>"],
  ["> a\n> b", "<blockquote><p>a b</p></blockquote>"],
  ["---", "<hr>"],
])("%j", (text, expected) => {
  expect(plain(text)).toBe(expected);
});

test("a table keeps bars that are code or escaped", () => {
  const rendered = plain("| a | b |\n|---|---|\n| `x|y` | 1 \\| 2 |\n| | c |");
  expect(rendered).toContain("<td><code>x|y</code></td><td>1 | 2</td>");
  expect(rendered).toContain("<td></td><td>c</td>");
});

test("code is shown as it is, without the indent of its list", () => {
  const rendered = markdown("1. Run:\n\n   ```bash\n   a <b>\n     c\n   ```\n").markup;
  expect(rendered.replace(/<span[^>]*>|<\/span>/g, "")).toContain("<code>a &lt;b&gt;\n  c</code>");
});

test.each([
  "<script>alert(1)</script>",
  "`<img src=x onerror=alert(1)>`",
  "# <b>",
  "| <i> | x |\n|---|---|\n| <u> | y |",
  '[x](https://e.example/"onmouseover="alert(1))',
  "```js\n</code><script>\n```",
])("%j brings no markup of its own", (text) => {
  expect(markdown(text).markup).not.toMatch(/<(?:script|img|b|i|u)[\s>]|" ?onmouseover/);
});
