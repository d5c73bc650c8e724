import { createHash } from 'node:crypto';

export interface MigrationFile {
  /** `0001-fill-totals.sql`, or `0001-keep-names.pre.sql`. */
  readonly name: string;
  readonly text: string;
  readonly checksum: string;
}

export type MigrationPhase = 'pre' | 'post';

const fileName = /^(\d{4})-[a-z0-9]+(?:[-_][a-z0-9]+)*(\.pre)?\.sql$/;

/** Number and phase of a file, or null if its name has neither. */
export function parseMigrationName(name: string): { readonly number: string; readonly phase: MigrationPhase } | null {
  const match = fileName.exec(name);
  return match ? { number: match[1] as string, phase: match[2] ? 'pre' : 'post' } : null;
}

/** The same for a checkout with other line endings. */
export function migrationChecksum(text: string): string {
  return createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex');
}
