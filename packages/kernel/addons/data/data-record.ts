import type { Place } from '../addon-error.ts';
import type { RelativeDate } from './relative-date.ts';

/** A value as a data file gives it, before the field's type has had its say. */
export type DataValue =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'json'; readonly json: unknown }
  /** External ids, with their module. */
  | { readonly kind: 'refs'; readonly refs: readonly string[] }
  /** What the given field of another record holds. */
  | { readonly kind: 'same'; readonly ref: string; readonly field: string }
  | RelativeDate;

export interface DataField {
  readonly name: string;
  readonly value: DataValue;
  readonly line: number;
}

/** One record of a data file. */
export interface DataRecord {
  readonly place: Place & { readonly file: string; readonly line: number };
  /** External id with its module: `sale.order_form`. */
  readonly id: string;
  readonly model: string;
  /** Made once and then left to the people who use it. */
  readonly noupdate: boolean;
  readonly fields: readonly DataField[];
}

export function refsOf(record: DataRecord): readonly string[] {
  return record.fields.flatMap(({ value }) => {
    if (value.kind === 'refs') return value.refs;
    return value.kind === 'same' ? [value.ref] : [];
  });
}

export function fieldPlace(record: DataRecord, field: DataField): Place {
  return { ...record.place, line: field.line };
}
