import { resolve } from 'node:path';
import { checkDump, type DumpSummary, loadDump } from '@kontor/database';
import { type Config, discoverAddons } from '@kontor/kernel';
import { addonRoots } from '../addon-code.ts';
import { isEncrypted, readBackupFile } from '../backup/backup-file.ts';
import type { Command } from './command.ts';
import { openSource } from './open-source.ts';
import { readSecret } from './read-secret.ts';

export const restore: Command = {
  name: 'restore',
  takes: 'FILE',
  help: 'Fills an empty database, or an empty data directory, from a backup.',
  details: `The whole file is verified first; an incomplete or modified file is rejected before anything is changed.
Stop Kontor first, and start it afterwards.`,
  words: [1, 1],
  options: [
    {
      name: 'passphrase-file',
      value: 'FILE',
      help: 'The passphrase of an encrypted backup, in the first line of this file.',
    },
    { name: 'check', help: 'Only verify the backup and print its contents.' },
  ],
  async run({ config, words: [name = ''], option, has }) {
    const path = resolve(name);
    const passphrase = (await isEncrypted(path)) ? await readSecret('Passphrase', option('passphrase-file')) : null;
    const found = await checkDump(readBackupFile(path, passphrase));
    console.log(`${path} is valid: ${describe(found)}.`);
    if (has('check')) return;
    const source = await openSource(config, { mayCreate: true });
    try {
      if (source.isShared) throw new Error('Kontor is running on this data directory. Stop it first.');
      const { rows, tables } = await loadDump(source.connection, readBackupFile(path, passphrase));
      console.log(`Restored ${rows} rows of ${tables} tables.`);
    } finally {
      await source.close();
    }
    await printMissingParts(config, found);
  },
};

function describe({ about, tables, rows }: DumpSummary): string {
  return `made ${String(about.made ?? 'at an unknown time')} by Kontor ${String(about.kontor ?? '?')}, ${tables} tables, ${rows} rows`;
}

/** A backup contains data, but no code and no secrets of the configuration. */
async function printMissingParts(config: Config, { about }: DumpSummary): Promise<void> {
  const catalogue = await discoverAddons(addonRoots(config));
  const modules = Array.isArray(about.modules) ? about.modules.map(String) : [];
  const missing = modules.filter((name) => !catalogue.has(name));
  if (missing.length > 0) console.log(`Missing addons, put their folders into addons_path: ${missing.join(', ')}.`);
  const settings = Object.entries((about.settings ?? {}) as Record<string, unknown>);
  if (settings.length === 0) return;
  console.log('Configuration of the original server, without paths, addresses and secrets:');
  for (const [key, value] of settings) console.log(`  ${key} = ${String(value)}`);
}
