import { ident, sql } from '@kontor/database';
import { inverseLists } from '../graph/inverse-lists.ts';
import { lockedLists } from '../graph/locked-lists.ts';
import type { Env, Field, Model, Registry } from '../model/model.ts';
import { settleState } from '../operation/settle-state.ts';
import { type Concern, namesOf } from '../plan/concern.ts';
import { holdFound } from './held-records.ts';

/** What is about to happen to lines. */
interface Touching {
  readonly ids: readonly number[];
  /** Names of the written fields; all of them for lines that are deleted. */
  readonly names: Iterable<string>;
  /** New owners of the lines. */
  readonly next?: (inverse: Field) => readonly unknown[];
}

/**
 * Locks the owners of lines before the lines themselves, if a change of the lines would lock them later: for a stored
 * compute over the lines, or for a state that locks them. Writers of an order with its lines lock in the same order. An
 * operation that began at the owners has already locked them.
 */
export async function lockOwners(env: Env, model: Model, { names, ...touching }: Touching): Promise<void> {
  if (touching.ids.length > 0) await holdOwners(env, model, ownersOf(env, model, names), touching);
}

async function holdOwners(
  env: Env,
  model: Model,
  owners: readonly Owner[],
  { ids: lines, next }: Pick<Touching, 'ids' | 'next'>,
): Promise<void> {
  const { locked } = settleState(env);
  for (const { inverse, parent } of owners) {
    if (locked.has(parent.name)) continue;
    const more = (next?.(inverse) ?? []).filter((id) => typeof id === 'number');
    const column = ident('line', inverse.column as string);
    const ids = sql`
      select ${column} from ${ident(model.table)} line where line.id = any(${lines}::int4[])
      union select unnest(${more}::int4[])`;
    await holdFound(env, parent, ids);
    locked.add(parent.name);
  }
}

/** The owners of lines are locked before the lines. */
export const owners: Concern = {
  name: 'owners',
  plan({ env, model, operation, isCascade, given }) {
    if (operation === 'create' || isCascade) return null;
    const found = ownersOf(env, model, operation === 'write' ? namesOf(given) : model.fields.keys());
    if (found.length === 0) return null;
    return {
      async hold({ env: author, ids, rows }) {
        const values = [...new Set(rows.map((row) => row.values))];
        const next = ({ name }: Field) => values.map((each) => each[name]);
        await holdOwners(author, model, found, { ids, next });
      },
    };
  },
};

interface Owner {
  /** The many2one of the line. */
  readonly inverse: Field;
  readonly parent: Model;
}

/**
 * In the order of their tables, each once. A tree is left out: its records are locked by id, whatever the hierarchy.
 */
function ownersOf(env: Env, model: Model, names: Iterable<string>): readonly Owner[] {
  const found = new Map<string, Owner>();
  const all = [...computedOwners(env.registry, model, names), ...(env.isSudo ? [] : lockedLists(env.registry, model))];
  for (const { inverse, parent } of all) {
    if (parent !== model) found.set(`${parent.table}.${inverse.name}`, { inverse, parent });
  }
  return [...found.keys()].sort().map((key) => found.get(key) as Owner);
}

/** Follows the fields through the line's own computes to stored computes of its owners. */
function* computedOwners(registry: Registry, model: Model, names: Iterable<string>): Iterable<Owner> {
  const open = [...names];
  const seen = new Set(open);
  for (const name of open) {
    for (const trigger of registry.triggers(model.name, name)) {
      if (trigger.model === model.name && trigger.path.length === 0) {
        if (!seen.has(trigger.field)) open.push(trigger.field);
        seen.add(trigger.field);
      }
      const owner =
        trigger.path.length === 1 ? ownerOf(registry, model, trigger.model, trigger.path[0] as string) : null;
      if (owner) yield owner;
    }
  }
}

function ownerOf(registry: Registry, model: Model, parentName: string, listName: string): Owner | null {
  for (const inverse of model.fields.values()) {
    if (!inverse.kind.isToOne || inverse.column === null) continue;
    const list = inverseLists(registry, inverse).find(
      ({ model: parent, field }) => parent.name === parentName && field.name === listName,
    );
    if (list) return { inverse, parent: list.model };
  }
  return null;
}
