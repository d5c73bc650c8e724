import type { DisplayNamePart } from '../model/model.ts';

/** A path with its brackets, which go when it has no value; or only text. */
export type NamePiece =
  | { readonly text: string }
  | { readonly path: readonly string[]; readonly before: string; readonly after: string };

/** `{name} ({ref})` becomes the path name and the path ref with ` (` before and `)` after it. */
export function namePieces(parts: readonly DisplayNamePart[]): readonly NamePiece[] {
  const pieces: NamePiece[] = [];
  let open = '';
  for (const [index, part] of parts.entries()) {
    if ('text' in part) {
      const previous = pieces.at(-1);
      const closed = previous !== undefined && 'path' in previous ? previous.after.length : 0;
      const text = part.text.slice(closed);
      open = isPath(parts[index + 1]) ? openingOf(text) : '';
      pieces.push({ text: text.slice(0, text.length - open.length) });
      continue;
    }
    const after = closingOf(parts[index + 1], open, index <= 1 && pieces.every(isBlank));
    if (after === '' && open !== '') pieces.push({ text: open });
    pieces.push({ path: part.path, before: after === '' ? '' : open, after });
    open = '';
  }
  return pieces.filter((piece) => !isBlank(piece));
}

function isPath(part: DisplayNamePart | undefined): boolean {
  return part !== undefined && 'path' in part;
}

function isBlank(piece: NamePiece): boolean {
  return 'text' in piece && piece.text === '';
}

function openingOf(text: string): string {
  return /\s*[([]$/.exec(text)?.[0] ?? '';
}

/** A bracket at the very start takes the space after it along. */
function closingOf(next: DisplayNamePart | undefined, open: string, isFirst: boolean): string {
  if (open === '' || next === undefined || !('text' in next)) return '';
  const closing = open.endsWith('(') ? /^\)\s*/ : /^\]\s*/;
  const found = closing.exec(next.text)?.[0] ?? '';
  return isFirst ? found : found.slice(0, 1);
}
