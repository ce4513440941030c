/** Gathers what comes in a burst, and hands it on once. */
export function gather<Item>(waitMs: number, handOn: (items: Item[]) => void) {
  const items = new Set<Item>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    timer = undefined;
    handOn([...items]);
    items.clear();
  };
  return {
    add: (more: readonly Item[]) => {
      for (const item of more) items.add(item);
      timer ??= setTimeout(flush, waitMs);
    },
    stop: () => clearTimeout(timer),
  };
}
