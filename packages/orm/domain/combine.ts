import { join, type Sql, sql } from '@kontor/database';

export function truth(holds: boolean): Sql {
  return holds ? sql`true` : sql`false`;
}

export function anyOf(parts: readonly Sql[]): Sql {
  if (parts.length === 0) return truth(false);
  return parts.length === 1 ? (parts[0] as Sql) : sql`(${join(parts, sql` or `)})`;
}

export function allOf(parts: readonly (Sql | null)[]): Sql {
  const present = parts.filter((part) => part !== null);
  if (present.length === 0) return truth(true);
  return present.length === 1 ? (present[0] as Sql) : sql`(${join(present, sql` and `)})`;
}
