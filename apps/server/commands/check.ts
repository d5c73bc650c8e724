import { existsSync } from 'node:fs';
import { createDatabase, type PooledDatabase, sql } from '@kontor/database';
import {
  type Config,
  discoverAddons,
  hasMail,
  outdatedModules,
  presentModules,
  readModuleStates,
} from '@kontor/kernel';
import { mailSettings } from '@kontor/parts';
import { addonRoots } from '../addon-code.ts';
import { checkAddonFolder, hasError } from './check-addon.ts';
import { checkAskedQueries } from './check-queries.ts';
import { type Command, UsageError } from './command.ts';
import { withDatabase, withKernel } from './open-source.ts';

export const check: Command = {
  name: 'check',
  takes: '[DIR]',
  help: 'Looks at configuration, database and modules, changes nothing, and says what stands in the way of a start; with the folder of an addon, or in it, at the addon.',
  details: `An addon is checked without a database: rights, models, views and what they inherit, data files, words, icons, groups,
indexes and, with TypeScript beside it, types. Every mistake is said at once, with file, line and what was probably meant;
exit code 1 when there is an error. Addons outside that build on it are checked with it.

With --queries it proposes indexes from what was really asked: servers count in which ways each model is looked up and sorted, without
values, and write it down once a minute. Each proposal names the line of the addon, what to write there, how often it was asked, how
long it took and about how many rows would be read. Nothing is changed.`,
  words: [0, 1],
  options: [
    { name: 'queries', help: 'Proposes indexes from what the data were really asked.' },
    { name: 'json', help: 'What was found in an addon, or is proposed, as JSON.' },
    {
      name: 'schema',
      value: 'FILE',
      help: 'Writes the XML schema by which editors complete tags, attributes, models and fields.',
    },
    {
      name: 'from',
      value: 'TARBALL',
      help: 'An earlier version of the addon: says what an upgrade from it would refuse or leave behind.',
    },
    { name: 'no-types', help: 'Without the compiler of TypeScript.' },
  ],
  async run({ config, words: [given], option, has }) {
    if (has('queries')) {
      if (given !== undefined)
        throw new UsageError('--queries looks at a database, not at a folder. See kontor check --help.');
      await withKernel(config, (kernel) => checkAskedQueries(kernel, { asJson: has('json') }));
      return;
    }
    const folder = given ?? (existsSync('manifest.json') ? '.' : undefined);
    if (folder !== undefined) {
      const options = {
        asJson: has('json'),
        withTypes: !has('no-types'),
        schema: option('schema'),
        from: option('from'),
      };
      if (hasError(await checkAddonFolder(config, folder, options))) process.exitCode = 1;
      return;
    }
    const problems: string[] = [];
    console.log(`configuration: ${config.configFile ?? 'no file'}`);
    const present = await withDatabase(config, async (database) => {
      console.log(`database: ${await describeDatabase(database, config)}`);
      return presentModules(await readModuleStates(database));
    });
    if (config.dbReadReplicaDsn !== '') problems.push(...(await checkReplica(config.dbReadReplicaDsn)));
    const catalogue = await discoverAddons(addonRoots(config));
    const gone = [...present].filter((name) => !catalogue.has(name));
    if (gone.length > 0) problems.push(`The folders of these modules are not there: ${gone.join(', ')}.`);
    console.log(present.size === 0 ? 'modules: none, the database is empty' : `modules: ${[...present].join(', ')}`);
    const older = present.size > 0 && gone.length === 0 ? await checkModules(config) : [];
    problems.push(...older);
    // An older database has not all that the code would read.
    if (older.length === 0) {
      const mail = await withDatabase(config, (database) => describeMail(database, config, present.size > 0));
      console.log(`mail: ${mail}`);
    }
    if (problems.length > 0) throw new Error(problems.join('\n'));
    console.log('No problem was found.');
  },
};

async function describeDatabase(database: PooledDatabase, { dbDsn, dataDir }: Config): Promise<string> {
  const [facts] = await database.query<{ version: string; size: number }>(sql`
    select current_setting('server_version') as version, pg_database_size(current_database())::float8 as size`);
  const place = dbDsn === '' ? `embedded in ${dataDir}` : 'of your own';
  return `PostgreSQL ${facts?.version}, ${place}, ${((facts?.size ?? 0) / 1_000_000).toFixed(1)} MB`;
}

/** A database without tables has no server set up on the mail screen. */
async function describeMail(database: PooledDatabase, config: Config, hasTables: boolean): Promise<string> {
  const settings = hasTables || hasMail(config) ? await mailSettings(database, config) : null;
  if (!settings) return 'not set up';
  return `by ${settings.smtpHost}, ${settings === config ? 'as configured' : 'as set up on the mail screen'}`;
}

async function checkReplica(dsn: string): Promise<readonly string[]> {
  const replica = createDatabase({ dsn, maxConnections: 1, applicationName: 'kontor command', onWarning: () => {} });
  try {
    const [row] = await replica.query<{ is_replica: boolean }>(sql`select pg_is_in_recovery() as is_replica`);
    return row?.is_replica ? [] : ['db_read_replica_dsn does not lead to a replica.'];
  } catch (error) {
    return [`The replica: ${(error as Error).message}`];
  } finally {
    await replica.close();
  }
}

async function checkModules(config: Config): Promise<readonly string[]> {
  return withKernel(config, async (kernel) => {
    const outdated = await outdatedModules(kernel.database, kernel.registry);
    if (outdated.length > 0) {
      const names = outdated.map(({ module }) => module).join(',');
      return [`The database is older than the code. Run: kontor upgrade ${names}`];
    }
    if (!(await kernel.isInitialised())) console.log('setup: not done yet');
    return [];
  });
}
