import { useMemo, useRef } from 'react';

/**
 * The new value, with equal parts replaced by the previous objects, so that memoised components do not render again.
 * For JSON-like data.
 */
export function keepEqual<T>(before: unknown, next: T): T {
  if (Object.is(before, next) || !isBox(before) || !isBox(next)) return next;
  if (Array.isArray(before) !== Array.isArray(next)) return next;
  const names = Object.keys(next);
  let isSame = names.length === Object.keys(before).length;
  const kept: Record<string, unknown> = Array.isArray(next) ? ([] as never) : {};
  for (const name of names) {
    const part = keepEqual(before[name], next[name]);
    kept[name] = part;
    isSame &&= Object.hasOwn(before, name) && Object.is(part, before[name]);
  }
  return (isSame ? before : kept) as T;
}

function isBox(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  return Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
}

/** Returns the previous value while it is equal, and reuses its equal parts. */
export function useKept<T>(value: T): T {
  const before = useRef<T>(value);
  return useMemo(() => {
    before.current = keepEqual(before.current, value);
    return before.current;
  }, [value]);
}
