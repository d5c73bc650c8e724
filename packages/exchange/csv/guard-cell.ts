/** Quotes count as well: `'=1` that a person wrote must not come back as `=1`. */
const needsGuard = /^'*[=+\-@\t\r]/;
const isGuarded = /^'+[=+\-@\t\r]/;

/** A text cell that a spreadsheet would take for a formula gets a quote in front. Numbers and dates are never guarded. */
export function guardCell(text: string): string {
  return needsGuard.test(text) ? `'${text}` : text;
}

/** What `guardCell` was given. */
export function unguardCell(cell: string): string {
  return isGuarded.test(cell) ? cell.slice(1) : cell;
}
