import { all, first } from "./dom.ts";

/** Narrows the table of response codes to what is looked for. */
export function startCodes(): void {
  const text = first("[data-codes-text]", HTMLInputElement);
  const finality = first("[data-codes-finality]", HTMLSelectElement);
  const count = first("[data-codes-count]", HTMLElement);
  if (text === undefined || finality === undefined) return;
  const rows = all("tr[data-text]", HTMLTableRowElement);
  const update = (): void => {
    const words = text.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const row of rows) {
      const isOfKind = finality.value === "" || row.dataset.finality === finality.value;
      row.hidden = !isOfKind || !words.every((word) => row.dataset.text?.includes(word));
    }
    const shown = rows.filter((row) => !row.hidden).length;
    count?.replaceChildren(shown === 1 ? "1 code" : `${shown} codes`);
  };
  text.addEventListener("input", update);
  finality.addEventListener("change", update);
}
