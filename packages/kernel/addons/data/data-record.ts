import { BadValue, type Field } from '@kontor/orm';
import type { Place } from '../addon-error.ts';
import type { RelativeDate } from './relative-date.ts';

/** A value from a data file, before it is parsed by the field's type. */
export type DataValue =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'json'; readonly json: unknown }
  /** External ids, with their module. */
  | { readonly kind: 'refs'; readonly refs: readonly string[] }
  /** The value of the given field of another record. */
  | { readonly kind: 'same'; readonly ref: string; readonly field: string }
  | RelativeDate;

export interface DataField {
  readonly name: string;
  readonly value: DataValue;
  readonly line: number;
  /** The line of its column's name, in a table. */
  readonly headLine?: number;
}

/** One record of a data file. */
export interface DataRecord {
  readonly place: Place & { readonly file: string; readonly line: number };
  /** External id with its module: `sale.order_form`. */
  readonly id: string;
  readonly model: string;
  /** Created once and then left to users. */
  readonly noupdate: boolean;
  readonly fields: readonly DataField[];
}

export function refsOf(record: DataRecord): readonly string[] {
  return record.fields.flatMap(({ value }) => {
    if (value.kind === 'refs') return value.refs;
    return value.kind === 'same' ? [value.ref] : [];
  });
}

/** Where the field is named, which is once for a whole column. */
export function namePlace(record: DataRecord, { line, headLine = line }: DataField): Place {
  return { ...record.place, line: headLine };
}

export function fieldPlace(record: DataRecord, field: DataField): Place {
  return { ...record.place, line: field.line };
}

/**
 * The value of a text in a data file. Only the field's type decides: `007` stays text in a text field. An empty text means no
 * value; undefined keeps the field's default or compute.
 */
export function textValue(field: Field, given: string): unknown {
  // Only whitespace that an editor adds: some languages group digits with a no-break space.
  const text = given.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, '');
  if (text === '') return field.spec.default === undefined && !field.isEditable ? null : undefined;
  if (field.kind.isRelation) throw new BadValue('Use external ids, with ref in XML or in a column ":ref" in CSV.');
  return field.kind.fromText(field.kind.isText ? given : text, field, null);
}
