import { type Cell, empty, join, literal, type Sql, sql } from '@kontor/database';
import {
  addDays,
  addMonths,
  conjoin,
  type DomainNode,
  disjoin,
  invalidArgs,
  isTimeZone,
  type LoadRow,
  type LoadSpec,
  serializeDomain,
} from '@kontor/protocol';
import type { Env, Field, Model } from '../model/model.ts';
import { condition, type GroupColumn } from './group/group-column.ts';
import { planGrouping } from './group/plan-grouping.ts';
import { orderClause } from './order.ts';
import { fieldAt, isComputedOnRead, type Select, startSelect, tableOf, visibleRows, walk } from './select.ts';

interface LoadQuery extends LoadSpec {
  readonly domain: DomainNode;
}

interface LoadPlan extends LoadQuery {
  readonly select: Select;
  readonly where: Sql;
  readonly tz: string;
  readonly person: GroupColumn;
  readonly startField: Field;
  readonly stopField: Field;
  readonly since: Sql;
  readonly till: Sql;
  readonly work: Sql;
}

/**
 * The working hours of each person per day, in one statement. The hours of a record are shared by its people and spread
 * over its working days, Monday to Friday; over all its days if none is a working day. Without hours it takes its
 * people as long as it lasts, up to the hours of a day.
 */
export async function readLoad(env: Env, model: Model, query: LoadQuery): Promise<LoadRow[]> {
  const select = startSelect(env, model);
  const where = visibleRows(select, query.domain);
  const tz = isTimeZone(env.actor.tz) ? env.actor.tz : 'UTC';
  const [start, stop] = [dateAt(select, query.start), dateAt(select, query.stop)];
  const plan: LoadPlan = {
    ...{ ...query, select, where, tz, startField: start.field, stopField: stop.field },
    person: planGrouping(
      select,
      { key: query.people, path: query.people.split('.'), granularity: null },
      sql`a.person`,
    ),
    since: localTime(start, tz),
    till: localTime(stop, tz),
    work: query.hours === undefined ? sql`null::numeric` : sql`(${numberAt(select, query.hours)})::numeric`,
  };
  const rows = await env.db.arrays(loadStatement(plan));
  return rows.map((row) => loadRow(plan, row));
}

interface At {
  readonly field: Field;
  readonly value: Sql;
}

function valueAt(select: Select, name: string): At {
  const { table, field } = walk(select, name.split('.'));
  if (isComputedOnRead(field)) throw invalidArgs(`${name} is not stored.`, { field: name });
  return { field, value: fieldAt(select, table, field) };
}

function dateAt(select: Select, name: string): At {
  const found = valueAt(select, name);
  if (!found.field.kind.isDate) throw invalidArgs(`${name} is not a date.`, { field: name });
  return found;
}

function numberAt(select: Select, name: string): Sql {
  const { field, value } = valueAt(select, name);
  if (!field.kind.isNumber) throw invalidArgs(`${name} is not a number.`, { field: name });
  return value;
}

function localTime({ field, value }: At, tz: string): Sql {
  return field.kind.isInstant ? sql`(${value} at time zone ${tz}::text)` : sql`(${value})::timestamp`;
}

/**
 * `s`: records, once for each person; `u`: when they end; `q`: their days; `r`: how many of those are worked on, by how many;
 * `x`: the hours of each day.
 */
function loadStatement(plan: LoadPlan): Sql {
  const { select, where, person, since, till, work, from, to, interval = 'day', dayHours = 8 } = plan;
  const joins = [...select.joinClauses, ...(person.lines ? [person.lines] : [])];
  const records = sql`select ${select.columns[0] as Sql} as id, ${person.value} as person, ${since} as since, ${till} as till, ${work} as work
    from ${tableOf(select)}${join(joins, empty)} where ${where}`;
  const ended = sql`select s.id, s.person, s.work, s.since, ${endOf(plan)} as till from (${records}) s
    where s.person is not null and s.since is not null`;
  const days = sql`select u.*, u.since::date as first, (u.till - interval '1 microsecond')::date as last from (${ended}) u`;
  const working = sql`select q.*, ${workdays(sql`q.first`, sql`q.last`)} as workdays, count(*) over (partition by q.id) as people from (${days}) q`;
  const hours = sql`case when r.work is not null then r.work / case when r.workdays > 0 then r.workdays else r.last - r.first + 1 end / r.people
    else least(${dayHours}::numeric, extract(epoch from r.till - r.since) / 3600) end`;
  const shares = sql`select r.id, r.person, date_trunc(${literal(interval)}, g.day) as day, ${hours} as hours from (${working}) r
    cross join lateral generate_series(greatest(r.first, ${from}::date)::timestamp, least(r.last, ${to}::date - 1)::timestamp, interval '1 day') g(day)
    where r.workdays = 0 or extract(isodow from g.day) < 6`;
  const sums = sql`select x.person, x.day, sum(x.hours) as hours, count(distinct x.id) as n from (${shares}) x group by x.person, x.day`;
  const columns = [...person.outer, sql`to_char(a.day, 'YYYY-MM-DD')`, sql`round(a.hours, 4)`, sql`a.n`];
  const order = [...orderClause(person.sorts.get(person.key) ?? []), sql`a.day`];
  return sql`select ${join(columns)} from (${sums}) a${person.join ?? empty} order by ${join(order)}`;
}

/** A day counts as a whole. A record without an end takes an hour of its day, or its day. */
function endOf({ startField, stopField }: LoadPlan): Sql {
  const isTimed = startField.kind.isInstant;
  const dayAfter = (at: Sql) => sql`date_trunc('day', ${at}) + interval '1 day'`;
  const wholeDays = sql`case when date_trunc('day', s.till) = s.till then s.till else ${dayAfter(sql`s.till`)} end`;
  const till = stopField.kind.isInstant ? (isTimed ? sql`s.till` : wholeDays) : dayAfter(sql`s.till`);
  const none = isTimed
    ? sql`least(s.since + interval '1 hour', ${dayAfter(sql`s.since`)})`
    : sql`${dayAfter(sql`s.since`)}`;
  return sql`case when ${till} > s.since then ${till} else ${none} end`;
}

/** The number of days from Monday to Friday between two days, both inclusive; counted from a Monday. */
function workdays(first: Sql, last: Sql): Sql {
  const upTo = (days: Sql) => sql`(floor(${days} / 7.0) * 5 + least(${days} - floor(${days} / 7.0) * 7, 5))::int4`;
  const since = (day: Sql) => sql`(${day} - date '1970-01-05')`;
  return sql`(${upTo(sql`(${since(last)} + 1)`)} - ${upTo(since(first))})`;
}

function loadRow(plan: LoadPlan, row: readonly Cell[]): LoadRow {
  const { person, from, to, interval = 'day', domain } = plan;
  const own = row.slice(0, person.outer.length);
  const [day, hours, count] = row.slice(person.outer.length);
  const first = String(day);
  const next = interval === 'month' ? addMonths(first, 1) : addDays(first, 1);
  // For a month that starts before the requested days or ends after them, only those days.
  const [, low, high] = [from, first, next, to].sort() as [string, string, string, string];
  return {
    ...Object.fromEntries(person.entries(own)),
    ...{ __day: first, __hours: Number(hours), __count: Number(count) },
    __domain: serializeDomain(conjoin(domain, person.condition(own), during(plan, low, high))),
  };
}

/** The records that are in progress on some days. */
function during({ start, stop, stopField }: LoadPlan, from: string, to: string): DomainNode {
  const [begin, end] = [start.split('.'), stop.split('.')];
  const goesOn = condition(end, stopField.kind.isInstant ? '>' : '>=', from);
  return conjoin(condition(begin, '<', to), disjoin(condition(begin, '>=', from), goesOn));
}
