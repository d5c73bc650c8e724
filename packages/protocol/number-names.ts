import type { ArchField } from './wire/arch.ts';

/** Numbers that are positions, not quantities. */
const places: ReadonlySet<string> = new Set(['id', 'sequence', 'color', 'position', 'res_id']);

/** Whether a number is a name, such as a port or a year: it has no sum and no thousands separators. */
export function isNumberName({ name, aggregate }: Pick<ArchField, 'name' | 'aggregate'>): boolean {
  return aggregate === 'none' || places.has(name);
}
