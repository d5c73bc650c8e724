import { type PooledDatabase, sql } from '@kontor/database';
import { installModules, type Kernel } from '@kontor/kernel';
import { initialise } from '@kontor/parts';
import { openKernel } from './open-kernel.ts';
import { addonsOfRun, holdsAddon } from './place.ts';
import { templateDatabase } from './template-database.ts';

/** The contents of a database at the start of a test. */
export interface Preparation {
  /** Installed in addition to required modules. */
  readonly modules?: readonly string[];
  readonly demo?: boolean;
  /** Folders with further addons, or of further addons; absent: those of the run. */
  readonly addonsPath?: readonly string[];
  /** False: as before the first-run setup. */
  readonly isSetUp?: boolean;
}

/** The administrator of every prepared database. */
export const testAdmin = { email: 'ada@example.com', password: 'correct horse battery' } as const;

/** The hash of that password, with argon2id but only 8 KiB and one pass: a test run signs in many hundred times. */
const quickHash = '$argon2id$v=19$m=8,t=1,p=1$FUwncGZTbUEG6b8LEYVw2Q$bSks0D6Jebo5G+7kkTl/B5z/fQdSkD3R4RNvuUnWLkY';

/**
 * The name of a prepared database to copy from. It is created on first use, once per run: a copy takes a fraction of the time of a
 * setup.
 */
export function preparedDatabase(wanted: Preparation): Promise<string> {
  const { modules = [], demo = false, isSetUp = true } = wanted;
  // Folders without any of the modules change nothing, so tests that differ only in them share a template.
  const addonsPath =
    wanted.addonsPath?.filter((folder) => modules.some((module) => holdsAddon(folder, module))) ?? addonsOfRun();
  const key = JSON.stringify([modules, modules.length > 0 && demo, addonsPath, isSetUp]);
  return templateDatabase(key, {
    async from() {
      if (modules.length > 0) return preparedDatabase({});
      return isSetUp ? preparedDatabase({ isSetUp: false }) : null;
    },
    change: (database, dsn) => changeOnce(database, dsn, { modules, demo, addonsPath, isSetUp }),
  });
}

async function changeOnce(database: PooledDatabase, dsn: string, wanted: Required<Preparation>): Promise<void> {
  const { modules, demo, addonsPath, isSetUp } = wanted;
  const kernel = await openKernel(database, { dsn, addonsPath });
  if (modules.length > 0) {
    await kernel.changeModules((context) => installModules(context, modules), { withDemo: demo });
  } else if (isSetUp) await setUp(kernel, database);
  await kernel.close();
}

async function setUp(kernel: Kernel, database: PooledDatabase): Promise<void> {
  await initialise(kernel, {
    companyName: 'Nordlicht Trading',
    adminName: 'Ada Lindqvist',
    lang: 'en_US',
    country: null,
    apps: [],
    withDemo: false,
    ...testAdmin,
  });
  await database.execute(sql`update core_user set password = ${quickHash} where login = ${testAdmin.email}`);
}
