import type { DisplayNamePart, OrderTerm } from '../model/model.ts';

/** `"sequence, -id"` as terms. */
export function parseOrder(text: string): readonly OrderTerm[] {
  return Object.freeze(
    text
      .split(',')
      .map((term) => term.trim())
      .filter((term) => term !== '')
      .map((term) => {
        const descending = term.startsWith('-');
        return Object.freeze({ path: Object.freeze((descending ? term.slice(1) : term).split('.')), descending });
      }),
  );
}

/** `'{name} ({ref})'` as texts and paths; null if a brace is not closed. */
export function parseDisplayName(template: string): readonly DisplayNamePart[] | null {
  const parts: DisplayNamePart[] = [];
  for (const piece of template.split(/(\{[^{}]*\})/)) {
    if (piece === '') continue;
    if (piece.startsWith('{') && piece.endsWith('}')) parts.push(pathPart(piece.slice(1, -1).trim()));
    else if (/[{}]/.test(piece)) return null;
    else parts.push(Object.freeze({ text: piece }));
  }
  return Object.freeze(parts);
}

export function pathPart(path: string): DisplayNamePart {
  return Object.freeze({ path: Object.freeze(path.split('.')) });
}
