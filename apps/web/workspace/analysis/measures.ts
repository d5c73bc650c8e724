import {
  type Arch,
  type ArchField,
  fieldType,
  type GroupMeasure,
  type Measure,
  type MeasureArch,
} from '@kontor/protocol';
import { mark, t } from '../../i18n/messages.ts';

/** Numbers that say where a record stands and not how much there is of it. */
const places: ReadonlySet<string> = new Set(['id', 'sequence', 'color', 'position']);

/** How many records there are. Every row of `read_group` has it. */
export function countMeasure(): MeasureArch {
  return { name: '__count', field: 'id', measure: 'count', label: t('Number of records') };
}

/** What `fields` of a `read_group` must ask for to have these measures. */
export function askedMeasures(measures: readonly MeasureArch[]): readonly GroupMeasure[] {
  return measures.flatMap(({ name, field, measure }) => (name === '__count' ? [] : [{ name, field, measure }]));
}

export function measuredFields({ fields }: Arch): readonly ArchField[] {
  return fields.filter(({ name, type, groupable }) => fieldType(type).isNumber && groupable && !places.has(name));
}

/** Relations whose different records can be counted: customers, products. */
export function countedFields({ fields }: Arch): readonly ArchField[] {
  return fields.filter(({ type, groupable }) => fieldType(type).isToOne && groupable);
}

const patterns: Readonly<Record<Measure, string>> = {
  sum: '{label}',
  count: '{label}',
  avg: mark('{label}, average'),
  min: mark('{label}, lowest'),
  max: mark('{label}, highest'),
  count_distinct: mark('{label}, distinct values'),
};

/** `amount_total:avg` as a measure; null for what the person cannot measure. What the view says has the view's label. */
export function measureNamed(arch: Arch, given: readonly MeasureArch[], name: string): MeasureArch | null {
  const known = given.find((one) => one.name === name);
  if (known) return known;
  if (name === '__count') return countMeasure();
  const [path = '', how = 'sum'] = name.split(':');
  const field = arch.fields.find((one) => one.name === path);
  if (!field || !Object.hasOwn(patterns, how)) return null;
  const measure = how as Measure;
  const isFit =
    measure === 'count_distinct' ? countedFields(arch).includes(field) : measuredFields(arch).includes(field);
  if (!isFit) return null;
  // One label for a field, however it is measured, so that it is found under the name that people know.
  const label = given.find((one) => one.field === path)?.label ?? field.label;
  return { name, field: path, measure, label: t(patterns[measure], { label }) };
}

/** The measures of the view; counting goes by one name. */
export function viewMeasures(given: readonly MeasureArch[]): readonly MeasureArch[] {
  return given.map((one) => (one.measure === 'count' ? { ...countMeasure(), label: one.label } : one));
}

/** Whether parts of it come to the whole. An average or a number of different customers does not. */
export function isAdditive({ measure }: MeasureArch): boolean {
  return measure === 'sum' || measure === 'count';
}
