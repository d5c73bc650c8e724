import { ident, type Sql, sql } from '@kontor/database';
import { atField, text, UserError } from '@kontor/protocol';
import { checkOwnerAccess } from '../access/model-access.ts';
import { rulePredicate } from '../domain/rule-predicate.ts';
import type { Env, Field } from '../model/model.ts';
import type { RowWrite, Values } from '../model/records.ts';
import { inList } from '../operation/faults.ts';
import type { ListChange, ListNow } from '../plan/row-change.ts';
import { maxRecordsPerCall } from '../reading/check-records.ts';
import { changesNothing, emptyList, type ListOwner, resolveEdit } from './resolve-edit.ts';

/** Compares the edits of one list field, for all owners at once, with the existing lines. */
export async function planOne2many(env: Env, field: Field, owners: readonly ListOwner[]): Promise<ListChange[]> {
  const lines = env.registry.model(field.spec.relation as string);
  const known = owners.filter(
    ({ edit }) => edit.replaces || edit.update.length + edit.unlink.size + edit.delete.size > 0,
  );
  const now = await linesNow(
    env,
    field,
    known.map((owner) => owner.id),
  );
  const changes = owners.map((owner) => resolveEdit(field, lines, owner, now.get(owner.id) ?? emptyList));
  if (changes.some((change) => change.removed.length > 0)) checkRemovable(env, field);
  return changes.filter((change) => !changesNothing(change));
}

/** The lines of all owners: one unlink, one write, one create. */
export async function applyOne2many(env: Env, field: Field, changes: readonly ListChange[]): Promise<void> {
  const inverse = field.spec.inverse as string;
  const lines = env.model(field.spec.relation as string);
  const isEmptied = !inverseOf(env, field).required;
  const granted = [inverse];
  const gone = changes.flatMap((change) => (isEmptied ? change.deleted : [...change.deleted, ...change.removed]));
  const written = changes.flatMap((change) => rowWrites(change, inverse, isEmptied));
  const created = changes.flatMap(({ owner, created: rows }) =>
    rows.map((row): Values => ({ ...row, [inverse]: owner })),
  );
  for (const part of parts(gone)) await lines.unlink(part);
  for (const part of parts(written)) await inList(field, () => lines.writeEach(part, { granted }));
  for (const part of parts(created)) await inList(field, () => lines.createMany(part, { granted }));
}

function rowWrites(change: ListChange, inverse: string, isEmptied: boolean): RowWrite[] {
  const rows = new Map<number, RowWrite>();
  for (const row of change.updated) {
    const { [inverse]: _, ...values } = row.values;
    rows.set(row.id, { ...row, values });
  }
  for (const id of change.added) {
    const row = rows.get(id);
    rows.set(id, { ...row, id, values: { ...row?.values, [inverse]: change.owner } });
  }
  for (const id of isEmptied ? change.removed : []) rows.set(id, { id, values: { [inverse]: null } });
  return [...rows.values()];
}

function inverseOf(env: Env, field: Field): Field {
  return env.registry.model(field.spec.relation as string).fields.get(field.spec.inverse as string) as Field;
}

/** Removing a line from its owner empties its many2one; if that is required, the line is deleted instead, if it cascades. */
function checkRemovable(env: Env, field: Field): void {
  const inverse = inverseOf(env, field);
  if (!inverse.required || inverse.spec.ondelete === 'cascade') return;
  throw new UserError(
    atField(field.label, text('a line cannot be without its {owner}. Delete it instead.', { owner: inverse.label })),
  );
}

async function linesNow(env: Env, field: Field, owners: readonly number[]): Promise<Map<number, ListNow>> {
  const found = new Map<number, { all: Set<number>; visible: Set<number> }>();
  if (owners.length === 0) return found;
  const model = env.registry.model(field.spec.relation as string);
  checkOwnerAccess(env, model, 'read');
  const inverse: Sql = ident('r', inverseOf(env, field).column as string);
  const rows = await env.db.arrays(sql`
    select ${inverse}, r.id, ${rulePredicate(env, model, 'read', 'r') ?? sql`true`}
    from ${ident(model.table)} r where ${inverse} = any(${owners}::int4[]) order by r.id`);
  for (const id of owners) found.set(id, { all: new Set(), visible: new Set() });
  for (const [owner, id, isVisible] of rows as [number, number, boolean][]) {
    const now = found.get(owner) as { all: Set<number>; visible: Set<number> };
    now.all.add(id);
    if (isVisible) now.visible.add(id);
  }
  return found;
}

function parts<T>(rows: readonly T[]): T[][] {
  const result: T[][] = [];
  for (let start = 0; start < rows.length; start += maxRecordsPerCall)
    result.push(rows.slice(start, start + maxRecordsPerCall));
  return result;
}
