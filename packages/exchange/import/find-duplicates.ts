import type { Env } from '@kontor/orm';
import { type ImportFix, text, unguardCell } from '@kontor/protocol';
import { fixFor } from './import-fixes.ts';
import type { Taken } from './match-records.ts';
import type { Column, ColumnPlan } from './plan-columns.ts';
import type { DraftRow } from './read-rows.ts';

interface Same {
  readonly id: number;
  readonly name: string;
}

/**
 * Points out rows that are probably about a record that is there, or about the same one as an earlier row, until the person has said what becomes
 * of them: update it, skip the row, or create another one.
 */
export async function findDuplicates(
  env: Env,
  plan: ColumnPlan,
  rows: readonly DraftRow[],
  taken: Taken,
): Promise<void> {
  for (const column of plan.likely) {
    const known = await recordsWith(env, plan, column, rows);
    for (const row of rows) {
      if (row.leftOut.length > 0 || row.errors.length > 0 || row.id !== '' || row.target !== null) continue;
      const value = comparedValue(row, column);
      if (value === null) continue;
      const key = `~${column.field.name}=${value}`;
      const before = taken.keys.get(key);
      const same = known.get(value);
      // Earlier rows of the file are in the database by now.
      if (before !== undefined) treatRepeated(column, row, before);
      else if (same) treatKnown(plan, column, row, same, taken);
      else taken.keys.set(key, row.row);
    }
  }
}

/** Addresses are compared without case. */
function comparedValue({ values }: DraftRow, { field }: Column): string | null {
  const value = values[field.name];
  return typeof value === 'string' && value.trim() !== '' ? value.trim().toLowerCase() : null;
}

function fixOf({ cells }: DraftRow, { fixes, index }: Column): ImportFix | undefined {
  return fixFor(fixes, unguardCell(cells[index] ?? '').trim());
}

async function recordsWith(
  env: Env,
  { model }: ColumnPlan,
  column: Column,
  rows: readonly DraftRow[],
): Promise<ReadonlyMap<string, Same>> {
  const { name } = column.field;
  const given = rows.flatMap((row) => [comparedValue(row, column) ?? [], row.values[name] ?? []].flat());
  if (given.length === 0) return new Map();
  const asked = [...new Set(given as string[])];
  const found = await env.model(model.name).searchRead([[name, 'in', asked]], [name, 'display_name'], { order: '-id' });
  return new Map(
    found.map((record) => [
      String(record[name]).toLowerCase(),
      { id: record.id, name: String(record.display_name ?? '') },
    ]),
  );
}

function treatKnown({ model }: ColumnPlan, column: Column, row: DraftRow, same: Same, taken: Taken): void {
  const fix = fixOf(row, column);
  const { header } = column;
  if (fix && 'keep' in fix) return;
  if (fix && 'skip' in fix) {
    row.leftOut.push({ row: row.row, column: header, message: text('You chose to skip rows with this value.') });
    return;
  }
  if (!fix || !('update' in fix)) {
    const message = text('There is a {model} with this value already: {name}.', {
      model: model.label,
      name: same.name.slice(0, 80),
    });
    row.errors.push({ row: row.row, column: header, message, kind: 'duplicate', record: same.name });
    return;
  }
  const key = `~${same.id}`;
  const before = taken.keys.get(key);
  if (before !== undefined) return void leaveOut(row, header, before);
  taken.keys.set(key, row.row);
  row.target = same.id;
  // What the file does not say about the record stays.
  row.empty.length = 0;
}

function treatRepeated(column: Column, row: DraftRow, before: number): void {
  const { header } = column;
  const fix = fixOf(row, column);
  if (fix && 'keep' in fix) return;
  if (fix && ('first' in fix || 'skip' in fix || 'update' in fix)) return void leaveOut(row, header, before);
  const message = text('Row {row} has the same value.', { row: before });
  row.errors.push({ row: row.row, column: header, message, kind: 'duplicate', record: null });
}

function leaveOut({ row, leftOut }: DraftRow, column: string, before: number): void {
  leftOut.push({ row, column, message: text('Row {row} has the same value.', { row: before }) });
}
