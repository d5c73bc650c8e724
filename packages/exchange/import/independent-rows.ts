import { type CsvRow, splitList } from '@kontor/protocol';
import type { ColumnPlan } from './plan-columns.ts';

/**
 * How many rows from the beginning can be written at once: none of them points at another of them. Names of records that an
 * earlier row makes can only be found once that row is written.
 */
export function independentRows({ model, columns, id }: ColumnPlan, rows: readonly CsvRow[]): number {
  const own = columns.filter(({ field, lookup }) => lookup && field.spec.relation === model.name);
  if (own.length === 0) return rows.length;
  const naming = [
    ...columns.filter(({ field }) => field.name === 'name').map(({ index }) => index),
    ...(id ? [id.index] : []),
  ];
  const names = new Set<string>();
  for (const [count, { cells }] of rows.entries()) {
    const asked = own.flatMap(({ index, field }) => {
      const cell = (cells[index] ?? '').trim();
      return field.spec.type === 'many2many' ? splitList(cell) : [cell];
    });
    if (asked.some((name) => names.has(name))) return count;
    for (const index of naming) {
      const name = (cells[index] ?? '').trim();
      if (name !== '') names.add(name);
    }
  }
  return rows.length;
}
