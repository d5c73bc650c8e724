import { type Cell, empty, ident, join, type Sql, sql } from '@kontor/database';
import {
  addDays,
  addMonths,
  conjoin,
  type DomainNode,
  dayAt,
  disjoin,
  invalidArgs,
  isTimeZone,
  type LoadRow,
  type LoadSpec,
  serializeDomain,
  spreadHours,
  startOfDay,
  startOfMonth,
  usualCalendar,
  type WorkCalendar,
} from '@kontor/protocol';
import { mapInTurns } from '../fields/to-json.ts';
import type { Env, Field, Model } from '../model/model.ts';
import { overBudget } from './budgets.ts';
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
  readonly person: GroupColumn;
  readonly start: string;
  readonly startAt: At;
  readonly stopAt: At;
  readonly work: Sql;
}

/** Records with their people that are read for one load: each takes a few microseconds to spread. */
const maxEntries = 200_000;

/**
 * The working hours of each person per day: a statement reads the records with their people, another the working time of
 * these people. The hours of a record are shared by its people and spread over the working time that each has in it, by
 * the days of that person; over all its time if none is working time. Without hours it takes the working time.
 */
export async function readLoad(env: Env, model: Model, query: LoadQuery): Promise<LoadRow[]> {
  const select = startSelect(env, model);
  const where = visibleRows(select, query.domain);
  const plan: LoadPlan = {
    ...{ ...query, select, where, startAt: dateAt(select, query.start), stopAt: dateAt(select, query.stop) },
    person: planGrouping(
      select,
      { key: query.people, path: query.people.split('.'), granularity: null },
      sql`a.person`,
    ),
    work: query.hours === undefined ? sql`null::numeric` : sql`(${numberAt(select, query.hours)})::numeric`,
  };
  const rows = await env.db.arrays(entriesStatement(plan));
  if (rows.length > maxEntries) {
    const message = `A load has at most ${maxEntries} records with their people.`;
    throw overBudget({ budget: 'groups', limit: maxEntries, message, hint: 'Ask for fewer days or records.' });
  }
  const ids = [...new Set(rows.map((row) => Number(row[0])))];
  const relation = walk(select, query.people.split('.')).field.spec.relation;
  const calendars = await calendarsOf(env, relation === undefined ? null : env.registry.model(relation), ids);
  return sumDays(plan, rows, (id) => calendars.get(id) ?? usualCalendar(zoneOf(env)));
}

function zoneOf({ actor }: Env): string {
  return isTimeZone(actor.tz) ? actor.tz : 'UTC';
}

/**
 * The working time of people or companies, by their ids, whoever asks: it is no more than when they work. It is in the
 * field `work_calendar` of their model; people of another model work as usual.
 */
export async function calendarsOf(
  env: Env,
  model: Model | null,
  ids: readonly number[],
): Promise<ReadonlyMap<number, WorkCalendar>> {
  const column = model?.fields.get('work_calendar')?.column;
  if (!model || !column || ids.length === 0) return new Map();
  const rows = await env.db.query<{ id: number; calendar: string | null }>(
    sql`select id, ${ident(column)}::text as calendar from ${ident(model.table)} where id = any(${[...ids]}::int4[])`,
  );
  return new Map(
    rows.flatMap(({ id, calendar }) =>
      calendar === null ? [] : [[id, JSON.parse(calendar) as WorkCalendar] as const],
    ),
  );
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

/** Milliseconds of an instant, the text of a day. */
function timeText({ field, value }: At): Sql {
  return field.kind.isInstant
    ? sql`(extract(epoch from ${value}) * 1000)::int8::text`
    : sql`to_char(${value}, 'YYYY-MM-DD')`;
}

/** Records near the days, once for each of their people. A day of a person may begin on another one in UTC. */
function entriesStatement(plan: LoadPlan): Sql {
  const { select, where, person, startAt, stopAt, work, from, to } = plan;
  const joins = [...select.joinClauses, ...(person.lines ? [person.lines] : [])];
  const records = sql`select ${select.columns[0] as Sql} as id, ${person.value} as person, ${timeText(startAt)} as since,
    ${timeText(stopAt)} as till, ${work} as work from ${tableOf(select)}${join(joins, empty)}
    where ${where} and ${startAt.value} < ${to}::date + 2
      and (${startAt.value} >= ${from}::date - 2 or ${stopAt.value} >= ${from}::date - 2)`;
  const shared = sql`select s.*, count(*) over (partition by s.id) as people from (${records}) s where s.person is not null`;
  const columns = [...person.outer, sql`a.id`, sql`a.since`, sql`a.till`, sql`a.work`, sql`a.people`];
  const order = [...orderClause(person.sorts.get(person.key) ?? []), sql`a.id`];
  return sql`select ${join(columns)} from (${shared}) a${person.join ?? empty} order by ${join(order)} limit ${maxEntries + 1}`;
}

interface Total {
  readonly own: readonly Cell[];
  readonly day: string;
  hours: number;
  count: number;
}

async function sumDays(
  plan: LoadPlan,
  rows: readonly (readonly Cell[])[],
  calendarOf: (id: number) => WorkCalendar,
): Promise<LoadRow[]> {
  const { person, from, to, interval = 'day' } = plan;
  const width = person.outer.length;
  const people = new Map<Cell, Map<string, Total>>();
  await mapInTurns(rows, (row) => {
    const [, since, till, work, shared] = row.slice(width);
    const own = row.slice(0, width);
    const calendar = calendarOf(Number(own[0]));
    const span = spanOf(plan, calendar.tz, String(since), till === null ? null : String(till));
    const hours = work === null ? null : Number(work) / Number(shared);
    const totals = people.get(own[0] ?? null) ?? new Map<string, Total>();
    people.set(own[0] ?? null, totals);
    const counted = new Set<Total>();
    for (const [day, spent] of spreadHours(calendar, { ...span, hours }, [from, to])) {
      const key = interval === 'month' ? startOfMonth(day) : day;
      const total = totals.get(key) ?? { own, day: key, hours: 0, count: 0 };
      totals.set(key, total);
      total.hours += spent;
      if (!counted.has(total)) total.count++;
      counted.add(total);
    }
  });
  return [...people.values()].flatMap((totals) =>
    [...totals.values()].sort((a, b) => (a.day < b.day ? -1 : 1)).map((total) => loadRow(plan, total)),
  );
}

/** A day counts as a whole. A record without an end takes an hour of its day, or its day. */
function spanOf({ startAt, stopAt }: LoadPlan, tz: string, since: string, till: string | null) {
  const isTimed = startAt.field.kind.isInstant;
  const start = isTimed ? Number(since) : startOfDay(since, tz);
  const nextDay = (day: string) => startOfDay(addDays(day, 1), tz);
  const dayOfStart = isTimed ? dayAt({ tz }, start) : since;
  const none = isTimed ? Math.min(start + 3_600_000, nextDay(dayOfStart)) : nextDay(dayOfStart);
  if (till === null) return { start, end: none };
  if (!stopAt.field.kind.isInstant) return { start, end: Math.max(none, nextDay(till)) };
  const [end, lastDay] = [Number(till), dayAt({ tz }, Number(till))];
  const whole = isTimed || startOfDay(lastDay, tz) === end ? end : nextDay(lastDay);
  return { start, end: whole > start ? whole : none };
}

function loadRow(plan: LoadPlan, { own, day: first, hours, count }: Total): LoadRow {
  const { person, from, to, interval = 'day', domain } = plan;
  const next = interval === 'month' ? addMonths(first, 1) : addDays(first, 1);
  // For a month that starts before the requested days or ends after them, only those days.
  const [, low, high] = [from, first, next, to].sort() as [string, string, string, string];
  return {
    ...Object.fromEntries(person.entries(own)),
    ...{ __day: first, __hours: Math.round(hours * 10_000) / 10_000, __count: count },
    __domain: serializeDomain(conjoin(domain, person.condition(own), during(plan, low, high))),
  };
}

/** The records that are in progress on some days. */
function during({ start, stop, stopAt }: LoadPlan, from: string, to: string): DomainNode {
  const [begin, end] = [start.split('.'), stop.split('.')];
  const goesOn = condition(end, stopAt.field.kind.isInstant ? '>' : '>=', from);
  return conjoin(condition(begin, '<', to), disjoin(condition(begin, '>=', from), goesOn));
}
