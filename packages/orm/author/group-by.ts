/**
 * Items by key, keys in the order of their first item. (Map.groupBy is not in Node 20.)
 * ```ts
 * const lines = [{ tax: 19, amount: 1 }, { tax: 7, amount: 2 }, { tax: 19, amount: 3 }];
 * export const byTax = groupBy(lines, (line) => line.tax); // 19: two lines, 7: one
 * ```
 */
export function groupBy<Item, Key>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
