import { AddonError } from '../addon-error.ts';
import type { DataRecord, DataValue } from './data-record.ts';
import { ownExternalId, referredIds } from './external-ids.ts';
import type { DataFile } from './list-data-files.ts';
import { type NamedRow, readRows } from './read-csv-file.ts';

const columns = ['id', 'name', 'model', 'group', 'read', 'write', 'create', 'unlink'];
const rights = ['read', 'write', 'create', 'unlink'];

/** `security/access.csv`: who may do what with which model. */
export function readAccessFile(file: DataFile, text: string): readonly DataRecord[] {
  const { header, rows } = readRows(file, text);
  if (header.join() !== columns.join()) {
    throw new AddonError({ addon: file.addon, file: file.file, line: 1 }, `The header must be ${columns.join()}.`);
  }
  return rows.map((row) => accessRecord(file, row));
}

function accessRecord(file: DataFile, { line, cells }: NamedRow): DataRecord {
  const place = { addon: file.addon, file: file.file, line };
  const text = (name: string): DataValue => ({ kind: 'text', text: cells[name] ?? '' });
  for (const right of rights) {
    if (cells[right] === '0' || cells[right] === '1') continue;
    throw new AddonError(place, `"${right}" must be 0 or 1, not "${cells[right]}".`);
  }
  return {
    place,
    id: ownExternalId(cells.id ?? '', place),
    model: 'sys.access',
    noupdate: false,
    fields: [
      { name: 'name', line, value: text('name') },
      { name: 'model', line, value: text('model') },
      { name: 'group_id', line, value: { kind: 'refs', refs: referredIds(cells.group ?? '', place) } },
      ...rights.map((right) => ({ name: `perm_${right}`, line, value: text(right) })),
    ],
  };
}
