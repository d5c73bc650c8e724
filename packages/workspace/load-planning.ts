import { envTokens } from '@kontor/orm';
import { type CalendarArch, condition, conjoin, type DomainNode, disjoin, type GanttArch } from '@kontor/protocol';
import type { ViewData, ViewRequest } from './view-request.ts';
import { type DayRange, visibleRange } from './visible-range.ts';

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
    return model.fields.get(path)?.spec.type === 'many2one' ? [path, `${path}.display_name`] : [path];
  });
  return { ...request, projection: [...projection, ...needed.filter((path) => !projection.includes(path))] };
}
