import { fieldType } from '../field-types.ts';
import { isNumberName } from '../number-names.ts';
import type { ArchField, MeasureArch } from '../wire/arch.ts';
import type { GroupMeasure, Measure } from '../wire/rpc.ts';

/** How a field can be measured, the default first; empty if it cannot. */
export function waysToMeasure(field: ArchField): readonly Measure[] {
  const { type, groupable, aggregate } = field;
  const { isToOne, isNumber } = fieldType(type);
  if (!groupable || isNumberName(field)) return [];
  if (isToOne) return ['count_distinct'];
  if (!isNumber) return [];
  return aggregate === 'ratio'
    ? ['ratio', 'min', 'max']
    : aggregate === 'average'
      ? ['avg', 'min', 'max']
      : ['sum', 'avg', 'min', 'max'];
}

/**
 * The measure that a URL names, such as `amount_total:avg`; null if it is not available to the user. There is no
 * fallback: a title such as "Margin" must never be shown above another figure.
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

/** The measures that a URL names, in order. */
export function measureNames(option: string | null | undefined): readonly string[] {
  return (option ?? '').split(',').filter((name) => name !== '');
}

/** Whether parts add up to the total. Averages and distinct counts do not. */
export function isAdditive({ measure }: GroupMeasure): boolean {
  return measure === 'sum' || measure === 'count';
}
