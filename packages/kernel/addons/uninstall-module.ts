import { ident, type Queryable, sql, syncSchema } from '@kontor/database';
import { type ExternalId, groupBy, type Registry, readExternalIds, tableSpecs, typedEnv } from '@kontor/orm';
import { KontorError, type Text, text, type UninstallPreview } from '@kontor/protocol';
import { type AssembledModules, assembleModules } from './assemble-modules.ts';
import { addonOf, type Catalogue, dependsOf } from './catalogue.ts';
import { refitViews, unloadSteps } from './custom/fit-views.ts';
import { findUses, keepUsed, spreadKept } from './data/record-uses.ts';
import { removeRecords } from './data/remove-records.ts';
import type { InstallContext, InstallState, ModuleChange } from './install-context.ts';
import { writeModelRows } from './model-rows.ts';
import { lockModules, modulesToChange, readModuleStates, readVersions, writeModuleRows } from './module-rows.ts';
import { markAway, type ParkedSchema, parkRecords, parkRows, parkSchema, schemaToPark } from './park-module.ts';
import { computesOf, knownComputes, recomputeNew } from './recompute-new.ts';

/**
 * Uninstalls a module, in the caller's transaction. Its own tables and columns are parked with their data. Its records
 * in remaining models are put aside, except those that users changed or refer to: these stay, disabled if they are
 * rights.
 */
export async function uninstallModule(context: InstallContext, name: string): Promise<ModuleChange> {
  const { tx } = context;
  await lockModules(tx, context.waitMs);
  const plan = await planUninstall(context, name);
  const leaving = plan.current.definitions.get(name);
  await leaving?.hooks.beforeUninstall?.({ env: typedEnv(context.envFor(plan.current.registry, tx).sudo()) });
  const known = await knownComputes(tx);

  // The customisation of its views is not put aside with them: it is fitted again below, and when the module comes back.
  await unloadSteps(context, plan.current);
  await parkRows(tx, name, plan.parkedModels);
  await parkSchema(tx, plan.parked);
  const { registry } = plan.next;
  const schema = await syncSchema(tx, tableSpecs(registry));

  const freshEnv = () => context.envFor(registry, tx).sudo();
  const env = freshEnv();
  // Read again: the hook may have created or removed some.
  const ids = [...(await readExternalIds(env, name)).values()];
  const removal = await removeRecords(tx, freshEnv, ids, {
    keepsUsed: true,
    before: (going) => parkRecords(freshEnv(), tx, name, going),
  });
  await markAway(env, name, true);
  const states = new Map(plan.before).set(name, 'uninstalled');
  await writeModuleRows(env, context.catalogue, states, await readVersions(tx));
  await writeModelRows(env);
  await recomputeNew(env, known, computesOf(registry, leaving?.models ?? []));
  await refitViews(context, plan.next);

  const report = { module: name, done: 'uninstalled' as const, ...removal, migrations: [] };
  return {
    ...plan.next,
    states,
    reports: [{ ...report, created: 0, updated: 0, unchanged: 0 }],
    broken: [],
    schema: { done: schema.done, refused: schema.refused },
  };
}

export interface UninstallPlan {
  readonly before: ReadonlyMap<string, InstallState>;
  readonly current: AssembledModules;
  readonly next: AssembledModules;
  readonly parked: ParkedSchema;
  readonly parkedModels: readonly string[];
}

/** What an uninstall would do; rejected for a required module and while others depend on it. Changes nothing. */
export async function planUninstall(context: InstallContext, name: string): Promise<UninstallPlan> {
  const before = await readModuleStates(context.tx);
  const present = modulesToChange(context.catalogue, before);
  refuseUninstall(context.catalogue, present, name);
  const current = await assembleModules(context, present);
  const next = await assembleModules(
    context,
    [...present].filter((module) => module !== name),
  );
  return {
    before,
    current,
    next,
    parked: schemaToPark(current.registry, next.registry),
    parkedModels: leavingModels(current.registry, next.registry),
  };
}

/** A module and what depends on it, each before those that it stands on. */
function uninstallOrder(catalogue: Catalogue, present: ReadonlySet<string>, name: string): readonly string[] {
  const direct = [...present].filter((other) => dependsOf(addonOf(catalogue, other), catalogue).includes(name));
  return [...new Set([...direct.flatMap((other) => uninstallOrder(catalogue, present, other)), name])];
}

/** Takes a module away together with all that depend on it, which go first. */
export async function uninstallWithDependents(context: InstallContext, name: string): Promise<ModuleChange> {
  const [first = name, ...others] = await orderOf(context, name);
  let change = await uninstallModule(context, first);
  for (const module of others) {
    const next = await uninstallModule(context, module);
    change = { ...next, reports: [...change.reports, ...next.reports] };
  }
  return change;
}

/** What that would do, all together. It does it to find out: the caller rolls back. */
export async function previewWithDependents(context: InstallContext, name: string): Promise<UninstallPreview> {
  const order = await orderOf(context, name);
  const previews: UninstallPreview[] = [];
  for (const module of order) {
    previews.push(await previewUninstall(context, module));
    if (module !== name) await uninstallModule(context, module);
  }
  const counts = new Map<string, number>();
  for (const { model, count } of previews.flatMap(({ records }) => records))
    counts.set(model, (counts.get(model) ?? 0) + count);
  return {
    module: name,
    dependents: order.slice(0, -1),
    records: [...counts].map(([model, count]) => ({ model, count })),
    things: previews.flatMap(({ things }) => things),
    tables: previews.flatMap(({ tables }) => tables),
    columns: previews.flatMap(({ columns }) => columns),
  };
}

/** A required module is refused by itself, before anything that stands on it. */
async function orderOf({ tx, catalogue }: InstallContext, name: string): Promise<readonly string[]> {
  const present = modulesToChange(catalogue, await readModuleStates(tx));
  return addonOf(catalogue, name).manifest.required ? [name] : uninstallOrder(catalogue, present, name);
}

export async function previewUninstall(context: InstallContext, name: string): Promise<UninstallPreview> {
  const plan = await planUninstall(context, name);
  const tables = [];
  for (const table of plan.parked.tables) tables.push({ table, rows: await countRows(context.tx, table) });
  const rowsOf = new Map(tables.map(({ table, rows }) => [table, rows]));
  const things = plan.parkedModels.flatMap((model) => {
    const { label, table, module, isTransient } = plan.current.registry.model(model);
    const count = rowsOf.get(table) ?? 0;
    return count === 0 || isTransient ? [] : [{ model, label, module, count }];
  });
  return {
    module: name,
    dependents: [],
    things,
    records: [...groupBy(await recordsToGo(context, plan, name), (each) => each.model)].map(([model, group]) => ({
      model,
      count: group.length,
    })),
    tables,
    columns: [...plan.parked.columns].flatMap(([table, columns]) => columns.map((column) => ({ table, column }))),
  };
}

/** Records of remaining models that would be removed with the module. */
async function recordsToGo(
  context: InstallContext,
  { next }: UninstallPlan,
  name: string,
): Promise<readonly ExternalId[]> {
  const env = context.envFor(next.registry, context.tx).sudo();
  const ids = [...(await readExternalIds(env, name)).values()].filter(
    (each) => each.resId !== 0 && next.registry.models.has(each.model),
  );
  const uses = await findUses(env, ids);
  const kept = keepUsed(uses, ids);
  spreadKept(uses, ids, kept);
  return ids.filter((each) => !kept.has(each.id));
}

function refuseUninstall(catalogue: Catalogue, present: ReadonlySet<string>, name: string): void {
  const { label, required } = addonOf(catalogue, name).manifest;
  const refuse = (message: Text, details: object = {}): never => {
    throw new KontorError('USER_ERROR', message, { module: name, ...details });
  };
  if (!present.has(name)) refuse(text('The module "{module}" is not installed.', { module: label }));
  if (required) refuse(text('"{module}" is required and cannot be uninstalled.', { module: label }));
  const dependents = [...present].filter((other) => dependsOf(addonOf(catalogue, other), catalogue).includes(name));
  if (dependents.length > 0) {
    const names = dependents.join(', ');
    refuse(text('"{module}" cannot be uninstalled while these depend on it: {names}.', { module: label, names }), {
      dependents,
    });
  }
}

function leavingModels(before: Registry, after: Registry): readonly string[] {
  return [...before.models.keys()].filter((model) => !after.models.has(model));
}

async function countRows(db: Queryable, table: string): Promise<number> {
  const [row] = await db.query<{ rows: number }>(sql`select count(*)::int4 as rows from ${ident(table)}`);
  return row?.rows ?? 0;
}
