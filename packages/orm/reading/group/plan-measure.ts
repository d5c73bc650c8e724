import { type Cell, literal, type Sql, sql } from '@kontor/database';
import { hasMeasure, invalidArgs } from '@kontor/protocol';
import { Decimal, isDecimal } from '../../fields/decimal.ts';
import { fieldAggregate, type Ratio } from '../../fields/spec.ts';
import type { Field, Model } from '../../model/model.ts';
import type { Measure } from '../../model/records.ts';
import { fieldAt, isComputedOnRead, type Select, walk } from '../select.ts';
import { planConversion, type TargetCurrency } from './convert-amounts.ts';
import { nullIfBlank } from './group-column.ts';
import type { MeasureAsked } from './parse-group-spec.ts';

export interface MeasureColumn {
  readonly name: string;
  /** The value per record. */
  readonly value: Sql;
  /** The aggregate over the values at `from`. */
  aggregate(from: Sql): Sql;
  /** Partial aggregates of small groups, from which larger groups are computed; null if they need all records. */
  parts(from: Sql): readonly Sql[] | null;
  /** The aggregate over the partial aggregates of smaller groups. */
  combine(parts: readonly Sql[]): Sql;
  /** The sum of finished groups at `from` over a window; null if such sums are meaningless. */
  running(from: Sql, window: Sql): Sql | null;
  /** The path of the currency of an amount. */
  readonly currency: readonly string[] | null;
  /** Whether the result is an amount of that currency; a ratio of amounts is none. */
  readonly isAmount: boolean;
  /** Whether the result is empty or zero: its currency is then left out. */
  isNothing(value: unknown): boolean;
  read(cell: Cell): unknown;
}

/** Plans one measure; INVALID_ARGS if it is meaningless for the field's type. */
export function planMeasure(
  select: Select,
  { name, path, measure }: MeasureAsked,
  target: TargetCurrency | null = null,
): MeasureColumn {
  const { table, field } = walk(select, path);
  if (isComputedOnRead(field) || !hasMeasure(field.kind, measure, fieldAggregate(field))) {
    throw invalidArgs(`${path.join('.')} has no ${measure}.`, { field: path.join('.'), hint: hintOf(measure) });
  }
  if (measure === 'ratio') return planRatio(select, { name, path, field, target });
  const currency = isAmount(measure) ? currencyOf(table.model, field, path) : null;
  const value = nullIfBlank(field, fieldAt(select, table, field));
  return {
    name,
    value: target && currency ? planConversion(select, currency, target).amount(value) : value,
    aggregate: (from) => aggregateOf(measure, field, from),
    parts: (from) => partsOf(measure, from),
    combine: (parts) => combined(measure, field, parts),
    running: (from, window) => runningSum(measure, field, sql`sum(${from}) over ${window}`),
    currency,
    isAmount: true,
    isNothing: (value) => value === null || (measure === 'sum' && isDecimal(value) && value.eq(0)),
    read: readerOf(measure, field),
  };
}

/**
 * The sum of one field per sum of another: the two are carried as an array. Amounts in several currencies have no ratio either, so
 * it has the currency of its first field.
 */
function planRatio(select: Select, { name, path, field, target }: RatioAsked): MeasureColumn {
  const { ratio, times = 1 } = field.spec.aggregate as Ratio;
  const [part, whole] = ratio.map((own) => {
    const steps = [...path.slice(0, -1), own];
    const found = walk(select, steps);
    const value = sql`coalesce(${fieldAt(select, found.table, found.field)}, 0)::numeric`;
    const currency = currencyOf(found.table.model, found.field, steps);
    return { currency, value: target && currency ? planConversion(select, currency, target).amount(value) : value };
  }) as [RatioPart, RatioPart];
  const scale = field.spec.precision?.[1] ?? 2;
  const per = (one: Sql, other: Sql) =>
    sql`round(sum(${one}) * ${literal(String(times))}::numeric / nullif(sum(${other}), 0), ${literal(String(scale))}::int4)`;
  const item = (from: Sql, at: number) => sql`(${from})[${literal(String(at))}::int4]`;
  return {
    name,
    value: sql`array[${part.value}, ${whole.value}]`,
    aggregate: (from) => per(item(from, 1), item(from, 2)),
    parts: (from) => [sql`sum(${item(from, 1)})`, sql`sum(${item(from, 2)})`],
    combine: ([one, other]) => per(one as Sql, other as Sql),
    running: () => null,
    currency: part.currency,
    isAmount: false,
    isNothing: (value) => value === null,
    read: (cell) => (cell === null ? null : new Decimal(String(cell))),
  };
}

interface RatioAsked {
  readonly name: string;
  readonly path: readonly string[];
  readonly field: Field;
  readonly target: TargetCurrency | null;
}

interface RatioPart {
  readonly currency: readonly string[] | null;
  readonly value: Sql;
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
    case 'ratio':
      throw new Error('A ratio has a plan of its own.');
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
    case 'ratio':
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
