import { ident, type Queryable, sql } from '@kontor/database';
import type { Registry } from '@kontor/orm';
import { KontorError, type Text, text, type UninstallPreview } from '@kontor/protocol';
import { type AssembledModules, assembleModules } from './assemble-modules.ts';
import { addonOf, type Catalogue, dependsOf } from './catalogue.ts';
import { type ExternalId, readExternalIds } from './data/external-ids.ts';
import { groupBy } from './data/group-by.ts';
import type { InstallContext, InstallState } from './install-context.ts';
import { type ParkedSchema, schemaToPark } from './park-module.ts';
import { presentModules, readModuleStates } from './read-module-states.ts';

export interface UninstallPlan {
  readonly before: ReadonlyMap<string, InstallState>;
  readonly current: AssembledModules;
  readonly next: AssembledModules;
  /** Records of models that stay. */
  readonly records: readonly ExternalId[];
  readonly parked: ParkedSchema;
  readonly parkedModels: readonly string[];
}

/** What an uninstall would do; refused for a required module and while others depend on it. Changes nothing. */
export async function planUninstall(context: InstallContext, name: string): Promise<UninstallPlan> {
  const before = await readModuleStates(context.tx);
  const present = presentModules(before);
  refuseUninstall(context.catalogue, present, name);
  const current = await assembleModules(context, present);
  const next = await assembleModules(
    context,
    [...present].filter((module) => module !== name),
  );
  const ids = await readExternalIds(context.envFor(current.registry, context.tx).sudo(), name);
  return {
    before,
    current,
    next,
    records: [...ids.values()].filter((each) => next.registry.models.has(each.model)),
    parked: schemaToPark(current.registry, next.registry),
    parkedModels: leavingModels(current.registry, next.registry),
  };
}

export async function previewUninstall(context: InstallContext, name: string): Promise<UninstallPreview> {
  const plan = await planUninstall(context, name);
  const tables = [];
  for (const table of plan.parked.tables) tables.push({ table, rows: await countRows(context.tx, table) });
  return {
    module: name,
    records: [...groupBy(plan.records, (each) => each.model)].map(([model, group]) => ({ model, count: group.length })),
    tables,
    columns: [...plan.parked.columns].flatMap(([table, columns]) => columns.map((column) => ({ table, column }))),
  };
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
