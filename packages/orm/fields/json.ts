import { BadValue, defineKind, isAbsent } from './kind.ts';
import { checkText } from './text.ts';

const maxDepth = 64;

/** Any JSON value; null is an empty field. */
export const jsonKind = defineKind('json', {
  column: () => 'jsonb',
  backfill: () => "'{}'",
  cast(value) {
    if (isAbsent(value)) return null;
    check(value, 0);
    return value;
  },
  fromText(cell) {
    try {
      return JSON.parse(cell);
    } catch {
      throw new BadValue('Must be a JSON value.');
    }
  },
  toText: (value) => JSON.stringify(value),
  toParameter: (value) => (value === null ? null : JSON.stringify(value)),
  fromCell: (cell) => (cell === null ? null : JSON.parse(cell as string)),
  cellToJson: (cell) => cell as string,
  wire: 'json',
});

function check(value: unknown, depth: number): void {
  if (depth > maxDepth) throw new BadValue(`JSON may be nested at most ${maxDepth} deep.`);
  if (value === null || typeof value === 'boolean') return;
  if (typeof value === 'string') return void checkText(value);
  if (typeof value === 'number' && Number.isFinite(value)) return;
  if (Array.isArray(value)) {
    for (const item of value) check(item, depth + 1);
    return;
  }
  if (!isPlainObject(value)) throw new BadValue('Must be a JSON value.');
  for (const [key, item] of Object.entries(value)) {
    checkText(key);
    check(item, depth + 1);
  }
}

function isPlainObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
