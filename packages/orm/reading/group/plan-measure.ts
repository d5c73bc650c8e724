import { type Cell, type Sql, sql } from '@kontor/database';
import { hasMeasure, invalidArgs } from '@kontor/protocol';
import { Decimal, isDecimal } from '../../fields/decimal.ts';
import type { Field, Model } from '../../model/model.ts';
import type { Measure } from '../../model/records.ts';
import { fieldAt, isComputedOnRead, type Select, walk } from '../select.ts';
import { nullIfBlank } from './group-column.ts';
import type { MeasureAsked } from './parse-group-spec.ts';

export interface MeasureColumn {
  readonly name: string;
  /** The value per record. */
  readonly value: Sql;
  /** The aggregate over the values at `from`. */
  aggregate(from: Sql): Sql;
  /** Partial aggregates of small groups, from which larger groups are computed; null where they need all records. */
  parts(from: Sql): readonly Sql[] | null;
  /** The aggregate over the partial aggregates of smaller groups. */
  combine(parts: readonly Sql[]): Sql;
  /** The sum of finished groups at `from` over a window; null where such sums make no sense. */
  running(from: Sql, window: Sql): Sql | null;
  /** The path of the currency of an amount. */
  readonly currency: readonly string[] | null;
  /** Whether the result is empty or zero: its currency is then left out. */
  isNothing(value: unknown): boolean;
  read(cell: Cell): unknown;
}

/** Plans one measure; INVALID_ARGS where it makes no sense for the field's type. */
export function planMeasure(select: Select, { name, path, measure }: MeasureAsked): MeasureColumn {
  const { table, field } = walk(select, path);
  if (isComputedOnRead(field) || !hasMeasure(field.kind, measure)) {
    throw invalidArgs(`${path.join('.')} has no ${measure}.`, { field: path.join('.'), hint: hintOf(measure) });
  }
  const value = fieldAt(select, table, field);
  return {
    name,
    value: nullIfBlank(field, value),
    aggregate: (from) => aggregateOf(measure, field, from),
    parts: (from) => partsOf(measure, from),
    combine: (parts) => combined(measure, field, parts),
    running: (from, window) => runningSum(measure, field, sql`sum(${from}) over ${window}`),
    currency: isAmount(measure) ? currencyOf(table.model, field, path) : null,
    isNothing: (value) => value === null || (measure === 'sum' && isDecimal(value) && value.eq(0)),
    read: readerOf(measure, field),
  };
}

function isAmount(measure: Measure): boolean {
  return measure !== 'count' && measure !== 'count_distinct';
}

function currencyOf(model: Model, { kind, spec }: Field, path: readonly string[]): readonly string[] | null {
  if (!kind.isMoney) return null;
  const currency = (spec.currency ?? 'currency_id').split('.');
  return model.fields.has(currency[0] as string) ? [...path.slice(0, -1), ...currency] : null;
}

function hintOf(measure: Measure): string {
  if (measure === 'sum' || measure === 'avg') return 'Numbers have a sum and an average.';
  return 'Stored numbers, dates and texts can be measured.';
}

function aggregateOf(measure: Measure, field: Field, from: Sql): Sql {
  switch (measure) {
    case 'sum':
      // A sum of integers may be larger than four bytes, and counts are bigint already.
      return field.kind.isWhole ? sql`coalesce(sum(${from}), 0)::int8` : sql`coalesce(sum(${from}), 0)`;
    case 'avg':
      return sql`avg(${from})`;
    case 'min':
      return sql`min(${from})`;
    case 'max':
      return sql`max(${from})`;
    case 'count':
      return sql`count(${from})`;
    case 'count_distinct':
      return sql`count(distinct ${from})`;
  }
}

function partsOf(measure: Measure, from: Sql): readonly Sql[] | null {
  switch (measure) {
    case 'sum':
      return [sql`sum(${from})`];
    case 'avg':
      return [sql`sum(${from})`, sql`count(${from})`];
    case 'min':
      return [sql`min(${from})`];
    case 'max':
      return [sql`max(${from})`];
    case 'count':
      return [sql`count(${from})`];
    case 'count_distinct':
      return null;
  }
}

function combined(measure: Measure, field: Field, [first, second]: readonly Sql[]): Sql {
  const total = first as Sql;
  if (measure === 'count') return sql`coalesce(sum(${total}), 0)::int8`;
  if (measure !== 'avg') return aggregateOf(measure, field, total);
  const whole = field.kind.isWhole ? sql`sum(${total})::numeric` : sql`sum(${total})`;
  return sql`${whole} / nullif(sum(${second}), 0)`;
}

function runningSum(measure: Measure, field: Field, total: Sql): Sql | null {
  if (measure !== 'sum' && measure !== 'count') return null;
  return measure === 'count' || field.kind.isWhole ? sql`(${total})::int8` : total;
}

function readerOf(measure: Measure, field: Field): (cell: Cell) => unknown {
  if (measure === 'count' || measure === 'count_distinct') return Number;
  if (measure === 'avg' && field.kind.isWhole) {
    return (cell) => (cell === null ? null : new Decimal(String(cell)));
  }
  return (cell) => field.kind.fromCell(cell);
}
