import { join, type Queryable, type Sql, sql, type Transaction } from '@kontor/database';
import type { Change, Registry } from '@kontor/orm';

/** Something that happened, for those who may know. Ids and names, never the values of a record. */
export interface OutboxEvent {
  readonly channel: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** Only people who may read this model are told. */
  readonly model?: string;
  readonly companyId?: number | null;
  /** Only this person is told. */
  readonly userId?: number;
}

/** Who made something in a person's name, and what for, as far as they say it. */
export interface Purpose {
  /** The name of the agent that worked under their key; null: they themselves, or a plain program. */
  readonly agent: string | null;
  /** What it belongs to: everything of one task is taken back together. */
  readonly task: string | null;
  readonly reason: string | null;
}

export const noPurpose: Purpose = { agent: null, task: null, reason: null };

/** What a unit of work leaves behind: at its end or, of long work, so far. */
export interface FinishedWork {
  readonly registry: Registry;
  readonly uid: number;
  readonly requestId: string | null;
  /** The address that it was asked for from, and by which session or key. */
  readonly address: string | null;
  readonly via: string | null;
  readonly purpose: Purpose;
  /** Those of models that are not quiet. */
  readonly changes: readonly Change[];
  readonly events: readonly OutboxEvent[];
  /** That of what was kept before, in the same unit of work. */
  readonly changeSet: number | null;
  /** What the unit of work noted beside its changes. */
  readonly memo: ReadonlyMap<string, unknown>;
  /** False: it reached the outside, so it cannot be taken back. */
  readonly canUndo: boolean;
}

/** Rows that a part writes with every unit of work, as a piece of one statement. */
export interface KeptRows {
  /** Each `name as (insert …)`; names are one of a kind among all parts. */
  readonly with: readonly Sql[];
  /** Gives the number of the change set. */
  readonly changeSet?: Sql;
}

export interface RowKeeper {
  readonly keep: ((work: FinishedWork) => KeptRows | null) | null;
  readonly keepShort: ((work: ShortWork) => KeptRows) | null;
}

/**
 * A change that one statement makes and keeps. What it changed is the row of its query `changed`, if there is one: `id`,
 * `company_id` and `values`, the change as JSON. The rest are values, or slots for them.
 */
export interface ShortWork {
  readonly model: string;
  readonly operation: 'create' | 'write';
  readonly uid: unknown;
  readonly requestId: unknown;
  readonly address: unknown;
  readonly via: unknown;
  readonly agent: unknown;
  readonly task: unknown;
  readonly reason: unknown;
}

export const nothingFinished = {
  ...{ uid: 0, requestId: null, address: null, via: null, changes: [], events: [], changeSet: null, canUndo: true },
  purpose: noPurpose,
  memo: new Map<string, unknown>(),
} as const;

/** Writes what each part keeps of finished work, in one statement. Returns the change set. */
export async function keepRows(
  keepers: readonly RowKeeper[],
  db: Queryable | Transaction,
  work: FinishedWork,
  isLast = false,
): Promise<number | null> {
  const kept = keepers.flatMap(({ keep }) => keep?.(work) ?? []);
  if (kept.length === 0) return work.changeSet;
  const changeSet = kept.find((rows) => rows.changeSet)?.changeSet ?? sql`${work.changeSet}::int4`;
  const statement = sql`with ${join(kept.flatMap((rows) => rows.with))} select ${changeSet} as id`;
  const [row] = await (isLast && 'last' in db
    ? db.last<{ id: number }>(statement)
    : db.query<{ id: number }>(statement));
  return row?.id ?? null;
}
