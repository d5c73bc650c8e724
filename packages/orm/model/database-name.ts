import { createHash } from 'node:crypto';

const longest = 63;

/** Joins parts to a name that PostgreSQL keeps whole; a longer one is cut and told apart by a hash. */
export function databaseName(...parts: readonly string[]): string {
  const name = parts.join('_');
  if (name.length <= longest) return name;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 8);
  return `${name.slice(0, longest - 9)}_${hash}`;
}
