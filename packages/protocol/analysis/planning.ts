import { addDays, addMonths, type DayRange, weekStartOf } from '../calendar.ts';
import { parseDomain } from '../domain/parse-domain.ts';
import { serializeDomain } from '../domain/serialize-domain.ts';
import { condition, conjoin, type Domain, type DomainNode, disjoin } from '../domain/tree.ts';
import { fieldType } from '../field-types.ts';
import type { ArchField, CalendarArch } from '../wire/arch.ts';
import type { CalendarMode, GanttArch, GanttScale } from '../wire/planning-arch.ts';
import type { GroupMeasure, GroupSpec } from '../wire/rpc.ts';
import { mostFigures } from './questions.ts';

const agendaDays = 28;

/** The days that a calendar shows around a date. */
export function calendarDays(mode: CalendarMode, date: string, firstWeekday: number): DayRange {
  if (mode === 'day') return lasting(date, 1);
  if (mode === 'agenda') return lasting(date, agendaDays);
  if (mode === 'week') return lasting(weekStartOf(date, firstWeekday), 7);
  const first = `${date.slice(0, 7)}-01`;
  const last = addDays(addMonths(first, 1), -1);
  return { from: weekStartOf(first, firstWeekday), to: addDays(weekStartOf(last, firstWeekday), 7) };
}

/** The days that a gantt shows around a date. */
export function ganttDays(scale: GanttScale, date: string, firstWeekday: number): DayRange {
  const month = `${date.slice(0, 7)}-01`;
  switch (scale) {
    case 'day':
      return lasting(date, 1);
    case 'week':
      return lasting(weekStartOf(date, firstWeekday), 7);
    case 'month':
      return lasting(weekStartOf(month, firstWeekday), 42);
    case 'quarter': {
      const from = addMonths(month, -((Number(month.slice(5, 7)) - 1) % 3));
      return { from, to: addMonths(from, 3) };
    }
    case 'year': {
      const from = `${date.slice(0, 4)}-01-01`;
      return { from, to: addMonths(from, 12) };
    }
  }
}

function lasting(from: string, days: number): DayRange {
  return { from, to: addDays(from, days) };
}

interface SpanNames {
  readonly start: string;
  readonly stop?: string;
  readonly allDay?: string;
}

/**
 * Records that overlap these days. The end of a time range is exclusive, a last day is inclusive. Whole days are the
 * same in every time zone and have their midnights in UTC.
 */
export function onDays(
  { start, stop, allDay }: SpanNames,
  { from, to }: DayRange,
  fields: readonly Pick<ArchField, 'name' | 'type'>[],
): DomainNode {
  const between = (first: string, last: string) => {
    const beginsInside = condition(start, '>=', first);
    if (stop === undefined) return conjoin(beginsInside, condition(start, '<', last));
    const isTimed = fieldType(fields.find(({ name }) => name === stop)?.type).isInstant;
    return conjoin(condition(start, '<', last), disjoin(beginsInside, condition(stop, isTimed ? '>' : '>=', first)));
  };
  const isWhole = (value: boolean) => condition(allDay as string, '=', value);
  if (allDay === undefined) return between(from, to);
  const wholeDays = between(`${from}T00:00:00Z`, `${to}T00:00:00Z`);
  return disjoin(conjoin(isWhole(false), between(from, to)), conjoin(isWhole(true), wholeDays));
}

/** The key of the hours in a row of a plan. */
export const hoursKey = 'hours:sum';

/** The measure for the hours of a plan; none if its view names no field that the database can add up. */
function hoursIn(name: string | undefined, fields: readonly ArchField[]): readonly GroupMeasure[] {
  const isStored = fields.some((field) => field.name === name && field.stored);
  return name !== undefined && isStored ? [{ name: hoursKey, field: name, measure: 'sum' }] : [];
}

interface PlanQuestion<A> {
  readonly domain: Domain;
  readonly arch: A;
  readonly fields: readonly ArchField[];
  readonly days: DayRange;
}

/**
 * The totals of a gantt's rows, at each level and overall. Server and client ask the same question, so that it is asked
 * only once.
 */
export function ganttQuestion({ domain, arch, fields, days }: PlanQuestion<GanttArch>): GroupSpec {
  const { groupBy, hours } = arch;
  return {
    domain: within(domain, onDays(arch, days, fields)),
    groupby: groupBy,
    fields: hoursIn(hours, fields),
    subtotals: groupBy.map((_, depth) => groupBy.slice(0, depth)),
    limit: mostFigures,
  };
}

/** The totals of a calendar's entries, for each colour or filter value. */
export function legendQuestion({ domain, arch, fields, days }: PlanQuestion<CalendarArch>, by: string): GroupSpec {
  return {
    domain: within(domain, onDays(arch, days, fields)),
    groupby: [by],
    fields: hoursIn(arch.hours, fields),
    limit: mostFigures,
  };
}

function within(domain: Domain, node: DomainNode): Domain {
  return serializeDomain(conjoin(parseDomain(domain), node));
}
