import {
  type Arch,
  type ArchField,
  fieldType,
  type GroupMeasure,
  type Measure,
  type MeasureArch,
  measureNamed as measureAmong,
  waysToMeasure,
} from '@kontor/protocol';
import { mark, t } from '../../i18n/messages.ts';

export { isAdditive } from '@kontor/protocol';

/** The number of records. Every row of `read_group` contains it. */
export function countMeasure(): MeasureArch {
  return { name: '__count', field: 'id', measure: 'count', label: t('Number of records') };
}

/** The `fields` of a `read_group` for these measures. */
export function askedMeasures(measures: readonly MeasureArch[]): readonly GroupMeasure[] {
  return measures.flatMap(({ name, field, measure }) => (name === '__count' ? [] : [{ name, field, measure }]));
}

export function measuredFields({ fields }: Arch): readonly ArchField[] {
  return fields.filter((field) => fieldType(field.type).isNumber && waysToMeasure(field).length > 0);
}

/** Relations whose distinct records can be counted: customers, products. */
export function countedFields({ fields }: Arch): readonly ArchField[] {
  return fields.filter((field) => waysToMeasure(field).includes('count_distinct'));
}

const patterns: Readonly<Record<Measure, string>> = {
  sum: '{label}',
  count: '{label}',
  ratio: '{label}',
  avg: mark('{label}, average'),
  min: mark('{label}, lowest'),
  max: mark('{label}, highest'),
  count_distinct: mark('{label}, distinct values'),
};

/** `amount_total:avg` as a measure; null if the user cannot measure it. Measures of the view keep the view's label. */
export function measureNamed({ fields }: Arch, given: readonly MeasureArch[], name: string): MeasureArch | null {
  const found = measureAmong(fields, given, name);
  if (!found) return null;
  if (name === '__count') return given.find((one) => one.name === name) ?? countMeasure();
  // A field has the same label however it is measured, so that users recognise it.
  const label =
    given.find((one) => one.field === found.field)?.label ??
    fields.find((one) => one.name === found.field)?.label ??
    '';
  return given.find((one) => one.name === name) ?? { ...found, label: t(patterns[found.measure], { label }) };
}

/** Stands for a measure that is not available to the user; the server says why when asked. */
export function missingMeasure(name: string): MeasureArch {
  const [field = '', how = 'sum'] = name.split(':');
  return { name, field, measure: how as Measure, label: field };
}

/** The measures of the view; counts have one name. */
export function viewMeasures(given: readonly MeasureArch[]): readonly MeasureArch[] {
  return given.map((one) => (one.measure === 'count' ? { ...countMeasure(), label: one.label } : one));
}
