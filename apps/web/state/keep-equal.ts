import { useMemo, useRef } from 'react';

/**
 * What came anew, with each part that is as it was taken from before: who draws such a part gets the same object, and need not be
 * drawn again. For what could be JSON.
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

/** The value of the last time as long as this one is equal to it, and its parts in the same way. */
export function useKept<T>(value: T): T {
  const before = useRef<T>(value);
  return useMemo(() => {
    before.current = keepEqual(before.current, value);
    return before.current;
  }, [value]);
}
