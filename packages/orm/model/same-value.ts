import type { Field } from './model.ts';

/** Whether two cast values of a field are equal: decimals as numbers, datetimes as instants, json by content. */
export function sameValue({ kind }: Field, a: unknown, b: unknown): boolean {
  const left = a ?? null;
  const right = b ?? null;
  if (left === right) return true;
  return left !== null && right !== null && kind.isSame(left, right);
}
