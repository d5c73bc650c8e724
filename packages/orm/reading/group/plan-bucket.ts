import { type Cell, type Sql, sql } from '@kontor/database';
import { conjoin, type DomainNode, type Granularity, invalidArgs, isTimeZone } from '@kontor/protocol';
import type { Field } from '../../model/model.ts';
import { weeksOf } from '../../model/policy.ts';
import { fieldAt, type JoinedTable, type Select } from '../select.ts';
import { bucketEnd, bucketLabel, bucketStart, firstInstant } from './granularity.ts';
import { ascending, condition, type GroupColumn, isEmpty } from './group-column.ts';
import type { Grouping } from './parse-group-spec.ts';

/** Groups dates into calendar periods, and instants into those of the user's time zone. */
export function planBucket(
  select: Select,
  { key, path }: Grouping,
  granularity: Granularity,
  { table, field, at }: { readonly table: JoinedTable; readonly field: Field; readonly at: Sql },
): GroupColumn {
  checkGranularity(field, key, granularity);
  const raw = fieldAt(select, table, field);
  const tz = isTimeZone(select.env.actor.tz) ? select.env.actor.tz : 'UTC';
  const weeks = weeksOf(select.env);
  const isInstant = field.kind.isInstant;
  const local = isInstant ? sql`(${raw} at time zone ${tz}::text)` : sql`${raw}::timestamp`;
  const end = bucketEnd(at, granularity);
  const bounds = isInstant ? [firstInstant(at, tz), firstInstant(end, tz)] : [sql`(${at})::date`, sql`(${end})::date`];
  return {
    key,
    value: bucketStart(local, granularity, weeks),
    lines: null,
    outer: [bucketLabel(at, granularity, weeks), ...bounds],
    join: null,
    sorts: new Map([[key, ascending(at)]]),
    entries: ([label]) => [[key, label]],
    condition: ([label, from, to]) =>
      label === null ? isEmpty(path) : between(path, bound(field, from), bound(field, to)),
  };
}

function checkGranularity(field: Field, key: string, granularity: Granularity): void {
  const { isDate, isInstant } = field.kind;
  if (isInstant || (isDate && granularity !== 'hour')) return;
  const what = isDate ? 'A date has no hours' : `${field.name} is not a date`;
  throw invalidArgs(`${key}: ${what}.`, { field: key });
}

function between(path: readonly string[], from: unknown, to: unknown): DomainNode {
  const nodes: DomainNode[] = [];
  if (from !== null) nodes.push(condition(path, '>=', from));
  if (to !== null) nodes.push(condition(path, '<', to));
  return conjoin(...nodes);
}

/** Years outside of the possible range need no bound; the calendar of values ends with 9999. */
function bound(field: Field, cell: Cell | undefined): unknown {
  if (typeof cell !== 'string' || !/^\d{4}-/.test(cell) || cell.endsWith('BC')) return null;
  return field.kind.fromCell(cell);
}
