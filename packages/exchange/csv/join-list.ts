/** Several values in one cell, `3,7`; in quotes what holds a comma or a quote itself: `"Smith, Ada",Bo`. */
export function joinList(values: readonly string[]): string {
  return values.map((value) => (/[",]|^\s|\s$/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)).join(',');
}
