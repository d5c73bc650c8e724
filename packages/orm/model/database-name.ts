import { createHash } from 'node:crypto';

const maxBytes = 63;

/**
 * A database name within PostgreSQL's 63 bytes; a longer one keeps its beginning and its last part around a stable hash. As one
 * part, it keeps only its beginning. Existing tables and indexes have these names, so neither form can change.
 */
export function databaseName(...parts: readonly string[]): string {
  const full = parts.join('_');
  if (Buffer.byteLength(full) <= maxBytes) return full;
  const ending = parts.length > 1 ? `_${hash(full)}_${parts.at(-1)}` : `_${hash(full)}`;
  const room = maxBytes - Buffer.byteLength(ending);
  if (room < 1) return `n_${createHash('sha256').update(full).digest('hex').slice(0, 40)}`;
  return cut(full, room) + ending;
}

export function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}

function cut(text: string, bytes: number): string {
  let result = '';
  for (const character of text) {
    if (Buffer.byteLength(result + character) > bytes) break;
    result += character;
  }
  return result;
}
