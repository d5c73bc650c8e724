/** How a column stands in an order such as `-date, name`. */
export function sortOf(order: string, name: string): 'up' | 'down' | null {
  const terms = termsOf(order);
  if (terms.includes(name)) return 'up';
  return terms.includes(`-${name}`) ? 'down' : null;
}

/** Up, then down, then no longer. A further level keeps those before it. */
export function nextSort(order: string, name: string, isFurther: boolean): string {
  const others = isFurther ? termsOf(order).filter((term) => term !== name && term !== `-${name}`) : [];
  const now = sortOf(order, name);
  const next = now === null ? [name] : now === 'up' ? [`-${name}`] : [];
  return [...others, ...next].join(', ');
}

function termsOf(order: string): readonly string[] {
  return order
    .split(',')
    .map((term) => term.trim())
    .filter((term) => term !== '');
}
