import { isList } from '../given/check-names.ts';
import { isNothing } from '../given/list-edit.ts';
import type { Env, Field } from '../model/model.ts';
import type { FieldChange } from '../model/unit-of-work.ts';
import type { Concern } from '../plan/concern.ts';
import type { ListPlan, ListRow } from '../plan/row-change.ts';
import type { WriteRun } from '../plan/write-run.ts';
import { applyMany2many, planMany2many } from './many2many.ts';
import { applyOne2many, planOne2many } from './one2many.ts';
import { checkAdded, type ListOwner } from './resolve-edit.ts';

async function planLists(env: Env, rows: readonly ListRow[], operation: 'create' | 'write'): Promise<ListPlan[]> {
  const plans: ListPlan[] = [];
  for (const field of new Set(rows.flatMap((row) => [...row.cast.lists.keys()]))) {
    for (const isGiven of [true, false]) {
      const owners = rows.flatMap((row, index) => owner(row, index, field, isGiven) ?? []);
      if (owners.length === 0) continue;
      // Lines that a hook or a default created are the server's: they may set readonly fields. The result of an
      // editable compute is the server's, whatever the caller may see of it.
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

async function applyOne2manys(plans: readonly ListPlan[]): Promise<void> {
  for (const { env, field, changes } of plans) {
    if (field.kind.isLines) await applyOne2many(env, field, changes);
  }
}

/** The previous and current many2manys of each record. */
async function applyMany2manys(plans: readonly ListPlan[]): Promise<Map<number, Map<Field, FieldChange>>> {
  const answers = new Map<number, Map<Field, FieldChange>>();
  const links = plans.filter(({ field }) => field.kind.isLinks);
  const tableOf = ({ field }: ListPlan) => field.through?.table ?? '';
  // One order of tables for all writers, whatever the order of fields in the call.
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

/** Lists are rows of other tables: they are compared with the record and written after it. */
export const lists: Concern = {
  name: 'lists',
  plan({ operation, fields }) {
    if (operation !== 'write' || ![...fields].some(isList)) return null;
    return {
      row: {
        kind: 'change',
        async run(run) {
          run.lists = await planLists(authorOf(run), run.asked, 'write');
        },
      },
    };
  },
};

/** Links between records are written before the change is recorded, lines after it: they are changes of their own. */
export const links: Concern = {
  name: 'list links',
  plan({ operation, fields }) {
    if (operation === 'unlink' || ![...fields].some(isList)) return null;
    return {
      async after(run) {
        // The lists of new records are empty: there is nothing to compare before the record is stored.
        if (operation === 'create') run.lists = await planLists(authorOf(run), run.changes, 'create');
        run.linked = await applyMany2manys(run.lists);
        if (operation === 'create')
          run.changed = new Set([...run.changed, ...run.lists.map(({ field }) => field.name)]);
      },
    };
  },
};

export const lines: Concern = {
  name: 'list lines',
  plan: ({ operation, fields }) =>
    operation !== 'unlink' && [...fields].some(({ kind }) => kind.isLines)
      ? { after: ({ lists: edits }) => applyOne2manys(edits) }
      : null,
};

function authorOf({ env, purpose }: WriteRun): Env {
  return purpose === 'restore' ? env.sudo() : env;
}
