import { empty, join, type Sql, sql } from '@kontor/database';
import {
  addDays,
  conjoin,
  type DayRow,
  type DaysSpec,
  type DomainNode,
  invalidArgs,
  isTimeZone,
  onDays,
  serializeDomain,
} from '@kontor/protocol';
import type { Env, Field, Model } from '../model/model.ts';
import { fieldAt, isComputedOnRead, type Select, startSelect, tableOf, visibleRows, walk } from './select.ts';

interface DaysQuery extends DaysSpec {
  readonly domain: DomainNode;
}

/**
 * The number of records per day, in one statement; days without any have no row. The end of a time range is exclusive,
 * a last day is inclusive; whole days have their midnights in UTC, in every time zone.
 */
export async function readDays(env: Env, model: Model, query: DaysQuery): Promise<DayRow[]> {
  const { domain, from, to } = query;
  const select = startSelect(env, model);
  const where = visibleRows(select, domain);
  const [start, stop, allDay] = [query.start, query.stop, query.allDay].map((name) =>
    name === undefined ? null : valueAt(select, name),
  );
  for (const one of [start, stop]) {
    if (one && !one.field.kind.isDate) throw invalidArgs(`${one.field.name} is not a date.`, { field: one.field.name });
  }
  if (allDay && !allDay.field.kind.isBoolean) {
    throw invalidArgs(`${allDay.field.name} is not a yes or no.`, { field: allDay.field.name });
  }
  const local = localTime(isTimeZone(env.actor.tz) ? env.actor.tz : 'UTC', allDay?.value ?? null);
  const records = sql`select ${local(start as At)} as since, ${stop ? local(stop) : sql`null::timestamp`} as till
    from ${tableOf(select)}${join(select.joinClauses, empty)} where ${where}`;
  const end = stop?.field.kind.isInstant ? sql`(s.till - interval '1 microsecond')::date` : sql`s.till::date`;
  const spans = sql`select s.since::date as first, greatest(s.since::date, ${end}) as last from (${records}) s where s.since is not null`;
  const rows = await env.db.arrays(sql`select to_char(g.day, 'YYYY-MM-DD'), count(*) from (${spans}) r
    cross join lateral generate_series(greatest(r.first, ${from}::date)::timestamp, least(r.last, ${to}::date - 1)::timestamp, interval '1 day') g(day)
    group by g.day order by g.day`);
  const stopType = stop ? [{ name: query.stop as string, type: stop.field.spec.type }] : [];
  return rows.map(([day, count]) => {
    const on = onDays(query, { from: String(day), to: addDays(String(day), 1) }, stopType);
    return { __day: String(day), __count: Number(count), __domain: serializeDomain(conjoin(domain, on)) };
  });
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

function localTime(tz: string, allDay: Sql | null): (at: At) => Sql {
  return ({ field, value }) => {
    if (!field.kind.isInstant) return sql`(${value})::timestamp`;
    const timed = sql`(${value} at time zone ${tz}::text)`;
    return allDay === null ? timed : sql`case when ${allDay} then (${value} at time zone 'UTC') else ${timed} end`;
  };
}
