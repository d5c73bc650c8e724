import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createDatabase, ident, sql } from '@kontor/database';
import { initialise, installModules, type Kernel } from '@kontor/kernel';
import { alone, dsnOn, onCluster } from './cluster-work.ts';
import { openKernel } from './open-kernel.ts';
import { templatePrefix } from './template-prefix.ts';

export interface Preparation {
  /** Installed on top of what is required. */
  readonly modules?: readonly string[];
  readonly demo?: boolean;
  /** Folders with further addons. */
  readonly addonsPath?: readonly string[];
  /** False: as before the first-run setup. */
  readonly isSetUp?: boolean;
}

export const testAdmin = { email: 'ada@example.com', password: 'correct horse battery' } as const;

const made = new Map<string, Promise<string>>();

/**
 * The name of a database that is set up as asked, for copies. It is made when it is first asked for, once in a run:
 * a copy takes a fraction of the time of a setup.
 */
export function preparedDatabase(wanted: Preparation): Promise<string> {
  const { modules = [], demo = false, isSetUp = true } = wanted;
  // Folders that hold none of the modules change nothing, and tests that differ in them alone share a template.
  const addonsPath = (wanted.addonsPath ?? []).filter((folder) =>
    modules.some((module) => existsSync(join(folder, module))),
  );
  const key = JSON.stringify([modules, modules.length > 0 && demo, addonsPath, isSetUp]);
  const name = `${templatePrefix()}${createHash('sha256').update(key).digest('hex').slice(0, 12)}`;
  const known = made.get(name) ?? alone(name, () => prepare(name, { modules, demo, addonsPath, isSetUp }));
  made.set(name, known);
  return known;
}

async function prepare(name: string, wanted: Required<Preparation>): Promise<string> {
  const [found] = await onCluster((cluster) =>
    cluster.query(sql`select from pg_database where datname = ${name} and datistemplate`),
  );
  if (found) return name;
  const { modules, isSetUp } = wanted;
  const before =
    modules.length > 0
      ? await preparedDatabase({})
      : isSetUp
        ? await preparedDatabase({ isSetUp: false })
        : 'template1';
  await onCluster(async (cluster) => {
    await cluster.execute(sql`drop database if exists ${ident(name)}`);
    await cluster.execute(sql`create database ${ident(name)} template ${ident(before)}`);
  });
  await changeOnce(name, wanted);
  await onCluster((cluster) => cluster.execute(sql`alter database ${ident(name)} is_template true`));
  return name;
}

async function changeOnce(name: string, { modules, demo, addonsPath, isSetUp }: Required<Preparation>): Promise<void> {
  const dsn = dsnOn(name);
  const database = createDatabase({ dsn, maxConnections: 4 });
  try {
    const kernel = await openKernel(database, { dsn, addonsPath });
    if (modules.length > 0) {
      await kernel.changeModules((context) => installModules(context, modules), { withDemo: demo });
    } else if (isSetUp) await setUp(kernel);
    await kernel.close();
  } finally {
    await database.close();
  }
}

async function setUp(kernel: Kernel): Promise<void> {
  await initialise(kernel, {
    companyName: 'Nordlicht Trading',
    adminName: 'Ada Lindqvist',
    lang: 'en_US',
    apps: [],
    withDemo: false,
    ...testAdmin,
  });
}
