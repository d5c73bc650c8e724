import { setTimeout as pause } from 'node:timers/promises';
import { type Queryable, sql, type Transaction } from '@kontor/database';
import type { Env } from '@kontor/orm';
import { defineModel, type FieldsOf, fields, now } from '@kontor/orm/author';
import { KontorError } from '@kontor/protocol';
import { AddonError } from './addon-error.ts';
import { baseModule, type Catalogue, dependsOf } from './catalogue.ts';
import { codeWords } from './code-words.ts';
import type { InstallState } from './install-context.ts';
import { syncRows } from './sync-rows.ts';

const moduleFields = {
  name: fields.char({ required: true, unique: true, size: 64, label: 'Technical name' }),
  label: fields.char({ required: true, size: 200 }),
  version: fields.char({ size: 32 }),
  state: fields.selection(
    { uninstalled: 'Not installed', installed: 'Installed', inactive: 'Inactive' },
    { required: true, default: 'uninstalled' },
  ),
  summary: fields.text({}),
  category: fields.char({ size: 128 }),
  application: fields.boolean({}),
  depends: fields.json({}),
  auto_install: fields.boolean({}),
  author: fields.char({ size: 200 }),
  icon: fields.char({ size: 200 }),
  reads: fields.json({
    label: 'Words',
    help: 'What the code that last upgraded the module can read in rules, actions and views.',
  }),
};
export interface SysModule extends FieldsOf<typeof moduleFields> {}

const migrationFields = {
  module: fields.char({ required: true, size: 64 }),
  name: fields.char({ required: true, size: 200 }),
  checksum: fields.char({ required: true, size: 64 }),
  applied_at: fields.datetime({ required: true, default: now }),
};
export interface SysMigration extends FieldsOf<typeof migrationFields> {}

declare module '@kontor/orm' {
  interface Models {
    'sys.module': SysModule;
    'sys.migration': SysMigration;
  }
}

export const sysModule = defineModel('sys.module', {
  label: 'Module',
  noCompany: 'Modules are those of the whole server.',
  closedToAgents: true,
  order: 'label, id',
  displayName: '{label}',
  quiet: true,
  fields: moduleFields,
});

export const sysMigration = defineModel('sys.migration', {
  label: 'Migration',
  noCompany: 'Modules are those of the whole server.',
  order: 'module, name',
  displayName: '{module}/{name}',
  quiet: true,
  fields: migrationFields,
  uniques: { module_and_name: { fields: ['module', 'name'] } },
});

/**
 * Rows of sys.module: every addon of the catalogue, and its state. The version is that of the last install or upgrade,
 * even if the addon on disk is newer.
 */
export async function writeModuleRows(
  env: Env,
  catalogue: Catalogue,
  states: ReadonlyMap<string, InstallState>,
  /** The version of the data, if the addon has another by now. */
  versions: ReadonlyMap<string, string> = new Map(),
): Promise<void> {
  const [base] = await env.model('sys.module').searchRead([['name', '=', baseModule]], ['reads']);
  const reads = base?.reads ?? null;
  const rows = [...catalogue.values()].map(({ name, manifest }) => ({
    name,
    label: manifest.label,
    version: versions.get(name) ?? manifest.version,
    reads: name !== baseModule ? null : versions.has(name) ? reads : codeWords(),
    state: states.get(name) ?? 'uninstalled',
    summary: manifest.summary || null,
    category: manifest.category || null,
    application: manifest.application,
    depends: manifest.depends,
    auto_install: manifest.auto_install,
    author: manifest.author || null,
    icon: manifest.icon || null,
  }));
  await syncRows(env, 'sys.module', ['name'], rows, { prune: true });
}

/** State by module according to the database; empty before the first install. */
export async function readModuleStates(db: Queryable): Promise<ReadonlyMap<string, InstallState>> {
  const [table] = await db.query<{ is_there: boolean }>(sql`select to_regclass('sys_module') is not null as is_there`);
  if (!table?.is_there) return new Map();
  const rows = await db.query<{ name: string; state: InstallState }>(
    sql`select name, state from sys_module order by name`,
  );
  return new Map(rows.map((row) => [row.name, row.state]));
}

/** The version of each module according to the database. */
export async function readVersions(db: Queryable): Promise<ReadonlyMap<string, string>> {
  const [table] = await db.query<{ is_there: boolean }>(sql`select to_regclass('sys_module') is not null as is_there`);
  if (!table?.is_there) return new Map();
  const rows = await db.query<{ name: string; version: string }>(
    sql`select name, version from sys_module where version is not null`,
  );
  return new Map(rows.map((row) => [row.name, row.version]));
}

/** Modules whose models are served: installed and inactive ones. */
export function presentModules(states: ReadonlyMap<string, InstallState>): ReadonlySet<string> {
  return new Set([...states].filter(([, state]) => state !== 'uninstalled').map(([name]) => name));
}

/** The modules that can be loaded: their folders exist, and those of all dependencies. */
export function loadableModules(catalogue: Catalogue, modules: ReadonlySet<string>): ReadonlySet<string> {
  const found = new Set([...modules].filter((name) => catalogue.has(name)));
  for (;;) {
    const lame = [...found].filter((name) => {
      const addon = catalogue.get(name);
      return addon && dependsOf(addon, catalogue).some((needed) => !found.has(needed) && modules.has(needed));
    });
    if (lame.length === 0) return found;
    for (const name of lame) found.delete(name);
  }
}

/**
 * Served modules, for a change of them. Rejected while the folder of one is missing: its rows would be taken for
 * leftovers.
 */
export function modulesToChange(catalogue: Catalogue, states: ReadonlyMap<string, InstallState>): ReadonlySet<string> {
  const present = presentModules(states);
  const gone = [...present].find((name) => !catalogue.has(name));
  if (gone === undefined) return present;
  throw new AddonError(
    { addon: gone },
    'It is installed, but its folder is not there. Put it back, or name its place in addons_path, before modules are changed.',
  );
}

const moduleChange = 0x6b6f6e75;
const pauseMs = 100;

/** One change of modules at a time in the database; the transaction releases the lock. */
export async function lockModules(tx: Transaction, waitMs = 30_000): Promise<void> {
  const until = Date.now() + waitMs;
  for (;;) {
    const [row] = await tx.query<{ got: boolean }>(sql`select pg_try_advisory_xact_lock(${moduleChange}) as got`);
    if (row?.got) return;
    if (Date.now() >= until) {
      throw new KontorError('CONFLICT', 'Someone else is changing modules right now. Try again in a moment.');
    }
    await pause(pauseMs);
  }
}
