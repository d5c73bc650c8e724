import { envTokens } from '@kontor/orm';
import {
  addDays,
  addMonths,
  type CalendarArch,
  condition,
  conjoin,
  type DomainNode,
  daysBetween,
  disjoin,
  type GanttArch,
  invalidArgs,
  isDate,
  mondayOf,
} from '@kontor/protocol';
import type { ViewData, ViewRequest } from './view-request.ts';

/** A screen holds no more; the total tells the client when there are. */
const maxEvents = 2_000;

export async function loadCalendar(request: ViewRequest): Promise<ViewData> {
  const calendar = request.arch.calendar as CalendarArch;
  const range = visibleRange(request.query, calendar.mode, envTokens(request.env).today);
  const data = await loadRange(request, calendar.start, calendar.stop, range);
  return { ...data, arch: { calendar: { ...calendar, ...range } } };
}

export async function loadGantt(request: ViewRequest): Promise<ViewData> {
  const gantt = request.arch.gantt as GanttArch;
  const range = visibleRange(request.query, gantt.scale, envTokens(request.env).today);
  const groupBy = request.search.groupBy.length > 0 ? request.search.groupBy : gantt.groupBy;
  const data = await loadRange(withGroups(request, groupBy), gantt.start, gantt.stop, range);
  return { ...data, arch: { gantt: { ...gantt, ...range, groupBy } } };
}

async function loadRange(
  { env, model, search, projection }: ViewRequest,
  start: string,
  stop: string | undefined,
  range: DayRange,
): Promise<ViewData> {
  const domain = conjoin(search.domain, overlap(start, stop, range));
  const records = env.model(model.name);
  const rows = await records.searchRead(domain, projection, { limit: maxEvents, order: search.order ?? start });
  const total = rows.length < maxEvents ? rows.length : await records.count(domain);
  return { records: rows, total, paths: projection };
}

/** What begins before the range ends and does not end before it begins; without an end it lasts for its first moment. */
function overlap(start: string, stop: string | undefined, { from, to }: DayRange): DomainNode {
  const [beginsInside, beginsBefore] = [condition(start, '>=', from), condition(start, '<', to)];
  if (stop === undefined) return conjoin(beginsInside, beginsBefore);
  const endsInside = disjoin(condition(stop, '>=', from), conjoin(condition(stop, '=', null), beginsInside));
  return conjoin(beginsBefore, endsInside);
}

/** Rows are drawn by what they are grouped by, so each record must tell it. */
function withGroups(request: ViewRequest, groupBy: readonly string[]): ViewRequest {
  const { model, projection } = request;
  const needed = groupBy.flatMap((name) => {
    const path = name.split(':', 1)[0] as string;
    return model.fields.get(path)?.kind.isToOne ? [path, `${path}.display_name`] : [path];
  });
  return { ...request, projection: [...projection, ...needed.filter((path) => !projection.includes(path))] };
}

/** Days from the first up to, but not with, the last. */
interface DayRange {
  readonly from: string;
  readonly to: string;
}
type RangeScale = 'day' | 'week' | 'month' | 'agenda' | 'quarter' | 'year';

/** The days asked for; without a word about it, those that the scale shows around today. */
function visibleRange(
  asked: { readonly from: string | null; readonly to: string | null },
  scale: RangeScale,
  today: string,
): DayRange {
  const usual = usualRange(scale, today);
  const from = asked.from === null ? usual.from : dayOf(asked.from, 'from');
  const to =
    asked.to === null
      ? asked.from === null
        ? usual.to
        : addDays(from, daysBetween(usual.from, usual.to))
      : dayOf(asked.to, 'to');
  if (from < to) return { from, to };
  throw invalidArgs('from must be before to.', { field: 'to' });
}

/** A time is taken for its day. */
function dayOf(text: string, name: 'from' | 'to'): string {
  const day = text.slice(0, 10);
  if (isDate(day) && (text.length === 10 || text[10] === 'T')) return day;
  throw invalidArgs(`${name} must be a day such as 2026-11-14.`, { field: name });
}

function usualRange(scale: RangeScale, today: string): DayRange {
  const month = `${today.slice(0, 7)}-01`;
  switch (scale) {
    case 'day':
      return { from: today, to: addDays(today, 1) };
    case 'week':
      return { from: mondayOf(today), to: addDays(mondayOf(today), 7) };
    case 'year': {
      const from = `${today.slice(0, 4)}-01-01`;
      return { from, to: addMonths(from, 12) };
    }
    case 'quarter': {
      const from = addMonths(month, -((Number(month.slice(5, 7)) - 1) % 3));
      return { from, to: addMonths(from, 3) };
    }
    case 'agenda':
      return { from: today, to: addDays(today, 31) };
    default:
      // A month is drawn in whole weeks: six of them always suffice.
      return { from: mondayOf(month), to: addDays(mondayOf(month), 42) };
  }
}
