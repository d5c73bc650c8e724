import { fieldType } from '../field-types.ts';
import type { ArchField, MeasureArch } from '../wire/arch.ts';
import type { GroupMeasure, Measure } from '../wire/rpc.ts';

/** Numbers that say where a record stands and not how much there is of it. */
const places: ReadonlySet<string> = new Set(['id', 'sequence', 'color', 'position', 'res_id']);

/** How a field can be measured, the usual way first; empty where it cannot. */
export function waysToMeasure({ name, type, groupable, aggregate }: ArchField): readonly Measure[] {
  const { isToOne, isNumber } = fieldType(type);
  if (!groupable || places.has(name)) return [];
  if (isToOne) return ['count_distinct'];
  if (!isNumber) return [];
  return aggregate === 'ratio'
    ? ['ratio', 'min', 'max']
    : aggregate === 'average'
      ? ['avg', 'min', 'max']
      : ['sum', 'avg', 'min', 'max'];
}

/**
 * The measure that an address names, such as `amount_total:avg`; null where there is none for the reader. Nothing takes its
 * place: a title such as "Margin" must never stand over another figure.
 */
export function measureNamed(
  fields: readonly ArchField[],
  given: readonly MeasureArch[],
  name: string,
): GroupMeasure | null {
  const known = given.find((one) => one.name === name);
  if (known) return known;
  if (name === '__count') return { name, field: 'id', measure: 'count' };
  const [path = '', how] = name.split(':');
  const field = fields.find((one) => one.name === path);
  const ways = field ? waysToMeasure(field) : [];
  const measure = how === undefined ? ways[0] : ways.find((way) => way === how);
  return measure === undefined ? null : { name, field: path, measure };
}

/** The measures that an address names, in their order. */
export function measureNames(option: string | null | undefined): readonly string[] {
  return (option ?? '').split(',').filter((name) => name !== '');
}

/** Whether parts of it come to the whole. An average or a number of different customers does not. */
export function isAdditive({ measure }: GroupMeasure): boolean {
  return measure === 'sum' || measure === 'count';
}
