import { type ArchField, fieldType } from '@kontor/protocol';
import type { RecordValues } from '../../data/rpc.ts';
import { colourValue } from '../../fields/colour.tsx';
import { t } from '../../i18n/messages.ts';
import type { Entry } from './span.ts';

/** A value that entries are coloured or filtered by. */
export interface Shade {
  /** The value as text; empty for no value. */
  readonly key: string;
  readonly label: string;
  /** A CSS colour. */
  readonly colour: string;
}

const series = 6;

/** The value that colours a record. A value has the same colour everywhere; no value is grey. */
export function shadeOf(record: RecordValues, field: ArchField | undefined): Shade {
  return shadesOf(record, field)[0] ?? noShade();
}

/** All values of a field, for fields with several people. */
export function shadesOf(record: RecordValues, field: ArchField | undefined): readonly Shade[] {
  const value = field && record[field.name];
  if (!field || value === null || value === undefined || value === '') return [noShade()];
  if (Array.isArray(value)) {
    const rows = value as readonly RecordValues[];
    return rows.length === 0 ? [noShade()] : rows.map(({ id, display_name: name }) => shade(id, String(name ?? id)));
  }
  if (fieldType(field.type).isToOne)
    return [shade(Number(value), String(record[`${field.name}.display_name`] ?? value))];
  if (fieldType(field.type).isChoice) {
    const at = field.selection?.findIndex(([one]) => one === value) ?? 0;
    return [{ ...shade(at + 1, field.selection?.[at]?.[1] ?? String(value)), key: String(value) }];
  }
  const key = String(value);
  const own = colourValue(value);
  if (own) return [{ key, label: key, colour: own }];
  const label = value === true ? t('Yes') : value === false ? t('No') : key;
  return [{ ...shade(Number.isInteger(Number(value)) ? Number(value) : numberOf(key), label), key }];
}

/** A hash of the text, so that its colour is stable. */
function numberOf(text: string): number {
  return [...text].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0);
}

function shade(id: number, label: string): Shade {
  return { key: String(id), label, colour: `var(--c${(Math.abs(id) % series) + 1})` };
}

function noShade(): Shade {
  return { key: '', label: t('None'), colour: 'var(--c7)' };
}

/** The values of all entries, by name; no value comes last. */
export function legendOf(entries: readonly Entry[], field: ArchField | undefined): readonly Shade[] {
  const rows = new Map(entries.flatMap(({ record }) => shadesOf(record, field)).map((one) => [one.key, one]));
  return [...rows.values()].sort(
    (a, b) => Number(a.key === '') - Number(b.key === '') || a.label.localeCompare(b.label),
  );
}
