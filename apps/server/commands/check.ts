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
import type { Command } from './command.ts';
import { withDatabase, withKernel } from './open-source.ts';

export const check: Command = {
  name: 'check',
  takes: '',
  help: 'Looks at configuration, database and modules, changes nothing, and says what stands in the way of a start.',
  words: [0, 0],
  options: [],
  async run({ config }) {
    const problems: string[] = [];
    console.log(`configuration: ${config.configFile ?? 'no file'}`);
    const { present, mail } = await withDatabase(config, async (database) => {
      console.log(`database: ${await describeDatabase(database, config)}`);
      const installed = presentModules(await readModuleStates(database));
      return { present: installed, mail: await describeMail(database, config, installed.size > 0) };
    });
    if (config.dbReadReplicaDsn !== '') problems.push(...(await checkReplica(config.dbReadReplicaDsn)));
    const catalogue = await discoverAddons(addonRoots(config));
    const gone = [...present].filter((name) => !catalogue.has(name));
    if (gone.length > 0) problems.push(`The folders of these modules are not there: ${gone.join(', ')}.`);
    console.log(present.size === 0 ? 'modules: none, the database is empty' : `modules: ${[...present].join(', ')}`);
    if (present.size > 0 && gone.length === 0) problems.push(...(await checkModules(config)));
    console.log(`mail: ${mail}`);
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
    if (!(await kernel.isInitialised())) console.log('setup: not done yet');
    if (outdated.length === 0) return [];
    const names = outdated.map(({ module }) => module).join(',');
    return [`The database is older than the code. Run: kontor upgrade ${names}`];
  });
}
