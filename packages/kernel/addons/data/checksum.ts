import { createHash } from 'node:crypto';
import type { DataRecord } from './data-record.ts';

/** Tells whether a record's values in the files are those of the last load; where they stand in the file does not matter. */
export function checksumOf(record: DataRecord): string {
  const values = record.fields
    .filter((field) => !(record.model === 'sys.view' && (field.name === 'file' || field.name === 'line')))
    .map((field) => [field.name, field.value] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([record.model, values]))
    .digest('hex');
}
