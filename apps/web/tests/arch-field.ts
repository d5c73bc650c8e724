import type { ArchField } from '@kontor/protocol';

/** A field as a screen has it: stored, and open for whatever a test does not say otherwise. */
export function archField(name: string, type: string, rest: Partial<ArchField> = {}): ArchField {
  return {
    ...{ name, type, label: name, required: false, readonly: false, stored: true, onchange: false },
    ...{ sortable: true, searchable: true, groupable: true },
    ...rest,
  };
}
