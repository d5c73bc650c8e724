import { isDeepStrictEqual } from 'node:util';
import { Decimal } from '../decimal.ts';
import type { Field } from '../model/model.ts';

/** Whether two cast values of a field mean the same: decimals as numbers, datetimes as instants, json by content. */
export function sameValue(field: Field, a: unknown, b: unknown): boolean {
  const left = a ?? null;
  const right = b ?? null;
  if (left === right) return true;
  if (left === null || right === null) return false;
  if (left instanceof Decimal && right instanceof Decimal) return left.eq(right);
  if (field.spec.type === 'datetime') return Date.parse(String(left)) === Date.parse(String(right));
  return typeof left === 'object' && typeof right === 'object' && isDeepStrictEqual(left, right);
}
