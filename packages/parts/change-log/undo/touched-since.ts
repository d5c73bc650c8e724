import { ident, join, type Queryable, sql } from '@kontor/database';
import { type Env, type Model, type Registry, toJson, waysTo } from '@kontor/orm';
import { idsByModel, type NetChange, ownValues, parts, type Values } from './kept-changes.ts';

/** A record of the set that was changed later, or that something was attached to. */
export interface Touch {
  readonly model: Model;
  readonly id: number;
  /** The user; null if it was not a user. */
  readonly userId: number | null;
  /** Names of the fields that were changed. */
  readonly fields: readonly string[];
  /** The model of the attached record. */
  readonly attached: Model | null;
}

/** Locks the records, always in the same order, so that they cannot change between the check and the undo. */
export async function lockRecords(env: Env, changes: readonly NetChange[]): Promise<void> {
  const models = [...idsByModel(changes)].sort(([a], [b]) => (a.table < b.table ? -1 : 1));
  for (const [model, ids] of models) {
    await env.db.execute(sql`
      select from ${ident(model.table)} where id = any(${ids}::int4[]) order by id for update`);
  }
}

/** What happened to the same records after the set. */
export interface LaterChanges {
  readonly touches: readonly Touch[];
  /** The transactions of the set itself and of what does not count: rows that they wrote do not count. */
  readonly transactions: readonly string[];
}

interface LaterRow {
  readonly model: string;
  readonly res_id: number;
  readonly operation: string;
  readonly values: string;
  readonly user_id: number | null;
  readonly counts: boolean;
  readonly transaction: string;
  readonly [column: string]: unknown;
}

/** Changes of the same records after the set. Reverted changes and their reverts do not count, nor do computed values. */
export async function findLaterChanges(
  db: Queryable,
  registry: Registry,
  setId: number,
  changes: readonly NetChange[],
): Promise<LaterChanges> {
  const rows = await db.query<LaterRow>(sql`
    select c.model, c.res_id, c.operation, c.values::text as values, s.user_id, c.xmin::text as transaction,
      c.set_id <> ${setId}::int4 and not s.reverted and (
        not exists (select from sys_change_set back where back.reverted_by_id = s.id)
        or exists (select from sys_change_set back where back.reverted_by_id = s.id and back.id < ${setId}::int4)
      ) as counts
    from unnest(${changes.map(({ model }) => model.name)}::text[], ${changes.map(({ id }) => id)}::int4[])
        as touched(model, res_id)
      join sys_change c on c.model = touched.model and c.res_id = touched.res_id
      join sys_change_set s on s.id = c.set_id
    where c.id >= (select min(id) from sys_change where set_id = ${setId}::int4)
    order by c.id`);
  const touches = rows.flatMap(({ model: name, res_id: id, operation, values, user_id: userId, counts }): Touch[] => {
    const model = registry.model(name);
    const fields = counts ? ownValues(model, JSON.parse(values) as Values).map(([field]) => field.name) : [];
    const isChange = counts && (operation !== 'write' || fields.length > 0);
    return isChange ? [{ model, id, userId, fields, attached: null }] : [];
  });
  return { touches, transactions: [...new Set(rows.flatMap((row) => (row.counts ? [] : row.transaction)))] };
}

/** Records whose values differ from those the set left, however they were changed. */
export async function findDifferentValues(env: Env, changes: readonly NetChange[]): Promise<readonly Touch[]> {
  const touched: Touch[] = [];
  for (const [model] of idsByModel(changes)) {
    const own = changes.filter((change) => change.model === model);
    const names = new Set(own.flatMap((change) => [...change.new.keys()].map((field) => field.name)));
    for (const some of parts(own)) {
      const ids = some.map(({ id }) => id);
      // As the server: it only reveals whether a record is unchanged.
      const rows = await env
        .sudo()
        .model(model.name)
        .searchRead([['id', 'in', ids]], [...names]);
      const now = new Map(rows.map((row) => [row.id, row]));
      for (const change of some) {
        const row = now.get(change.id);
        const fields = row && change.isThere ? differences(change, row) : [];
        if ((row !== undefined) === change.isThere && fields.length === 0) continue;
        touched.push({ model, id: change.id, userId: null, fields, attached: null });
      }
    }
  }
  return touched;
}

function differences({ new: left }: NetChange, now: Readonly<Record<string, unknown>>): string[] {
  return [...left].flatMap(([field, value]) => {
    if (field.through) return toJson(sorted(value)) === toJson(sorted(now[field.name])) ? [] : [field.name];
    const cast = value === null || value === undefined ? null : field.kind.cast(value, field);
    return toJson(cast) === toJson(now[field.name] ?? null) ? [] : [field.name];
  });
}

function sorted(value: unknown): unknown {
  return Array.isArray(value) ? [...(value as number[])].sort((a, b) => a - b) : [];
}

/** How many attached rows of a relation are read; one is enough to fail. */
const maxRead = 5;

/**
 * Records that were attached later to records of the set: by a relation, a link, or a field pair of model and id. Those that the set itself made or
 * changed do not count: what it wrote within a savepoint, as an import does, has another transaction id.
 */
export async function findLaterAttachments(
  env: Env,
  changes: readonly NetChange[],
  transactions: readonly string[],
): Promise<readonly Touch[]> {
  const made = changes.filter((change) => !change.wasThere);
  const inSet = idsByModel(changes);
  const touches: Touch[] = [];
  for (const [model, ids] of idsByModel(made)) {
    const ways = waysTo(env, model);
    if (ways.length === 0) continue;
    const rows = await env.db.arrays(
      join(
        ways.map(
          ({ model: from, table, source, target, author, refersTo }, index) => sql`(
          select ${index}::int4, ${target}, ${author} from ${ident(table)} t
          where ${refersTo(sql`${ids}::int4[]`)} and t.xmin::text <> all(${transactions}::text[])
            and ${source} <> all(${inSet.get(from) ?? []}::int4[]) limit ${maxRead})`,
        ),
        sql` union all `,
      ),
    );
    for (const [index, id, userId] of rows as [number, number, number | null][]) {
      const attached = ways[index]?.model ?? null;
      touches.push({ model, id, userId, fields: [], attached });
    }
  }
  return touches;
}
