import { ident, sql } from '@kontor/database';
import type { Env, Model } from '@kontor/orm';
import { text, type Words } from '@kontor/protocol';

/** What a cell of a relation stands for: the id of a record, or why there is none. */
export type Found = number | { readonly why: Words };

/** Records of one model by id, external id or name, as far as the person may read them. */
export interface RelationLookup {
  /** Looks up what is not known yet, with as many statements for a thousand cells as for one. */
  prepare(cells: Iterable<string>): Promise<void>;
  find(cell: string): Found;
}

export const idPattern = /^[1-9]\d{0,9}$/;
export const externalPattern = /^[a-z][a-z0-9_]*\.[A-Za-z_][A-Za-z0-9_-]{0,127}$/;
const maxId = 2_147_483_647;

export function createRelationLookup(env: Env, model: Model): RelationLookup {
  const known = new Map<string, number>();
  let missing = new Map<string, Words>();

  async function prepare(cells: Iterable<string>): Promise<void> {
    // What was not there may be there now: rows before may have made it.
    missing = new Map();
    const open = new Set<string>();
    for (const cell of cells) if (!known.has(cell)) open.add(cell);
    if (open.size === 0) return;
    await take(open, await byIds(env, model, open));
    if (open.size > 0) await take(open, await byName(env, model, 'display_name', open));
    if (open.size > 0 && hasOtherName(model)) await take(open, await byName(env, model, 'name', open));
    for (const cell of open) {
      if (!missing.has(cell)) {
        const shown = cell.slice(0, 80);
        missing.set(cell, text('There is no {model} "{name}".', { model: model.label, name: shown }));
      }
    }
  }

  async function take(open: Set<string>, found: ReadonlyMap<string, Found>): Promise<void> {
    for (const [cell, each] of found) {
      open.delete(cell);
      if (typeof each === 'number') known.set(cell, each);
      else missing.set(cell, each.why);
    }
  }

  return { prepare, find: (cell) => known.get(cell) ?? { why: missing.get(cell) ?? '' } };
}

/** Digits are an id and `module.name` an external id, where there is such a record; otherwise they may be a name. */
async function byIds(env: Env, model: Model, cells: ReadonlySet<string>): Promise<Map<string, Found>> {
  const ids = new Map<string, number>();
  for (const cell of cells) if (idPattern.test(cell) && Number(cell) <= maxId) ids.set(cell, Number(cell));
  const external = [...cells].filter((cell) => externalPattern.test(cell));
  for (const [name, id] of await byExternalId(env, model, external)) ids.set(name, id);
  if (ids.size === 0) return new Map();
  const visible = new Set(await env.model(model.name).search([['id', 'in', [...new Set(ids.values())]]]));
  return new Map([...ids].filter(([, id]) => visible.has(id)));
}

/** External ids are the server's own, so no rights are asked for; the records behind them are. */
export async function byExternalId(env: Env, model: Model, names: readonly string[]): Promise<Map<string, number>> {
  if (names.length === 0) return new Map();
  const table = ident(env.registry.model('sys.model.data').table);
  const rows = await env.db.arrays(sql`
    select module || '.' || name, res_id from ${table}
    where model = ${model.name} and module || '.' || name = any(${[...names]}::text[])`);
  return new Map(rows.map(([name, id]) => [name as string, id as number]));
}

/** Those of the external ids that stand for a record of any model, seen or not. Names of records that are gone become free. */
export async function boundIds(env: Env, names: readonly string[]): Promise<string[]> {
  if (names.length === 0) return [];
  const table = ident(env.registry.model('sys.model.data').table);
  const rows = await env.db.query<{ id: number; name: string; model: string; res_id: number }>(sql`
    select id, module || '.' || name as name, model, res_id from ${table}
    where res_id <> 0 and module || '.' || name = any(${[...names]}::text[])`);
  const gone = new Set<number>();
  for (const model of new Set(rows.map((row) => row.model))) {
    const own = rows.filter((row) => row.model === model);
    // Whether a record is there is no more than that a name is taken.
    const isKnown = env.registry.models.has(model);
    const there = isKnown
      ? await env
          .sudo()
          .model(model)
          .search([['id', 'in', own.map((row) => row.res_id)]])
      : [];
    for (const row of own) if (isKnown && !there.includes(row.res_id)) gone.add(row.id);
  }
  if (gone.size > 0) await env.db.execute(sql`update ${table} set res_id = 0 where id = any(${[...gone]}::int4[])`);
  return rows.flatMap((row) => (gone.has(row.id) ? [] : row.name));
}

interface Named {
  readonly id: number;
  readonly isActive: boolean;
}

async function byName(
  env: Env,
  model: Model,
  path: 'display_name' | 'name',
  cells: ReadonlySet<string>,
): Promise<Map<string, Found>> {
  const paths = model.hasActive ? [path, 'active'] : [path];
  const records = await env.model(model.name).searchRead([[path, 'in', [...cells]]], paths, { order: 'id' });
  const named = new Map<string, Named[]>();
  for (const record of records) {
    const name = String(record[path]);
    const same = named.get(name) ?? [];
    same.push({ id: record.id, isActive: record.active !== false });
    named.set(name, same);
  }
  return new Map([...named].map(([name, same]) => [name, onlyOne(model, name, same)]));
}

/** Archived records do not make a name ambiguous. */
function onlyOne(model: Model, name: string, same: readonly Named[]): Found {
  const active = same.filter((each) => each.isActive);
  const [only, second] = active.length > 0 ? active : same;
  if (only && !second) return only.id;
  return {
    why: text('{count} records of {model} are called "{name}". Give the ID of the one that is meant.', {
      count: same.length,
      model: model.label,
      name: name.slice(0, 80),
    }),
  };
}

function hasOtherName(model: Model): boolean {
  const [only, ...others] = model.displayName;
  const isName = others.length === 0 && only !== undefined && 'path' in only && only.path.join('.') === 'name';
  return !isName && model.fields.get('name')?.column != null && model.fields.get('name')?.spec.secret !== true;
}
