import { checkChangedLinks } from '../given/given-links.ts';
import type { HookSpec } from '../model/model.ts';
import type { Values } from '../model/records.ts';
import { isWatching } from '../model/watching-hooks.ts';
import { type Concern, namesOf } from '../plan/concern.ts';
import type { WriteRun } from '../plan/write-run.ts';
import { checkRecords } from '../reading/check-records.ts';
import { recomputeStale } from '../settle/recompute-stale.ts';

/** Code of addons that changes what is written. */
export const hooks: Concern = {
  name: 'hooks',
  plan({ model, operation, given }) {
    if (operation === 'create') return model.hooks.some((hook) => hook.beforeCreate || hook.afterCreate) ? {} : null;
    const isDue = (hook: HookSpec) => hook.beforeWrite && isWatching(hook, namesOf(given));
    return model.hooks.some(isDue) ? { before: runBefore } : null;
  },
};

export const afterHooks: Concern = {
  name: 'after hooks',
  plan({ model, operation, fields }) {
    // Among the fields are those that moves set: hooks see them like given ones.
    const isDue = (hook: HookSpec) => hook.afterWrite && isWatching(hook, namesOf(fields));
    return operation === 'write' && model.hooks.some(isDue) ? { after: runAfter } : null;
  },
};

async function runBefore(run: WriteRun): Promise<void> {
  const { env, model, rows, ids, granted, purpose } = run;
  // Hooks must not see records that the caller may not see.
  if (purpose === 'restore') await checkRecords(env, model, ids, 'write');
  else await checkChangedLinks(env, model, rows, granted);
  const final = new Map<Values, Values>();
  for (const [given, own] of idsByValues(rows)) {
    let values: Record<string, unknown> = { ...given };
    // One of them may set a field that another is about.
    for (const hook of model.hooks) {
      if (!hook.beforeWrite || !watches(hook, values)) continue;
      values = await hook.beforeWrite({ env: env.outside(false), ids: own, values });
    }
    final.set(given, values);
  }
  run.rows = rows.map((row) => ({ ...row, values: final.get(row.values) ?? row.values }));
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
  return isWatching(hook, Object.keys(values));
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
