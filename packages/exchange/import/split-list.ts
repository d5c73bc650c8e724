/** The names of a list cell: `a, b`, and in quotes what holds a comma itself: `"Smith, Ada", b`. */
export function splitList(cell: string): string[] {
  const parts: string[] = [];
  let part = '';
  let isQuoted = false;
  for (let at = 0; at < cell.length; at++) {
    const character = cell[at] as string;
    if (character === '"' && isQuoted && cell[at + 1] === '"') {
      part += '"';
      at++;
    } else if (character === '"' && (isQuoted || part.trim() === '')) {
      isQuoted = !isQuoted;
    } else if (character === ',' && !isQuoted) {
      parts.push(part);
      part = '';
    } else part += character;
  }
  parts.push(part);
  return parts.map((each) => each.trim()).filter((each) => each !== '');
}
