import { isNothing } from '../given/list-edit.ts';
import type { Env, Field } from '../model/model.ts';
import type { FieldChange } from '../model/unit-of-work.ts';
import type { Concern } from '../plan/concern.ts';
import type { ListRow } from '../plan/row-change.ts';
import { applyMany2many, planMany2many } from './many2many.ts';
import { applyOne2many, planOne2many } from './one2many.ts';
import { checkAdded, type ListChange, type ListOwner } from './resolve-edit.ts';

/** The edits of one list field for all the records that have any, in whose name they are made. */
export interface ListPlan {
  readonly env: Env;
  readonly field: Field;
  readonly changes: readonly ListChange[];
}

export async function planLists(
  env: Env,
  rows: readonly ListRow[],
  operation: 'create' | 'write',
): Promise<ListPlan[]> {
  const plans: ListPlan[] = [];
  for (const field of new Set(rows.flatMap((row) => [...row.cast.lists.keys()]))) {
    for (const isGiven of [true, false]) {
      const owners = rows.flatMap((row, index) => owner(row, index, field, isGiven) ?? []);
      if (owners.length === 0) continue;
      // Lines that a hook or a default made are the server's: readonly fields are open to them. What an editable compute
      // gives is the server's word, whatever of it the caller may see.
      const author = isGiven ? env : field.isEditable ? env.sudo() : env.outside(false);
      const changes = field.kind.isLines
        ? await planOne2many(author, field, owners)
        : await planMany2many(author, field, owners, operation);
      await checkAdded(author, field, changes, rows.length);
      if (changes.length > 0) plans.push({ env: author, field, changes });
    }
  }
  return plans;
}

export async function applyOne2manys(plans: readonly ListPlan[]): Promise<void> {
  for (const { env, field, changes } of plans) {
    if (field.kind.isLines) await applyOne2many(env, field, changes);
  }
}

/** What the many2manys of each record were and are. */
export async function applyMany2manys(plans: readonly ListPlan[]): Promise<Map<number, Map<Field, FieldChange>>> {
  const answers = new Map<number, Map<Field, FieldChange>>();
  const links = plans.filter(({ field }) => field.kind.isLinks);
  const tableOf = ({ field }: ListPlan) => field.through?.table ?? '';
  // One order of tables for all writers, whatever order the caller named the fields in.
  for (const { env, field, changes } of links.toSorted((a, b) => (tableOf(a) < tableOf(b) ? -1 : 1))) {
    for (const [id, change] of await applyMany2many(env, field, changes)) {
      const known = answers.get(id);
      if (known) known.set(field, change);
      else answers.set(id, new Map([[field, change]]));
    }
  }
  return answers;
}

function owner(row: ListRow, index: number, field: Field, isGiven: boolean): ListOwner | null {
  const edit = row.cast.lists.get(field);
  if (edit === undefined || isNothing(edit)) return null;
  if ((row.given[field.name] === row.values[field.name]) !== isGiven) return null;
  const seen = (row.base?.get(field) as readonly number[] | undefined) ?? null;
  return { id: row.id, row: index, edit, seen, conflicts: row.conflicts };
}

/** Lines and links are rows of other tables. */
export const lists: Concern = {
  name: 'lists',
  plan: ({ fields }) => ([...fields].some(({ kind }) => kind.isList) ? { runs: ['row', 'after'] } : null),
};
