import { invalidArgs } from './errors.ts';

/** A boolean in a URL, a form or a body; absent is false. Null: neither true nor false, which callers must reject. */
export function yesOrNo(value: unknown): boolean | null {
  const given = typeof value === 'string' ? value.trim() : (value ?? '');
  if (given === '' || given === '0' || given === 'false' || given === 0 || given === false) return false;
  if (given === '1' || given === 'true' || given === 1 || given === true) return true;
  return null;
}

/** The same for a parameter. A request with `dry_run=yes` must not be executed. */
export function flagOf(value: unknown, name: string): boolean {
  const flag = yesOrNo(value);
  if (flag !== null) return flag;
  throw invalidArgs(`${name} must be 1 or 0.`, { field: name });
}
