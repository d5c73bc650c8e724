import { AsyncLocalStorage } from 'node:async_hooks';
import type { Queryable } from '@kontor/database';

interface Count {
  statements: number;
}

const counting = new AsyncLocalStorage<Count>();
let running = 0;
const counted = new WeakSet<object>();
const sends: ReadonlySet<unknown> = new Set(['query', 'arrays', 'json', 'csv', 'execute', 'last', 'change']);

/**
 * The same database, counting each statement for the work that sends it: a server reads signals of other processes in the
 * background, and those statements belong to no caller.
 */
export function countedByCaller<Db extends Queryable>(db: Db): Db {
  const proxy = new Proxy(db, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      if (name === 'transaction') {
        return (work: (tx: Queryable) => unknown, options: unknown) =>
          value((tx: Queryable) => work(countedByCaller(tx)), options);
      }
      if (!sends.has(name)) return value;
      return (...args: readonly unknown[]) => {
        const count = counting.getStore();
        if (count) count.statements++;
        return value(...args);
      };
    },
  });
  counted.add(proxy);
  return proxy;
}

/** Runs the work in this process and returns the number of statements it sent to test databases. */
export async function countStatements(work: () => Promise<unknown>): Promise<number> {
  const count: Count = { statements: 0 };
  await countedInto(count, work);
  return count.statements;
}

/**
 * From the first count on, Node tracks every promise of the process, which takes as long as the promises themselves, unless it is
 * stopped.
 */
async function countedInto<T>(count: Count, work: () => Promise<T>): Promise<T> {
  running++;
  try {
    return await counting.run(count, work);
  } finally {
    running--;
    if (running === 0) counting.disable();
  }
}

/** Runs the work and fails unless it sent exactly `expected` statements (or at most, with `{ atMost }`). */
export async function expectQueries<T>(
  db: Queryable,
  expected: number | { readonly atMost: number },
  work: () => Promise<T>,
): Promise<T> {
  if (!counted.has(db)) throw new Error('Statements are counted on databases that createTestDatabase made.');
  const count: Count = { statements: 0 };
  const result = await countedInto(count, work);
  const sent = count.statements;
  if (typeof expected === 'number' && sent !== expected) {
    throw new Error(`Expected ${expected} statements, ${sent} were sent.`);
  }
  if (typeof expected === 'object' && (sent > expected.atMost || sent === 0)) {
    throw new Error(`Expected at most ${expected.atMost} statements and at least one, ${sent} were sent.`);
  }
  return result;
}

/**
 * The number of statements of a request to a server in this process. Background statements of the server may be counted too, so the
 * minimum of three tries is used.
 */
export async function statementsOfRequest(db: Queryable, request: () => Promise<unknown>): Promise<number> {
  const costs: number[] = [];
  while (costs.length < 3) {
    const before = db.statements;
    await request();
    costs.push(db.statements - before);
  }
  return Math.min(...costs);
}
