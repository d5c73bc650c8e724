import { dropLeft, ident, join, sql, type Transaction } from '@kontor/database';
import { type Env, type Model, typedEnv } from '@kontor/orm';
import { AddonError } from './addon-error.ts';
import type { AddonDefinition } from './define-addon.ts';
import type { Manifest } from './manifest.ts';
import { isOlder } from './version-range.ts';

const versionPattern = /^\d+\.\d+\.\d+$/;

/** The mistake in the migrations of an addon's code, or null. */
export function migrationFault({ migrations }: AddonDefinition, { version }: Pick<Manifest, 'version'>): string | null {
  for (const each of Object.keys(migrations)) {
    if (!versionPattern.test(each)) return `The migration "${each}" is not named after a version such as 1.2.0.`;
    if (isOlder(version, each))
      return `The migration "${each}" is for a later version than that of the manifest, ${version}.`;
  }
  return null;
}

export interface CodeMigrationRun {
  readonly tx: Transaction;
  /** Under sudo, on the models of the new version. */
  readonly env: Env;
  readonly manifest: Manifest;
  readonly definition: AddonDefinition;
  /** The version of the data: `null` if the module has none yet, `unknown` if it is reinstalled. */
  readonly from: string | null | 'unknown';
}

/** Runs the due migrations in code, the oldest version first; returns their versions. */
export async function runCodeMigrations({ tx, env, manifest, definition, from }: CodeMigrationRun): Promise<string[]> {
  const versions = Object.keys(definition.migrations).sort((a, b) => (isOlder(a, b) ? -1 : 1));
  if (versions.length === 0) return [];
  const fault = migrationFault(definition, manifest);
  if (fault !== null) throw new AddonError({ addon: manifest.name, file: 'addon.ts' }, fault);
  const rows = await tx.query<{ name: string }>(sql`select name from sys_migration where module = ${manifest.name}`);
  const logged = new Set(rows.map(({ name }) => name));
  const isDue = (version: string) => from !== null && (from === 'unknown' || isOlder(from, version));
  const due: string[] = [];
  for (const version of versions.filter((each) => !logged.has(each))) {
    if (isDue(version)) {
      await runOne(tx, env, manifest.name, version, definition);
      due.push(version);
    }
    await tx.execute(sql`insert into sys_migration (module, name, checksum, applied_at)
      values (${manifest.name}, ${version}, 'code', clock_timestamp())`);
  }
  return due;
}

async function runOne(tx: Transaction, env: Env, module: string, version: string, { migrations }: AddonDefinition) {
  const before = (name: string, columns: readonly string[]) => readLeft(tx, env.registry.model(name), columns);
  const drop = async (name: string, columns: readonly string[]) => {
    const model = env.registry.model(name);
    for (const column of await leftColumns(tx, model, columns)) await dropLeft(tx, { table: model.table, column });
  };
  try {
    await migrations[version]?.({ env: typedEnv(env), before, drop });
  } catch (error) {
    const located = new AddonError(
      { addon: module },
      `The migration to ${version} failed, and nothing was changed: ${error instanceof Error ? error.message : String(error)}`,
    );
    located.cause = error;
    throw located;
  }
}

/** Values of columns that the model no longer declares, of all records. */
async function readLeft(tx: Transaction, model: Model, columns: readonly string[]) {
  const left = await leftColumns(tx, model, columns);
  if (left.length === 0) return [];
  const named = join(left.map((column) => ident(column)));
  const rows = await tx.query<{ row: string }>(
    sql`select to_jsonb(r)::text as row from (select id, ${named} from ${ident(model.table)} order by id) r`,
  );
  return rows.map(({ row }) => JSON.parse(row) as { readonly id: number } & Readonly<Record<string, unknown>>);
}

/** The columns that exist; a column that is still declared is rejected. */
async function leftColumns(tx: Transaction, model: Model, columns: readonly string[]): Promise<readonly string[]> {
  const used = columns.find((column) => model.fields.get(column)?.column);
  if (used !== undefined) throw new Error(`${model.name}.${used} is a field: read and write it by env.`);
  const rows = await tx.query<{ name: string }>(sql`
    select attname as name from pg_attribute
    where attrelid = to_regclass(quote_ident(${model.table})) and attname = any(${columns}::text[]) and not attisdropped`);
  const there = new Set(rows.map(({ name }) => name));
  return columns.filter((column) => there.has(column));
}
