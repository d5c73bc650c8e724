import type { ArchField, Selection } from '@kontor/protocol';

const numbers: readonly (readonly [number, string])[] = [0, 1, 2, 3].map((number) => [number, String(number)]);

/** The steps of a selection; of a number, as many as it may reach, three otherwise. */
export function starOptions(field: ArchField): readonly (readonly [string | number, string])[] {
  if (field.selection) return field.selection as Selection;
  return numbers.slice(0, (field.max ?? 3) + 1);
}
