type Child = Node | string;

/** An element with its attributes and children; text stays text, so nothing can bring markup. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** All elements that match, provided they are of the kind that is expected. */
export function all<T extends Element>(
  selector: string,
  kind: abstract new () => T,
  within: ParentNode = document,
): T[] {
  return [...within.querySelectorAll(selector)].filter(
    (found): found is T => found instanceof kind,
  );
}

export function first<T extends Element>(
  selector: string,
  kind: abstract new () => T,
  within: ParentNode = document,
): T | undefined {
  return all(selector, kind, within)[0];
}

/** The value of a form's field, or nothing where there is no such field. */
export function fieldOf(form: HTMLFormElement, name: string): string {
  const value = new FormData(form).get(name);
  return typeof value === "string" ? value : "";
}
