import type { Queryable } from '@kontor/database';

/** Runs the work and fails unless it sent exactly `expected` statements (or at most, with `{ atMost }`). */
export async function expectQueries<T>(
  db: Queryable,
  expected: number | { readonly atMost: number },
  work: () => Promise<T>,
): Promise<T> {
  const before = db.statements;
  const result = await work();
  const sent = db.statements - before;
  if (typeof expected === 'number' && sent !== expected) {
    throw new Error(`Expected ${expected} statements, ${sent} were sent.`);
  }
  if (typeof expected === 'object' && sent > expected.atMost) {
    throw new Error(`Expected at most ${expected.atMost} statements, ${sent} were sent.`);
  }
  return result;
}
