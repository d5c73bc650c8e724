import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  joinTables,
  type MigrationFile,
  migrationChecksum,
  renameSchema,
  runMigrations,
  syncSchema,
  type TableSpec,
  type Transaction,
} from '@kontor/database';
import { type Env, type Registry, schemaRenames, tableSpecs, typedEnv } from '@kontor/orm';
import { KontorError, type Text, text } from '@kontor/protocol';
import { type AssembledModules, assembleModules } from './assemble-modules.ts';
import { checkBrowserNames } from './browser/client-names.ts';
import { type Addon, addonOf } from './catalogue.ts';
import { type CodeMigrationRun, runCodeMigrations } from './code-migrations.ts';
import { refitViews, viewsOf } from './custom/fit-views.ts';
import type { DataRecord } from './data/data-record.ts';
import { dataLanguage, translateRecords } from './data/translate-data.ts';
import { xmlViewLoader } from './data/xml-view-loader.ts';
import { dependencyOrder } from './dependency-order.ts';
import type { InstallContext, InstallState, ModuleChange, ModuleReport } from './install-context.ts';
import { loadModuleData } from './load-module-data.ts';
import { writeModelRows } from './model-rows.ts';
import {
  lockModules,
  modulesToChange,
  presentModules,
  readModuleStates,
  readVersions,
  writeModuleRows,
} from './module-rows.ts';
import { announceRestored, markAway, type RestoredRows, restoreRows, restoreValues } from './park-module.ts';
import { planInstall } from './plan-install.ts';
import { computesOf, fillNewEditables, knownComputes, newEditables, recomputeNew } from './recompute-new.ts';
import { brokenReferences, declaredRenames, renameReferences, withJoined } from './rename-references.ts';
import { requireValues } from './require-values.ts';

/** Installs addons with their dependencies, in the caller's transaction. Installed modules stay as they are. */
export async function installModules(context: InstallContext, names: readonly string[]): Promise<ModuleChange> {
  await lockModules(context.tx, context.waitMs);
  const before = await readModuleStates(context.tx);
  const { install, modules } = planInstall(context.catalogue, modulesToChange(context.catalogue, before), names);
  const upgrade = context.withDemo ? withLateDemo(context, [...install, ...names], install) : [];
  return applyModules(context, { before, modules, install: new Set(install), upgrade: new Set(upgrade) });
}

/**
 * Demonstration data builds on that of dependencies. If one of them, or a module that is named, was installed without, its data is
 * loaded first; otherwise nothing is new.
 */
function withLateDemo(
  { catalogue }: InstallContext,
  names: readonly string[],
  install: readonly string[],
): readonly string[] {
  const fresh = new Set(install);
  return dependencyOrder(catalogue, names).filter(
    (name) => !fresh.has(name) && existsSync(join(addonOf(catalogue, name).folder, 'demo')),
  );
}

/** Upgrades installed modules to their current addons; new dependencies are installed as well. */
export async function upgradeModules(context: InstallContext, names: readonly string[]): Promise<ModuleChange> {
  await lockModules(context.tx, context.waitMs);
  const before = await readModuleStates(context.tx);
  const present = modulesToChange(context.catalogue, before);
  for (const name of names) {
    addonOf(context.catalogue, name);
    if (!present.has(name))
      throw new KontorError('USER_ERROR', text('The module "{module}" is not installed.', { module: name }), {
        module: name,
      });
  }
  const { install, modules } = planInstall(context.catalogue, present, []);
  return applyModules(context, { before, modules, install: new Set(install), upgrade: new Set(names) });
}

/** Activates an inactive module. */
export function activateModule(context: InstallContext, name: string): Promise<ModuleChange> {
  return setState(context, name, 'inactive', 'installed');
}

/** Hides a module's menus and pauses its jobs and routes; its models are still served. */
export function deactivateModule(context: InstallContext, name: string): Promise<ModuleChange> {
  return setState(context, name, 'installed', 'inactive');
}

async function setState(
  context: InstallContext,
  name: string,
  from: InstallState,
  to: InstallState,
): Promise<ModuleChange> {
  await lockModules(context.tx, context.waitMs);
  const { manifest } = addonOf(context.catalogue, name);
  const before = await readModuleStates(context.tx);
  const state = before.get(name) ?? 'uninstalled';
  if (state === 'uninstalled')
    throw refusal(name, text('The module "{module}" is not installed.', { module: manifest.label }));
  if (to === 'inactive' && manifest.required)
    throw refusal(name, text('"{module}" is required and stays active.', { module: manifest.label }));
  const assembled = await assembleModules(context, modulesToChange(context.catalogue, before));
  const states = new Map(before).set(name, to);
  if (state === from)
    await writeModuleRows(
      context.envFor(assembled.registry, context.tx).sudo(),
      context.catalogue,
      states,
      await readVersions(context.tx),
    );
  const report = {
    module: name,
    done: to === 'inactive' ? ('deactivated' as const) : ('activated' as const),
    ...{ created: 0, updated: 0, unchanged: 0, removed: [], kept: [], migrations: [] },
  };
  return { ...assembled, states, reports: [report], broken: [], schema: { done: [], refused: [] } };
}

function refusal(module: string, message: Text): KontorError {
  return new KontorError('USER_ERROR', message, { module });
}

interface ModuleWork {
  readonly before: ReadonlyMap<string, InstallState>;
  /** Every module afterwards. */
  readonly modules: readonly string[];
  readonly install: ReadonlySet<string>;
  readonly upgrade: ReadonlySet<string>;
}

/** Installs and upgrades, inside the caller's transaction: first the schema, then its metadata, then data and hooks. */
// Over 60 lines: the steps of an installation in order, each of which needs the results of the steps before.
async function applyModules(context: InstallContext, work: ModuleWork): Promise<ModuleChange> {
  const { tx, catalogue } = context;
  const assembled = await assembleModules(context, work.modules);
  const { registry, definitions } = assembled;
  checkBrowserNames(definitions);
  const touched = [...definitions.keys()].filter((name) => work.install.has(name) || work.upgrade.has(name));
  const known = await knownComputes(tx);

  const restored = new Map<string, RestoredRows>();
  for (const name of touched) if (work.install.has(name)) restored.set(name, await restoreRows(tx, name));
  const isFresh = (name: string) => restored.get(name)?.isReturning === false;
  const specs = tableSpecs(registry);
  const { renames, renamed } = await renameDeclared(tx, registry, specs);
  const pre = await migrateAll(context, touched, 'pre', isFresh);
  const fresh = await newEditables(tx, registry);
  const schema = await syncSchema(tx, specs, { valuesFollow: true });
  const post = await migrateAll(context, touched, 'post', isFresh);

  const env = context.envFor(registry, tx).sudo();
  const states = new Map(work.before);
  for (const name of work.install) states.set(name, 'installed');
  await renameReferences(env, renames);
  const versions = await readVersions(tx);
  await writeModuleRows(env, catalogue, states, untouched(versions, work));
  await writeModelRows(env);
  await fillNewEditables(env, fresh);
  for (const rows of restored.values()) await announceRestored(env, rows);
  const coded = await migrateByCode(context, env, {
    ...{ touched, definitions },
    versionOf: (name) => (isFresh(name) ? null : (!restored.has(name) && versions.get(name)) || 'unknown'),
  });
  await requireValues(env, tx, schema.awaiting ?? []);
  await recomputeNew(env, known, computesOf(registry, newDefinitions(assembled, work)));

  const lang = await dataLanguage(env);
  const reports: ModuleReport[] = [];
  const records: DataRecord[] = [];
  for (const module of touched) {
    const isNew = work.install.has(module);
    const data = await loadModuleData(context, env, module, definitions.get(module));
    records.push(...data.records);
    await translateRecords(env, {
      module,
      records: data.records,
      touched: data.touched,
      lang,
      translations: assembled.translations,
    });
    if (isNew) await restoreValues(env, tx, module);
    if (isNew) await markAway(env, module, false);
    await runHook(assembled, env, module, isNew);
    const migrations = [pre, post, coded].flatMap((names) => names.get(module) ?? []);
    reports.push({ module, done: isNew ? 'installed' : 'upgraded', ...data.report, migrations });
  }
  await refitViews(context, assembled);
  const check = { ...viewsOf(assembled, catalogue, env), modules: touched, records };
  await (context.viewLoader ?? xmlViewLoader).check?.(check);
  const broken = work.upgrade.size > 0 ? await brokenReferences(env) : [];
  return {
    ...assembled,
    states,
    reports,
    broken,
    schema: { done: [...renamed, ...schema.done], refused: schema.refused },
  };
}

async function migrateAll(
  context: InstallContext,
  modules: readonly string[],
  phase: 'pre' | 'post',
  isFresh: (module: string) => boolean,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const names = new Map<string, readonly string[]>();
  for (const module of modules) {
    const addon = addonOf(context.catalogue, module);
    names.set(module, await migrateModule(context.tx, addon, phase, { fresh: isFresh(module) }));
  }
  return names;
}

async function renameDeclared(tx: Transaction, registry: Registry, specs: readonly TableSpec[]) {
  const renames = await declaredRenames(tx, registry);
  const tables = schemaRenames(registry);
  const renamed = await renameSchema(tx, tables, specs);
  const joined = await joinTables(tx, tables);
  return {
    renames: withJoined(renames, registry, joined),
    renamed: [...renamed, ...joined.map(({ from, to }) => `${from}: joined with ${to}`)],
  };
}

async function migrateByCode(
  { tx, catalogue }: InstallContext,
  env: Env,
  {
    touched,
    definitions,
    versionOf,
  }: Pick<AssembledModules, 'definitions'> & {
    readonly touched: readonly string[];
    readonly versionOf: (module: string) => CodeMigrationRun['from'];
  },
): Promise<ReadonlyMap<string, readonly string[]>> {
  const done = new Map<string, readonly string[]>();
  for (const name of touched) {
    const { manifest } = addonOf(catalogue, name);
    const definition = definitions.get(name);
    if (definition) done.set(name, await runCodeMigrations({ tx, env, manifest, definition, from: versionOf(name) }));
  }
  return done;
}

/** Installed modules that are not upgraded now: their data keeps its version. */
function untouched(versions: ReadonlyMap<string, string>, { before, install, upgrade }: ModuleWork) {
  const present = presentModules(before);
  return new Map([...versions].filter(([name]) => present.has(name) && !install.has(name) && !upgrade.has(name)));
}

function newDefinitions({ definitions }: AssembledModules, work: ModuleWork) {
  return [...definitions].filter(([name]) => work.install.has(name)).flatMap(([, definition]) => definition.models);
}

async function runHook({ definitions }: AssembledModules, env: Env, module: string, isNew: boolean): Promise<void> {
  const hooks = definitions.get(module)?.hooks;
  await (isNew ? hooks?.afterInstall : hooks?.afterUpgrade)?.({ env: typedEnv(env) });
}

/** Runs the due migrations of an addon before (`pre`) or after (`post`) the schema sync; returns their names. */
async function migrateModule(
  tx: Transaction,
  addon: Addon,
  phase: 'pre' | 'post',
  options: { readonly fresh: boolean },
): Promise<readonly string[]> {
  const files = await readMigrations(addon);
  return files.length === 0 ? [] : runMigrations(tx, { module: addon.name, files, phase, fresh: options.fresh });
}

/** The files of an addon's folder `migrations/`. */
export async function readMigrations(addon: Addon): Promise<readonly MigrationFile[]> {
  const folder = join(addon.folder, 'migrations');
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return Promise.all(
    names
      .filter((name) => name.endsWith('.sql'))
      .map(async (name) => {
        const text = await readFile(join(folder, name), 'utf8');
        return { name, text, checksum: migrationChecksum(text) };
      }),
  );
}
