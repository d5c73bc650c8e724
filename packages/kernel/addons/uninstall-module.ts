import { syncSchema } from '@kontor/database';
import { tableSpecs, typedEnv } from '@kontor/orm';
import { deleteExternalIds, readExternalIds } from './data/external-ids.ts';
import { removeRecords } from './data/remove-records.ts';
import type { InstallContext, ModuleChange } from './install-context.ts';
import { lockModules } from './lock-modules.ts';
import { writeModelRows } from './model-rows.ts';
import { writeModuleRows } from './module-rows.ts';
import { parkRows, parkSchema } from './park-module.ts';
import { planUninstall } from './plan-uninstall.ts';
import { computesOf, knownComputes, recomputeNew } from './recompute-new.ts';

/**
 * Takes a module away, in the caller's transaction: its records in models that stay go, its own tables and columns are
 * parked with their data.
 */
export async function uninstallModule(context: InstallContext, name: string): Promise<ModuleChange> {
  const { tx } = context;
  await lockModules(tx, context.waitMs);
  const plan = await planUninstall(context, name);
  const leaving = plan.current.definitions.get(name);
  await leaving?.hooks.beforeUninstall?.({ env: typedEnv(context.envFor(plan.current.registry, tx).sudo()) });
  const known = await knownComputes(tx);

  await parkRows(tx, name, plan.parkedModels);
  await parkSchema(tx, plan.parked);
  const { registry } = plan.next;
  const schema = await syncSchema(tx, tableSpecs(registry));

  const freshEnv = () => context.envFor(registry, tx).sudo();
  const env = freshEnv();
  // Read again: the hook may have made or removed some.
  const ids = [...(await readExternalIds(env, name)).values()];
  const removal = await removeRecords(tx, freshEnv, ids);
  await deleteExternalIds(
    env,
    ids.map((each) => each.rowId),
  );
  const states = new Map(plan.before).set(name, 'uninstalled');
  await writeModuleRows(env, context.catalogue, states);
  await writeModelRows(env);
  await recomputeNew(env, known, computesOf(registry, leaving?.models ?? []));

  const report = { module: name, done: 'uninstalled' as const, ...removal, migrations: [] };
  return {
    ...plan.next,
    states,
    reports: [{ ...report, created: 0, updated: 0, unchanged: 0 }],
    schema: { done: schema.done, refused: schema.refused },
  };
}
