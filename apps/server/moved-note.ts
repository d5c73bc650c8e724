import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '@kontor/kernel';

/**
 * Records where the data of a directory was moved; two servers that both claim to have the newest data would be worse
 * than none.
 */
export const movedNote = (dataDir: string): string => join(dataDir, 'moved-to');

export function refuseMoved({ dataDir }: Pick<Config, 'dataDir'>): void {
  const note = movedNote(dataDir);
  if (!existsSync(note)) return;
  throw new Error(
    `The data in ${dataDir} were moved to ${readFileSync(note, 'utf8').trim()}. Set db_dsn to it; ` +
      `or remove ${note} to go on with the data as they were before.`,
  );
}
