import { join, type Queryable, type Sql, sql, type Transaction } from '@kontor/database';
import { type Change, type Registry, toJson } from '@kontor/orm';
import type { FieldChange } from '@kontor/protocol';

/** An event with its recipients. Ids and names, never the values of a record. */
export interface OutboxEvent {
  readonly channel: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** Only users who may read this model receive it. */
  readonly model?: string;
  readonly companyId?: number | null;
  /** Only this user receives it. */
  readonly userId?: number;
}

/** Who acted in a user's name, and why, as far as known. */
export interface Purpose {
  /** The name of the agent that used their key; null: the user, or a plain program. */
  readonly agent: string | null;
  /** Its task: everything of one task is undone together. */
  readonly task: string | null;
  readonly reason: string | null;
}

export const noPurpose: Purpose = { agent: null, task: null, reason: null };

/**
 * The rows that a unit of work stores: at its end or, for long work, in between. For a change by one statement, user and reason are
 * slots of that statement.
 */
export interface FinishedWork {
  /** Null: the server. */
  readonly uid: unknown;
  readonly requestId: unknown;
  /** The IP address of the request, and its session or key. */
  readonly address: unknown;
  readonly via: unknown;
  readonly purpose: Readonly<Record<keyof Purpose, unknown>>;
  /** Its changes in models that are not quiet; null: none. */
  readonly changed: ChangedRows | null;
  readonly events: readonly OutboxEvent[];
  /** The change set stored before, in the same unit of work. */
  readonly changeSet: number | null;
  /** What the unit of work recorded besides its changes. */
  readonly memo: ReadonlyMap<string, unknown>;
  /** False: it had external effects, so it cannot be undone. */
  readonly canUndo: boolean;
}

export interface ChangedRows {
  /** A table expression `c` with `model`, `res_id`, `operation`, `company_id` and `values`, the change as JSON. */
  readonly rows: Sql;
  /** False: the statement may find that nothing is to be changed; then it has no rows. */
  readonly isCertain: boolean;
}

/** Secret values never leave their column. */
export function changedRows(registry: Registry, changes: readonly Change[]): ChangedRows | null {
  if (changes.length === 0) return null;
  const ids = changes.map(({ id }) => id);
  const models = changes.map(({ model }) => model);
  const operations = changes.map(({ operation }) => operation);
  const companies = changes.map(({ companyId }) => companyId ?? null);
  // As one text with a line for each: in an array every quote would be escaped here and unescaped there.
  const values = valuesLines(registry, changes);
  const rows = sql`rows from (unnest(${models}::text[], ${ids}::int4[], ${operations}::text[], ${companies}::int4[]),
    string_to_table(${values}::text, chr(10))) as c(model, res_id, operation, company_id, values)`;
  return { rows, isCertain: true };
}

/**
 * The values of each change as a line of JSON. All are joined at once: growing strings piece by piece costs several
 * times as much.
 */
function valuesLines(registry: Registry, changes: readonly Change[]): string {
  const pieces: string[] = [];
  for (const { model, values } of changes) {
    if (pieces.length > 0) pieces.push('\n');
    const { fields } = registry.model(model);
    let before = '{"';
    for (const name of Object.keys(values)) {
      if (fields.get(name)?.spec.secret) continue;
      const change = values[name] as FieldChange;
      // A new record has no earlier values.
      if (change.old === null && change.new !== undefined) {
        pieces.push(before, name, '":{"old":null,"new":', toJson(change.new), '}');
      } else pieces.push(before, name, '":', toJson(change));
      before = ',"';
    }
    pieces.push(before === '{"' ? '{}' : '}');
  }
  return pieces.join('');
}

/** Rows that a part writes with every unit of work, as a piece of one statement. */
export interface KeptRows {
  /** Each `name as (insert …)`; names are unique among all parts. */
  readonly with: readonly Sql[];
  /** Returns the number of the change set. */
  readonly changeSet?: Sql;
}

export interface RowKeeper {
  readonly keep: ((work: FinishedWork) => KeptRows | null) | null;
}

export const nothingFinished = {
  ...{
    uid: null,
    requestId: null,
    address: null,
    via: null,
    changed: null,
    events: [],
    changeSet: null,
    canUndo: true,
  },
  purpose: noPurpose,
  memo: new Map<string, unknown>(),
} as const;

/** Writes the rows of each part for finished work, in one statement. Returns the change set. */
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
