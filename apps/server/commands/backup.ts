import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createDatabase, writeDump } from '@kontor/database';
import { type Config, kontorVersion, readModuleStates } from '@kontor/kernel';
import { keepBackupTime } from '@kontor/parts';
import { writeBackupFile } from '../backup/backup-file.ts';
import { type ConfigKey, configKeyNames, configKeys, propertyName } from '../config/keys.ts';
import type { Command } from './command.ts';
import { openSource } from './open-source.ts';
import { readSecret } from './read-secret.ts';

export const backup: Command = {
  name: 'backup',
  takes: 'FILE',
  help: 'Writes everything that Kontor stores into one file; the server may be running.',
  details: `FILE may be a folder, in which a file with the time in its name is created. Without --encrypt the file is a compressed
SQL script that psql can run too. Without its passphrase an encrypted backup is lost.`,
  words: [1, 1],
  options: [
    { name: 'encrypt', help: 'Encrypt it with a passphrase, from a prompt or standard input.' },
    { name: 'passphrase-file', value: 'FILE', help: 'Encrypt it with the passphrase in the first line of this file.' },
    { name: 'overwrite', help: 'Replace an existing file.' },
  ],
  async run({ config, words: [name = ''], option, has }) {
    const path = fileFor(name);
    if (existsSync(path) && !has('overwrite'))
      throw new Error(`${path} already exists. Add --overwrite to replace it.`);
    const secretFile = option('passphrase-file');
    const passphrase = has('encrypt') || secretFile !== undefined ? await readSecret('Passphrase', secretFile) : null;
    const source = await openSource(config);
    const { connection } = source;
    const database = createDatabase({ connection, maxConnections: 1, applicationName: 'kontor backup' });
    try {
      const modules = await readModuleStates(database);
      const script = writeDump(connection, aboutBackup(config, modules));
      const { bytes, sha256 } = await writeBackupFile(path, script, passphrase);
      // A standby cannot record it, but its backup is complete.
      if (modules.size > 0) await keepBackupTime(database).catch(() => {});
      const kind = passphrase === null ? 'not encrypted' : 'encrypted';
      console.log(`${path}: ${(bytes / 1_000_000).toFixed(1)} MB, ${kind}, sha256 ${sha256}`);
    } finally {
      await database.close();
      await source.close();
    }
  },
};

function fileFor(name: string): string {
  const path = resolve(name);
  if (!existsSync(path) || !statSync(path).isDirectory()) return path;
  const time = new Date().toISOString().replace(/[-:]/g, '').replace(/\..*$/, 'Z');
  return join(path, `kontor-${time}.backup`);
}

/** Paths of this machine, and secrets. */
const leftOut: ReadonlySet<string> = new Set([
  ...[
    'db_dsn',
    'db_direct_dsn',
    'db_read_replica_dsn',
    'data_dir',
    'log_file',
    'http_interface',
    'http_port',
    'setup_token',
  ],
  ...['smtp_password', 'factor_key', 'oidc_client_secret', 'addons_path'],
]);

function aboutBackup(config: Config, modules: ReadonlyMap<string, string>): object {
  const values: Readonly<Record<string, unknown>> = { ...config };
  const settings = configKeyNames.flatMap((name) => {
    const key: ConfigKey<unknown> = configKeys[name];
    const value = values[propertyName(name)];
    const isUsual = JSON.stringify(value) === JSON.stringify(key.kind.parse(key.default, process.cwd()));
    return leftOut.has(name) || isUsual ? [] : [[name, String(value)]];
  });
  return {
    kontor: kontorVersion(),
    made: new Date().toISOString(),
    modules: [...modules].filter(([, state]) => state !== 'uninstalled').map(([name]) => name),
    settings: Object.fromEntries(settings),
  };
}
