import { storedValues } from '../given/cast-values.ts';
import type { HookSpec } from '../model/model.ts';
import type { Values } from '../model/records.ts';
import { isHookDue } from '../model/watching-hooks.ts';
import { type Concern, namesOf } from '../plan/concern.ts';
import type { WriteRun } from '../plan/write-run.ts';
import { recomputeStale } from '../settle/recompute-stale.ts';

/** Code of addons that changes what is written, or prevents a deletion. */
export const hooks: Concern = {
  name: 'hooks',
  plan({ model, operation, given }) {
    if (operation === 'create')
      return model.hooks.some((hook) => hook.beforeCreate) ? { before: runBeforeCreate, isOpen: true } : null;
    if (operation === 'unlink')
      return model.hooks.some((hook) => hook.beforeUnlink) ? { detach: runBeforeUnlink } : null;
    const isDue = (hook: HookSpec) => hook.beforeWrite && isHookDue(hook, namesOf(given));
    return model.hooks.some(isDue) ? { before: runBefore, isOpen: true } : null;
  },
};

/** Code of addons that follows from what was written. */
export const afterHooks: Concern = {
  name: 'after hooks',
  plan({ model, operation, fields }) {
    if (operation === 'create') return model.hooks.some((hook) => hook.afterCreate) ? { after: runAfterCreate } : null;
    if (operation === 'unlink') return model.hooks.some((hook) => hook.afterUnlink) ? { after: runAfterUnlink } : null;
    // Among the fields are those that moves set: hooks see them like given ones.
    const isDue = (hook: HookSpec) => hook.afterWrite && isHookDue(hook, namesOf(fields));
    return model.hooks.some(isDue) ? { after: runAfter } : null;
  },
};

async function runBeforeCreate(run: WriteRun): Promise<void> {
  const { env, model, rows } = run;
  let values: readonly Readonly<Record<string, unknown>>[] = rows.map((row) => row.values);
  for (const hook of model.hooks) {
    if (hook.beforeCreate) values = await hook.beforeCreate({ env: env.outside(false), values });
  }
  if (values.length !== rows.length) {
    throw new Error(`${model.name}: a beforeCreate hook made ${values.length} records of ${rows.length}.`);
  }
  // Defaults are filled in: what a hook answers may be the caller's, or the same object for several records.
  run.rows = rows.map((row, index) => ({ ...row, values: afterHook(run, row.values, values[index] ?? {}) }));
}

async function runBefore(run: WriteRun): Promise<void> {
  const { env, model, rows } = run;
  const final = new Map<Values, Values>();
  for (const [given, own] of idsByValues(rows)) {
    let values: Record<string, unknown> = { ...given };
    // One of them may set a field that another is about.
    for (const hook of model.hooks) {
      if (!hook.beforeWrite || !watches(hook, values)) continue;
      values = await hook.beforeWrite({ env: env.outside(false), ids: own, values });
    }
    final.set(given, afterHook(run, given, values));
  }
  run.rows = rows.map((row) => ({ ...row, values: final.get(row.values) ?? row.values }));
}

/** An undo restores what was there: a hook may add to it and change nothing of it. */
function afterHook({ purpose }: WriteRun, given: Values, answered: Values): Values {
  return purpose === 'restore' ? { ...answered, ...given } : { ...answered };
}

async function runBeforeUnlink({ env, model, ids }: WriteRun): Promise<void> {
  for (const hook of model.hooks) await hook.beforeUnlink?.({ env: env.outside(false), ids });
}

async function runAfterCreate({ env, model, ids, changes }: WriteRun): Promise<void> {
  await recomputeStale(env);
  const values = changes.map((change) => storedValues(change.values, change.cast));
  for (const hook of model.hooks) await hook.afterCreate?.({ env: env.outside(false), ids, values });
}

async function runAfterUnlink({ env, model, ids }: WriteRun): Promise<void> {
  await recomputeStale(env);
  for (const hook of model.hooks) await hook.afterUnlink?.({ env: env.outside(false), ids });
}

/** Only for records that did change. */
async function runAfter({ env, model, changes, touched }: WriteRun): Promise<void> {
  if (touched.size === 0) return;
  const groups = idsByValues(changes.filter((change) => touched.has(change.id)));
  const due = [...groups].flatMap(([values, ids]) =>
    model.hooks.filter((hook) => hook.afterWrite && watches(hook, values)).map((hook) => ({ hook, values, ids })),
  );
  if (due.length > 0) await recomputeStale(env);
  for (const { hook, values, ids } of due) await hook.afterWrite?.({ env: env.outside(false), ids, values });
}

function watches(hook: HookSpec, values: Values): boolean {
  return isHookDue(hook, Object.keys(values));
}

function idsByValues(rows: readonly { readonly id: number; readonly values: Values }[]): Map<Values, number[]> {
  const groups = new Map<Values, number[]>();
  for (const row of rows) {
    const ids = groups.get(row.values);
    if (ids) ids.push(row.id);
    else groups.set(row.values, [row.id]);
  }
  return groups;
}
