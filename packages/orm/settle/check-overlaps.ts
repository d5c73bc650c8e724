import { ident, join, sql } from '@kontor/database';
import type { Exclude } from '../model/behaviour.ts';
import type { Env, Model } from '../model/model.ts';
import { addIds, debtsOf, type IdsByName } from '../operation/settle-state.ts';
import { type Concern, namesOf } from '../plan/concern.ts';
import { overlapMessages, overlapsOf } from '../reading/overlapping.ts';
import { translated } from '../rows/rows.ts';
import { ConstraintError, type Violation } from './check-constraints.ts';

const dueOverlaps = (env: Env): IdsByName => debtsOf(env, 'overlaps');

/**
 * Rejects records whose ranges overlap, and names the other. Concurrent writes are rejected by the database, which
 * knows only the message.
 */
export async function checkOverlaps(env: Env): Promise<void> {
  const overlapping = dueOverlaps(env);
  const due = [...overlapping];
  overlapping.clear();
  for (const [modelName, idsOf] of due) {
    const model = env.registry.model(modelName);
    const violations: Violation[] = [];
    for (const exclude of model.excludes) {
      const ids = [...(idsOf.get(exclude.name) ?? [])];
      if (ids.length > 0) violations.push(...(await violationsOf(env, model, exclude, ids)));
    }
    if (violations.length > 0) throw new ConstraintError(env.registry, violations);
    await enforce(
      env,
      model.excludes.filter(({ name }) => idsOf.has(name)),
    );
  }
}

async function violationsOf(env: Env, model: Model, exclude: Exclude, ids: readonly number[]): Promise<Violation[]> {
  const found = await overlapsOf(env, model, exclude, ids);
  const messageOf = await overlapMessages(
    env,
    model,
    exclude,
    found.map(([, other]) => other),
  );
  return found.map(([id, other]) => ({
    ...{ model: model.name, id, field: exclude.range[0] },
    message: messageOf(other),
  }));
}

/** Concurrent writers do not see each other's records; the database does. */
async function enforce(env: Env, excludes: readonly Exclude[]): Promise<void> {
  if (excludes.length === 0) return;
  const names = join(excludes.map(({ constraint }) => ident(constraint)));
  const statements = [sql`set constraints ${names} immediate`, sql`set constraints ${names} deferred`];
  await translated(env, () => env.db.execute(join(statements, sql`; `)));
}

/** Ranges of a model that must not overlap are compared when the operation ends. */
export const overlaps: Concern = {
  name: 'overlaps',
  plan({ model, operation, fields }) {
    const isWatched = (names: ReadonlySet<string>) => (each: Exclude) =>
      operation === 'create' || each.on.some((name) => names.has(name));
    if (operation === 'unlink' || !model.excludes.some(isWatched(new Set(namesOf(fields))))) return null;
    return {
      after({ env, touched, changed }) {
        if (touched.size === 0) return;
        for (const { name } of model.excludes.filter(isWatched(changed)))
          addIds(dueOverlaps(env), model.name, name, touched);
      },
    };
  },
};
