import { ident, type Sql, sql } from '@kontor/database';
import { fillDefault } from '../defaults/apply-defaults.ts';
import { isList } from '../given/check-names.ts';
import { listEdit } from '../given/list-edit.ts';
import { applyMany2many, planMany2many } from '../lists/many2many.ts';
import type { Env, Field, Model } from '../model/model.ts';
import { pathTree } from '../reading/guard-record.ts';
import { updateRows } from '../rows/rows.ts';
import { inOperation } from '../settle/in-operation.ts';
import { markStale } from '../settle/mark-stale.ts';
import { type Portion, silently } from '../settle/recompute-all.ts';
import { addRoot, type DraftNode, openDraft, valueAt, wireValue } from './draft.ts';
import { fill, loadInto } from './fill.ts';

const batchSize = 2000;

/**
 * Computes editable computes on every record, for an upgrade that adds them. The changes are neither recorded nor
 * checked by constraints.
 */
export function fillAll(env: Env, model: Model, fields: readonly Field[]): Promise<void> {
  return inBatches(env, model, sql`true`, (ids) => fillSome(env.sudo(), model, ids, fields));
}

/** The same for a new field with a default: records without a value get it. */
export function fillDefaults(env: Env, model: Model, field: Field): Promise<void> {
  const column = ident(field.column as string);
  return inBatches(env, model, sql`${column} is null`, async (ids) => {
    const company = model.hasCompany ? ident('company_id') : sql`null`;
    const cells = await env.db.arrays(
      sql`select id, ${company} from ${ident(model.table)} where id = any(${ids}::int4[]) order by id`,
    );
    const rows = cells.map(
      ([id, companyId]) => ({ id: id as number, company_id: companyId }) as Record<string, unknown>,
    );
    await fillDefault(env.sudo(), model, field, rows);
    const values = rows.map((row) => ({
      id: row.id as number,
      values: new Map([[field, field.kind.cast(row[field.name] ?? null, field)]]),
    }));
    await updateRows(env, model, [field], values);
    await markStale(env, model, ids, [field.name], { isMade: true });
  });
}

/**
 * The same for one field and a portion of the records: those that have no value yet, except `hidden`. Returns the id to continue
 * after, or null at the end.
 */
export async function fillPortion(
  env: Env,
  model: Model,
  field: Field,
  { after, until, size, hidden }: Portion & { readonly hidden: readonly number[] },
): Promise<number | null> {
  const { column, through } = field;
  const isEmpty = through
    ? sql`not exists (select from ${ident(through.table)} l where l.${ident(through.own)} = t.id)`
    : sql`${ident('t', column as string)} is null`;
  // A column that always has a value does not tell whether somebody gave it.
  const isOpen = through || !(field.required || field.kind.absent !== null) ? isEmpty : sql`true`;
  return silently(env, async () => {
    const rows = await env.db.arrays(sql`
      select id from ${ident(model.table)} t where id > ${after} and id <= coalesce(${until}::int4, id) and ${isOpen}
        and id <> all(${[...hidden]}::int4[])
      order by id limit ${size} for no key update`);
    const ids = rows.map((row) => row[0] as number);
    if (ids.length === 0) return null;
    await inOperation(env, () => fillSome(env.sudo(), model, ids, [field]));
    return ids.at(-1) as number;
  });
}

function inBatches(env: Env, model: Model, where: Sql, work: (ids: readonly number[]) => Promise<void>): Promise<void> {
  return silently(env, async () => {
    let last = 0;
    for (;;) {
      const rows = await env.db.arrays(sql`
        select id from ${ident(model.table)} where id > ${last} and ${where}
        order by id limit ${batchSize} for no key update`);
      const ids = rows.map((row) => row[0] as number);
      if (ids.length === 0) return;
      await inOperation(env, () => work(ids));
      last = ids.at(-1) as number;
    }
  });
}

async function fillSome(env: Env, model: Model, ids: readonly number[], fields: readonly Field[]): Promise<void> {
  const draft = openDraft(env);
  const others = env.registry.editableComputes(model.name).filter((field) => !fields.includes(field));
  const nodes = ids.map((id) => {
    const node = addRoot(draft, model, id);
    node.changed = null;
    node.pinned = new Set(others.map((field) => field.name));
    return node;
  });
  await loadInto(draft, model, nodes, [...fields]);
  await fill(draft, nodes, pathTree(fields.map((field) => field.name)));
  const columns = fields.filter((field) => field.column !== null);
  const storedValue = (node: DraftNode, field: Field): unknown => {
    const value = wireValue(valueAt(draft, node, field));
    // A required column already has a placeholder value.
    return field.required && field.kind.isEmpty(value) ? wireValue(node.loaded.get(field.name)) : value;
  };
  const rows = nodes.map((node) => ({
    id: node.id,
    values: new Map(columns.map((field) => [field, storedValue(node, field)])),
  }));
  await updateRows(env, model, columns, rows);
  for (const field of fields.filter(isList)) await link(env, field, nodes);
  await markStale(
    env,
    model,
    ids,
    fields.map((field) => field.name),
    { isMade: true },
  );
}

async function link(env: Env, field: Field, nodes: readonly DraftNode[]): Promise<void> {
  const owners = nodes.map(({ id, computed }, row) => {
    const ids = (wireValue(computed.get(field.name) ?? []) ?? []) as readonly number[];
    return { id, row, edit: listEdit([['set', ids]]), seen: null, conflicts: {} };
  });
  await applyMany2many(env, field, await planMany2many(env, field, owners, 'write'));
}
