import type { Axis, SortKey } from './pivot-table.ts';

/** How figures are shown: as values, or as a share of a total. */
export type Share = 'value' | 'row' | 'column' | 'all';

export type PivotOrder = Readonly<Record<Axis, SortKey | null>>;

/** `order` in the URL: for each axis the measure (`-`: highest first) and the group of the other axis. */
export function readOrder(text: string): PivotOrder {
  try {
    const [rows = null, columns = null] = JSON.parse(text || '[]') as (readonly [string, string] | null)[];
    return { rows: readKey(rows), columns: readKey(columns) };
  } catch {
    return { rows: null, columns: null };
  }
}

function readKey(key: readonly [string, string] | null): SortKey | null {
  if (key === null || key.length !== 2 || typeof key[0] !== 'string') return null;
  const isDescending = key[0].startsWith('-');
  return { measure: isDescending ? key[0].slice(1) : key[0], path: String(key[1]), isDescending };
}

export function writeOrder({ rows, columns }: PivotOrder): string {
  if (!rows && !columns) return '';
  const write = (key: SortKey | null) => key && [`${key.isDescending ? '-' : ''}${key.measure}`, key.path];
  return JSON.stringify([write(rows), write(columns)]);
}

/** Highest first, then lowest first, then unsorted. */
export function nextOrder(now: SortKey | null, measure: string, path: string): SortKey | null {
  if (now?.measure !== measure || now.path !== path) return { measure, path, isDescending: true };
  return now.isDescending ? { ...now, isDescending: false } : null;
}
