import { createHash } from 'node:crypto';
import { ident, join, type Queryable, sql } from '@kontor/database';
import { dispatch, type RpcCaller } from '@kontor/kernel';
import type { Actor } from '@kontor/orm';
import { createTestKernel, type TestKernel, type TestKernelOptions } from '@kontor/testing';
import { expect, vi } from 'vitest';
import { errorEnvelope, okEnvelope, toCallerError } from '../http/envelope.ts';

export interface AnyCall {
  readonly by: string;
  readonly model: string;
  readonly method: 'create' | 'write';
  readonly args: readonly unknown[];
  readonly kwargs?: Readonly<Record<string, unknown>>;
  /** The call has a key against repetition. */
  readonly key?: string;
}

export interface Told {
  readonly text: string;
  readonly changeSet: number | null;
}

export interface TwoWays {
  readonly short: TestKernel;
  readonly ordinary: TestKernel;
  readonly both: readonly [TestKernel, TestKernel];
  /** How many changes one statement made. */
  taken(): number;
  ask(world: TestKernel, actor: Actor, call: Omit<AnyCall, 'by'>, more?: Partial<RpcCaller>): Promise<Told>;
  /** The same calls in both worlds, one after the other: the same answers, and in the end the same rows. */
  compare(
    calls: readonly AnyCall[],
    people: Readonly<Record<string, readonly [Actor, Actor]>>,
  ): Promise<readonly Told[]>;
  close(): Promise<void>;
}

/** What the kernel keeps has the database's own moments and numbers of transactions, which differ. */
const kept = ['sys_change_set', 'sys_change', 'sys_outbox', 'sys_idempotency'];

/**
 * The same database twice: in one of them changes never take the short way. Both have the same time, which only `compare` moves
 * on. `tables` are compared beside what is kept of every change.
 */
export async function openTwoWays(options: TestKernelOptions, tables: readonly string[]): Promise<TwoWays> {
  let clock = Date.parse('2026-11-16T08:00:00Z');
  let asked = 0;
  let taken = 0;
  vi.useFakeTimers({ toFake: ['Date'], now: clock });
  const [short, ordinary] = await Promise.all([
    createTestKernel({ ...options, isOrdinary: false }),
    createTestKernel({ ...options, isOrdinary: true }),
  ]);
  const { changeAtOnce } = short.kernel;
  short.kernel.changeAtOnce = async (...change) => {
    const done = await changeAtOnce(...change);
    if (done) taken++;
    return done;
  };
  const both = [short, ordinary] as const;
  const all = [...tables, ...kept];
  return {
    short,
    ordinary,
    both,
    taken: () => taken,
    ask,
    async compare(calls, people) {
      const answers: Told[] = [];
      for (const call of calls) {
        const from = 1_000 + ++asked * 10;
        const [mine, theirs] = people[call.by] as readonly [Actor, Actor];
        clock += 1_001;
        vi.setSystemTime(clock);
        for (const { kernel } of both) await alignNumbers(kernel.database, all, from);
        const answer = await ask(short, mine, call);
        expect([call, answer]).toEqual([call, await ask(ordinary, theirs, call)]);
        answers.push(answer);
      }
      expect(await rowsOf(short.kernel.database, all)).toEqual(await rowsOf(ordinary.kernel.database, all));
      return answers;
    },
    async close() {
      vi.useRealTimers();
      await Promise.all(both.map((world) => world.close()));
    },
  };
}

async function ask(
  { kernel }: TestKernel,
  actor: Actor,
  { model, method, args, kwargs = {}, key }: Omit<AnyCall, 'by'>,
  more: Partial<RpcCaller> = {},
): Promise<Told> {
  const origin = { requestId: 'r-1', address: '::1', via: 'key 7' };
  const idempotency = key === undefined ? null : { key, bodyHash: hash([model, method, args, kwargs]) };
  const caller = { actor, scope: null, ...origin, idempotency, lastWrite: null, ...more };
  try {
    const { json, changeSet } = await dispatch(kernel, caller, { model, method, args: [...args], kwargs });
    return { text: okEnvelope(json), changeSet };
  } catch (error) {
    const text = errorEnvelope(toCallerError(error, { requestId: 'r', bodyLimit: 0 }));
    // A refused creation names the number that was drawn for it, and the short way had drawn one before.
    return { text: method === 'create' ? text.replace(/"ids":\[\d+\]/, '"ids":["new"]') : text, changeSet: null };
  }
}

function hash(body: unknown): string {
  return createHash('sha256').update(JSON.stringify(body)).digest('hex');
}

/** What a refused statement drew from a sequence is lost: both databases go on from the same numbers. */
async function alignNumbers(db: Queryable, tables: readonly string[], from: number): Promise<void> {
  const sets = tables.map((table) => sql`setval(pg_get_serial_sequence(${table}, 'id'), ${from})`);
  await db.arrays(sql`select ${join(sets)}`);
}

async function rowsOf(db: Queryable, tables: readonly string[]): Promise<readonly unknown[]> {
  const all: unknown[] = [];
  for (const table of tables) {
    const row = kept.includes(table)
      ? sql`(to_jsonb(t) - 'create_date' - 'write_date' - 'xact')::text`
      : sql`to_jsonb(t)::text`;
    all.push(...(await db.arrays(sql`select ${table}::text, ${row} from ${ident(table)} t order by id`)));
  }
  return all;
}
