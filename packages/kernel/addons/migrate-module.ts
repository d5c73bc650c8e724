import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type MigrationFile, migrationChecksum, runMigrations, type Transaction } from '@kontor/database';
import type { Addon } from './catalogue.ts';

/** Runs the migrations of an addon that are due before (`pre`) or after (`post`) the schema sync; answers their names. */
export async function migrateModule(
  tx: Transaction,
  addon: Addon,
  phase: 'pre' | 'post',
  options: { readonly fresh: boolean },
): Promise<readonly string[]> {
  const files = await readMigrations(addon);
  return files.length === 0 ? [] : runMigrations(tx, { module: addon.name, files, phase, fresh: options.fresh });
}

async function readMigrations(addon: Addon): Promise<readonly MigrationFile[]> {
  const folder = join(addon.folder, 'migrations');
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return Promise.all(
    names
      .filter((name) => name.endsWith('.sql'))
      .map(async (name) => {
        const text = await readFile(join(folder, name), 'utf8');
        return { name, text, checksum: migrationChecksum(text) };
      }),
  );
}
