import { ident, type PooledDatabase, sql } from '@kontor/database';
import { createEnv, defineModel, type Env, fields, type ModelDefinition, type Registry } from '@kontor/orm';
import { systemModels } from '@kontor/parts';
import { createTestDatabase, type TestDatabase, templateDatabase } from '@kontor/testing';
import { onTestFinished } from 'vitest';
import { type AddonDefinition, type AddonSpec, defineAddon } from '../addons/define-addon.ts';
import { discoverAddons } from '../addons/discover-addons.ts';
import type { InstallContext, ModuleChange } from '../addons/install-context.ts';
import { installModules, upgradeModules } from '../addons/install-modules.ts';
import { uninstallModule } from '../addons/uninstall-module.ts';
import { systemActor } from '../work/actor.ts';
import { type AddonFiles, addonFolder, writeAddon } from './addon-fixtures.ts';

const neighbours: readonly ModelDefinition[] = ['core.currency', 'core.partner', 'core.country', 'core.lang'].map(
  (name) =>
    defineModel(name, {
      label: name,
      fields: {
        name: fields.char({ required: true }),
        code: fields.char({ unique: true }),
        ...(name === 'core.country' ? { currency_id: fields.many2one('core.currency') } : {}),
      },
    }),
);

const baseFiles: AddonFiles = {
  manifest: { required: true },
  'addon.ts': '',
  'security/groups.xml': `<data>
    <record id="group_user" model="core.group"><field name="name">User</field></record>
    <record id="group_system" model="core.group">
      <field name="name">Administrator</field><field name="implied_ids" refs="group_user"/>
    </record>
  </data>`,
};

export interface ModuleWorld {
  readonly database: PooledDatabase;
  /** Writes an addon's files, replacing those it had under the same paths. */
  write(name: string, files: AddonFiles, code?: AddonSpec): void;
  change(work: (context: InstallContext) => Promise<ModuleChange>, options?: { demo?: boolean }): Promise<ModuleChange>;
  install(names: readonly string[], options?: { demo?: boolean }): Promise<ModuleChange>;
  upgrade(names: readonly string[]): Promise<ModuleChange>;
  uninstall(name: string): Promise<ModuleChange>;
  context(tx: InstallContext['tx'], options?: { demo?: boolean }): Promise<InstallContext>;
  env(registry: Registry): Env;
  /** Rows of every table but the bookkeeping of time, and every column; parked ones left out. */
  snapshot(): Promise<Readonly<Record<string, unknown>>>;
}

const policy = { access: new Map(), rules: new Map() };

/** A database where a base with the kernel's models is installed, or nothing, and a folder of addons of its own. */
export async function moduleWorld(options: { isEmpty?: boolean } = {}): Promise<ModuleWorld> {
  if (options.isEmpty) return worldOn(await createTestDatabase());
  const template = await templateDatabase('module world', {
    change: async (database) => void (await worldOn({ database, drop: async () => {} }).install([])),
  });
  return worldOn(await createTestDatabase({ template }));
}

function worldOn({ database, drop }: Pick<TestDatabase, 'database' | 'drop'>): ModuleWorld {
  onTestFinished(drop);
  const root = addonFolder({ base: baseFiles });
  const code = new Map<string, AddonDefinition>([['base', defineAddon({ models: [...systemModels, ...neighbours] })]]);

  const context: ModuleWorld['context'] = async (tx, options = {}) => ({
    tx,
    catalogue: await discoverAddons([{ folder: root, isShipped: true }]),
    codeOf: async (addon) => code.get(addon.name) ?? defineAddon({}),
    envFor: (registry, on) => createEnv({ registry, db: on, actor: systemActor, policy, isSudo: true }),
    withDemo: options.demo ?? false,
    waitMs: 200,
  });
  const change: ModuleWorld['change'] = (work, options) =>
    database.transaction(async (tx) => work(await context(tx, options)));

  return {
    database,
    context,
    change,
    write(name, files, spec) {
      writeAddon(root, name, spec ? { 'addon.ts': '', ...files } : files);
      if (spec) code.set(name, defineAddon(spec));
    },
    install: (names, options) => change((on) => installModules(on, names), options),
    upgrade: (names) => change((on) => upgradeModules(on, names)),
    uninstall: (name) => change((on) => uninstallModule(on, name)),
    env: (registry) => createEnv({ registry, db: database, actor: systemActor, policy, isSudo: true }),
    snapshot: () => snapshot(database),
  };
}

const timeColumns = new Set(['create_date', 'write_date', 'applied_at']);

async function snapshot(database: PooledDatabase): Promise<Readonly<Record<string, unknown>>> {
  const columns = await database.query<{ table_name: string; column_name: string; type: string }>(sql`
    select table_name::text, column_name::text, data_type || ':' || is_nullable as type
    from information_schema.columns where table_schema = 'public' order by table_name, column_name`);
  const tables = [...new Set(columns.map((column) => column.table_name))];
  const shot: Record<string, unknown> = {};
  for (const table of tables) {
    const rows = await database.query<{ row: string }>(sql`select to_jsonb(t)::text as row from ${ident(table)} as t`);
    shot[table] = {
      columns: columns.filter((c) => c.table_name === table).map((c) => `${c.column_name} ${c.type}`),
      rows: rows.map(({ row }) => withoutIds(JSON.parse(row))).sort(),
    };
  }
  return shot;
}

/** Ids grow with every install; names tell whether a row is the same. */
function withoutIds(row: Record<string, unknown>): string {
  const kept = Object.entries(row).filter(([name]) => name !== 'id' && !timeColumns.has(name) && !/_ids?$/.test(name));
  return JSON.stringify(kept);
}
