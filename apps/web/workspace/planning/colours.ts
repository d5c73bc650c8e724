import { type ArchField, fieldType } from '@kontor/protocol';
import type { RecordValues } from '../../data/rpc.ts';
import { colourValue } from '../../fields/colour.tsx';
import { t } from '../../i18n/messages.ts';
import type { Entry } from './span.ts';

/** A value that entries are coloured or filtered by. */
export interface Shade {
  /** Of the value, as text; empty for none. */
  readonly key: string;
  readonly label: string;
  /** A CSS colour. */
  readonly colour: string;
}

const series = 6;

/** What a record is coloured by. Each value has the same colour wherever it is seen; nothing is grey. */
export function shadeOf(record: RecordValues, field: ArchField | undefined): Shade {
  return shadesOf(record, field)[0] ?? noShade();
}

/** All values of a field, for those that hold several people. */
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

/** The same for the same text, so that it keeps its colour. */
function numberOf(text: string): number {
  return [...text].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0);
}

function shade(id: number, label: string): Shade {
  return { key: String(id), label, colour: `var(--c${(Math.abs(id) % series) + 1})` };
}

function noShade(): Shade {
  return { key: '', label: t('None'), colour: 'var(--c7)' };
}

/** The values that entries have, by name; none comes last. */
export function legendOf(entries: readonly Entry[], field: ArchField | undefined): readonly Shade[] {
  const rows = new Map(entries.flatMap(({ record }) => shadesOf(record, field)).map((one) => [one.key, one]));
  return [...rows.values()].sort(
    (a, b) => Number(a.key === '') - Number(b.key === '') || a.label.localeCompare(b.label),
  );
}
