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
  const own = colourValue(value);
  return [own ? { key: String(value), label: String(value), colour: own } : shade(Number(value) || 0, String(value))];
}

function shade(id: number, label: string): Shade {
  return { key: String(id), label, colour: `var(--c${(Math.abs(id) % series) + 1})` };
}

function noShade(): Shade {
  return { key: '', label: t('None'), colour: 'var(--c7)' };
}

/** A value in the list beside the entries, with what it amounts to. */
export interface LegendRow extends Shade {
  readonly count: number;
}

/** The values that entries have, by name; none comes last. */
export function legendOf(entries: readonly Entry[], field: ArchField | undefined): readonly LegendRow[] {
  const rows = new Map<string, LegendRow>();
  for (const { record } of entries) {
    for (const one of shadesOf(record, field))
      rows.set(one.key, { ...one, count: (rows.get(one.key)?.count ?? 0) + 1 });
  }
  return [...rows.values()].sort(
    (a, b) => Number(a.key === '') - Number(b.key === '') || a.label.localeCompare(b.label),
  );
}
