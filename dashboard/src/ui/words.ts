/** "TopUp", "top_up" or "top.up" as a reader would write it: "Top up". */
export function inWords(kind: string): string {
  const words = kind
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replaceAll(/[._-]/g, " ")
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
