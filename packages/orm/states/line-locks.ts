import { ident, sql } from '@kontor/database';
import type { Env, Field, Model } from '../model/model.ts';
import { lockedIn, refuseSettled } from './check-locks.ts';
import { lockedLists } from './locked-lists.ts';
import { rememberState, stateBefore } from './states-before.ts';

/**
 * Lines of a record are settled with it: none comes, changes or goes while its list is locked. `parentsOf` gives what the
 * lines pointed at and point at now. The records are locked in id order, so that none is settled meanwhile.
 */
export async function checkLineLocks(
  env: Env,
  model: Model,
  operation: 'create' | 'write' | 'unlink',
  parentsOf: (inverse: Field) => Iterable<unknown>,
): Promise<void> {
  const lists = env.isSudo ? [] : lockedLists(env.registry, model);
  for (const { inverse, parent, list } of lists) {
    const ids = [...new Set(parentsOf(inverse))].filter((id) => typeof id === 'number');
    await readStates(env, parent, ids);
    for (const id of ids) {
      const state = stateBefore(env, parent, id) ?? null;
      if (!lockedIn(parent, state).has(list.name)) continue;
      await refuseSettled(env, { model: parent, id, state, list }, { model, operation });
    }
  }
}

async function readStates(env: Env, parent: Model, ids: readonly number[]): Promise<void> {
  const unknown = ids.filter((id) => stateBefore(env, parent, id) === undefined);
  if (unknown.length === 0) return;
  const rows = await env.db.arrays(sql`
    select id, ${ident(parent.states?.field ?? '')} from ${ident(parent.table)}
    where id = any(${unknown}::int4[]) order by id for no key update`);
  for (const [id, state] of rows) rememberState(env, parent, id as number, state as string | null);
}
