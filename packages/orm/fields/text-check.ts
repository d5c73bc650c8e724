import { BadValue } from './kind.ts';

/** PostgreSQL stores neither null bytes nor halves of a surrogate pair; say so at the field instead of failing there. */
export function checkText(value: unknown): string {
  if (typeof value !== 'string') throw new BadValue('Give text.');
  if (value.includes('\0')) throw new BadValue('Text cannot hold null bytes.');
  if (/\p{Surrogate}/u.test(value)) throw new BadValue('Text holds half of a character.');
  return value;
}

export function isBlank(value: unknown): boolean {
  return value === null || value === undefined || (typeof value === 'string' && value.trim() === '');
}

export function isAbsent(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}
