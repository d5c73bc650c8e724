import { existsSync } from 'node:fs';
import { createDatabase, type PooledDatabase, sql } from '@kontor/database';
import {
  type Config,
  customisationBreaks,
  discoverAddons,
  hasMail,
  type Kernel,
  outdatedModules,
  presentModules,
  readModuleStates,
  readVersions,
} from '@kontor/kernel';
import { mailSettings, unfittingParts } from '@kontor/parts';
import { inEnglish } from '@kontor/protocol';
import { addonRoots } from '../addon-code.ts';
import { checkAddonFolder, hasError } from './check-addon.ts';
import { checkAskedQueries } from './check-queries.ts';
import { type Command, UsageError } from './command.ts';
import { withDatabase, withKernel } from './open-source.ts';

export const check: Command = {
  name: 'check',
  takes: '[DIR]',
  help: 'Checks configuration, database and modules for anything that would prevent a start, without changing them; with the folder of an addon, or in it, checks the addon.',
  details: `An addon is checked without a database: rights, models, views and what they inherit, data files, translations, icons, groups,
indexes and, if TypeScript is installed, types. All mistakes are printed at once, with file, line and a suggestion;
the exit code is 1 if there is an error. External addons that depend on it are checked with it.

With --queries it proposes indexes from actual queries: servers count how each model is searched and sorted, without
values, and store the counts once a minute. Each proposal names the line of the addon, the index to add, the number and
duration of the queries, and the estimated number of rows. Nothing is changed.`,
  words: [0, 1],
  options: [
    { name: 'queries', help: 'Propose indexes from actual queries.' },
    { name: 'json', help: 'Print the findings or proposals as JSON.' },
    {
      name: 'schema',
      value: 'FILE',
      help: 'Write the XML schema for completion of tags, attributes, models and fields in editors.',
    },
    {
      name: 'from',
      value: 'TARBALL',
      help: 'An earlier version of the addon: says what an upgrade from it would refuse or leave behind.',
    },
    { name: 'no-types', help: 'Skip the TypeScript compiler.' },
  ],
  async run({ config, words: [given], option, has }) {
    if (has('queries')) {
      if (given !== undefined)
        throw new UsageError('--queries checks a database, not a folder. See kontor check --help.');
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
    // An older database lacks some of what the code would read.
    if (older.length === 0) {
      const mail = await withDatabase(config, (database) => describeMail(database, config, present.size > 0));
      console.log(`mail: ${mail}`);
    }
    if (older.length === 0 && present.size > 0 && gone.length === 0) await printCustomisation(config);
    if (problems.length > 0) throw new Error(problems.join('\n'));
    console.log('No problem was found.');
  },
};

/** Installed modules whose addon has another version than was last installed or upgraded. */
async function waitingModules({ database, catalogue, loaded }: Kernel) {
  const versions = await readVersions(database);
  return [...loaded.definitions.keys()].flatMap((name) => {
    const [from, to] = [versions.get(name), catalogue.get(name)?.manifest.version];
    return from === to ? [] : [{ name, from, to }];
  });
}

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

/** What an upgrade left out of the customisation: nothing fails by it, but somebody should know. */
async function printCustomisation(config: Config): Promise<void> {
  const parts = await withKernel(config, unfittingParts);
  for (const { at, message } of parts) console.log(`customisation: ${at} is left out: ${inEnglish(message)}`);
}

/** What the upgrade that waits would leave out of the customisation. */
async function printBreaks(kernel: Kernel, modules: readonly string[]): Promise<void> {
  const breaks = await kernel.inspectModules((context) => customisationBreaks(context, modules));
  for (const { at, message } of breaks)
    console.log(`customisation: ${at} would be left out by the upgrade: ${inEnglish(message)}`);
}

async function checkModules(config: Config): Promise<readonly string[]> {
  return withKernel(config, async (kernel) => {
    const outdated = await outdatedModules(kernel.database, kernel.registry);
    if (outdated.length > 0) {
      const names = outdated.map(({ module }) => module).join(',');
      await printBreaks(
        kernel,
        outdated.map(({ module }) => module),
      );
      return [`The database is older than the code. Run: kontor upgrade ${names}`];
    }
    const waiting = await waitingModules(kernel);
    if (waiting.length > 0) {
      const moves = waiting.map(({ name, from, to }) => `${name} ${from} → ${to}`).join(', ');
      const names = waiting.map(({ name }) => name).join(',');
      await printBreaks(
        kernel,
        waiting.map(({ name }) => name),
      );
      return [`These modules are newer than the database: ${moves}. Run: kontor upgrade ${names}`];
    }
    if (!(await kernel.isInitialised())) console.log('setup: not done yet');
    return [];
  });
}
