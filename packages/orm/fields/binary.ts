import { BadValue, type FieldKind } from './kind.ts';
import { isAbsent } from './text-check.ts';

/** Bytes; base64 in server code and on the wire, `bytea` in the database. */
export const binaryKind: FieldKind = {
  column: () => 'bytea',
  cast: (value) => (isAbsent(value) || value === '' ? null : checkBase64(value)),
  toParameter: (value) => (value === null ? null : Buffer.from(value as string, 'base64')),
  fromCell: (cell) => (cell === null ? null : (cell as Buffer).toString('base64')),
  cellToJson: (cell) => `"${(cell as Buffer).toString('base64')}"`,
  isEmpty: (value) => isAbsent(value) || value === '',
};

/** Buffer decodes anything without complaint, so the text is compared with what its bytes encode to. */
export function checkBase64(value: unknown): string {
  if (typeof value !== 'string') throw new BadValue('Give the file as base64 text.');
  if (value.length % 4 !== 0 || Buffer.from(value, 'base64').toString('base64') !== value) {
    throw new BadValue('This is not valid base64.');
  }
  return value;
}
