import { type Cell, type Sql, sql } from '@kontor/database';
import { hasMeasure, invalidArgs } from '@kontor/protocol';
import { Decimal } from '../../decimal.ts';
import type { Field } from '../../model/model.ts';
import type { Measure } from '../../records.ts';
import { isComputedOnRead } from '../projection/field-forms.ts';
import { fieldAt, type Select, walk } from '../projection/select.ts';
import { noneIfBlank } from './none-if-blank.ts';
import type { MeasureAsked } from './parse-group-spec.ts';

export interface MeasureColumn {
  readonly name: string;
  /** The value per record. */
  readonly value: Sql;
  /** The aggregate over the values at `from`. */
  aggregate(from: Sql): Sql;
  read(cell: Cell): unknown;
}

/** Plans one measure; INVALID_ARGS where it makes no sense for the field's type. */
export function planMeasure(select: Select, { name, path, measure }: MeasureAsked): MeasureColumn {
  const { stop, field } = walk(select, path);
  if (isComputedOnRead(field) || !hasMeasure(field.kind, measure)) {
    throw invalidArgs(`${path.join('.')} has no ${measure}.`, { field: path.join('.'), hint: hintOf(measure) });
  }
  const value = fieldAt(select, stop, field);
  return {
    name,
    value: noneIfBlank(field, value),
    aggregate: (from) => aggregateOf(measure, field, from),
    read: readerOf(measure, field),
  };
}

function hintOf(measure: Measure): string {
  if (measure === 'sum' || measure === 'avg') return 'Numbers have a sum and an average.';
  return 'Stored numbers, dates and texts can be measured.';
}

function aggregateOf(measure: Measure, field: Field, from: Sql): Sql {
  switch (measure) {
    case 'sum':
      // Whole numbers add up to more than four bytes, and counts of lines are long already.
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

function readerOf(measure: Measure, field: Field): (cell: Cell) => unknown {
  if (measure === 'count' || measure === 'count_distinct') return Number;
  if (measure === 'avg' && field.kind.isWhole) {
    return (cell) => (cell === null ? null : new Decimal(String(cell)));
  }
  return (cell) => field.kind.fromCell(cell);
}
