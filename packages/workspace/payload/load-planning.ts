import { envTokens, knownField } from '@kontor/orm';
import {
  type Answer,
  addDays,
  addMonths,
  type CalendarArch,
  type CalendarMode,
  calendarDays,
  calendarModes,
  conjoin,
  type DayRange,
  daysBetween,
  firstWeekdayIn,
  type GanttArch,
  type GanttScale,
  type GroupSpec,
  ganttDays,
  ganttQuestion,
  ganttScales,
  invalidArgs,
  isDate,
  type LoadRow,
  legendQuestion,
  onDays,
  type PersonLoad,
  serializeDomain,
} from '@kontor/protocol';
import { isGroupable } from '@kontor/views';
import type { ViewData, ViewRequest } from './view-request.ts';

/** A screen holds no more; the total tells the client when there are. */
const maxEvents = 2_000;
const maxBars = 5_000;
const maxLoadDays = 400;

export async function loadCalendar(request: ViewRequest, drawn = calendarOf(request)): Promise<ViewData> {
  const { color } = request.query;
  const data = await loadRange(withFields(request, color ? [color] : []), drawn, drawn, maxEvents);
  return { ...data, arch: { calendar: drawn } };
}

/** Besides the entries, what those of each colour and of each person come to. */
export async function loadCalendarScreen(request: ViewRequest): Promise<ViewData> {
  const drawn = calendarOf(request);
  const { arch, model, search } = request;
  const days = calendarDays(drawn.mode, drawn.date, firstWeekdayOf(request));
  const question = { domain: serializeDomain(search.domain), arch: drawn, fields: arch.fields, days };
  const by = [...new Set([drawn.color, drawn.people])].filter((name) => name !== undefined);
  const asked = by.filter((name) => isGroupable(knownField(model, name))).map((name) => legendQuestion(question, name));
  const [data, ...answers] = await Promise.all([
    loadCalendar(request, drawn),
    ...asked.map((spec) => answer(request, spec)),
  ]);
  return { ...data, arch: { ...data.arch, answers } };
}

function calendarOf(request: ViewRequest): CalendarArch {
  const { arch, query } = request;
  const calendar = arch.calendar as CalendarArch;
  const color = query.color ?? calendar.color;
  const mode = calendarModes.find((one) => one === query.scale) ?? calendar.mode;
  return { ...calendar, ...visibleDays(request, mode), mode, ...(color ? { color } : {}) };
}

async function answer({ env, model }: ViewRequest, spec: GroupSpec): Promise<Answer> {
  return { spec, rows: await env.model(model.name).readGroup(spec) };
}

function firstWeekdayOf({ env }: ViewRequest): number {
  return firstWeekdayIn(env.actor.lang.replace('_', '-'));
}

export async function loadGantt(request: ViewRequest): Promise<ViewData> {
  const { arch, query, search } = request;
  const gantt = arch.gantt as GanttArch;
  const color = query.color ?? gantt.color;
  const scale = ganttScales.find((one) => one === query.scale) ?? gantt.scale;
  const period = visibleDays(request, scale);
  const groupBy = search.groupBy.length > 0 || query.groupBy !== null ? search.groupBy : gantt.groupBy;
  const needed = withFields(request, [...groupBy, ...(query.color ? [query.color] : [])]);
  const drawn = { ...gantt, ...period, scale, groupBy, ...(color ? { color } : {}) };
  const days = ganttDays(scale, period.date, firstWeekdayOf(request));
  const question = { domain: serializeDomain(search.domain), arch: drawn, fields: arch.fields, days };
  const [data, load, groups] = await Promise.all([
    loadRange(needed, gantt, period, maxBars),
    loadHours(request, gantt, { ...period, scale }),
    answer(request, ganttQuestion(question)),
  ]);
  return { ...data, arch: { gantt: { ...drawn, load }, answers: [groups] } };
}

/** What everybody has to do, added up by the database: also of bars that are too many to be shown. */
async function loadHours(
  { env, model, arch, search }: ViewRequest,
  gantt: GanttArch,
  { from, to, scale }: DayRange & { readonly scale: GanttScale },
): Promise<readonly PersonLoad[]> {
  const { start, stop, people, hours, dayHours } = gantt;
  if (people === undefined || daysBetween(from, to) > maxLoadDays) return [];
  const interval = scale === 'year' ? 'month' : 'day';
  const load = { start, stop, people, ...(hours ? { hours } : {}), dayHours, from, to, interval } as const;
  const domain = conjoin(search.domain, onDays(gantt, { from, to }, arch.fields));
  const rows = (await env.model(model.name).readGroup({ domain, groupby: [], fields: [], load })) as LoadRow[];
  const persons = new Map<number, PersonLoad & { readonly days: [string, number][] }>();
  for (const row of rows) {
    const id = Number(row[people]);
    const name = String(row[`${people}.display_name`] ?? `#${id}`);
    const person = persons.get(id) ?? { id, name, days: [] };
    persons.set(id, person);
    person.days.push([row.__day, row.__hours]);
  }
  return [...persons.values()];
}

async function loadRange(
  { env, model, arch, search, projection }: ViewRequest,
  span: Pick<CalendarArch, 'start' | 'stop' | 'allDay'>,
  range: DayRange,
  limit: number,
): Promise<ViewData> {
  const domain = conjoin(search.domain, onDays(span, range, arch.fields));
  const records = env.model(model.name);
  const rows = await records.searchRead(domain, projection, { limit, order: search.order ?? span.start });
  const total = rows.length < limit ? rows.length : await records.count(domain);
  return { records: rows, total, paths: projection };
}

/** What entries are grouped and coloured by, each record must tell. */
function withFields(request: ViewRequest, names: readonly string[]): ViewRequest {
  const { model, projection } = request;
  const needed = names.flatMap((name) => {
    const path = name.split(':', 1)[0] as string;
    const { kind } = knownField(model, path.split('.', 1)[0] as string);
    return kind.isToOne && !path.includes('.') ? [path, `${path}.display_name`] : [path];
  });
  return { ...request, projection: [...projection, ...needed.filter((path) => !projection.includes(path))] };
}

interface Period extends DayRange {
  readonly date: string;
}

/** The day asked for, else today, and the days asked for; without a word about them, those that the scale shows around it. */
function visibleDays({ env, query }: ViewRequest, scale: CalendarMode | GanttScale): Period {
  const asked = query.date ?? query.from;
  const date = asked === null ? envTokens(env).today : dayOf(asked, query.date === null ? 'from' : 'date');
  const usual = usualRange(scale, date);
  const from = query.from === null ? usual.from : dayOf(query.from, 'from');
  const length = daysBetween(usual.from, usual.to);
  const to = query.to === null ? (query.from === null ? usual.to : addDays(from, length)) : dayOf(query.to, 'to');
  if (from < to) return { date, from, to };
  throw invalidArgs('from must be before to.', { field: 'to' });
}

/** A time is taken for its day. */
function dayOf(text: string, name: 'from' | 'to' | 'date'): string {
  const day = text.slice(0, 10);
  if (isDate(day) && (text.length === 10 || text[10] === 'T')) return day;
  throw invalidArgs(`${name} must be a day such as 2026-11-14.`, { field: name });
}

/** Weeks are whole on whichever weekday they begin where the person lives. */
function usualRange(scale: CalendarMode | GanttScale, day: string): DayRange {
  const month = `${day.slice(0, 7)}-01`;
  switch (scale) {
    case 'day':
      return { from: day, to: addDays(day, 1) };
    case 'week':
      return { from: addDays(day, -6), to: addDays(day, 7) };
    case 'year': {
      const from = `${day.slice(0, 4)}-01-01`;
      return { from, to: addMonths(from, 12) };
    }
    case 'quarter': {
      const from = addMonths(month, -((Number(month.slice(5, 7)) - 1) % 3));
      return { from, to: addMonths(from, 3) };
    }
    case 'agenda':
      return { from: addDays(day, -6), to: addDays(day, 31) };
    default:
      // A month is drawn in whole weeks: six of them always suffice.
      return { from: addDays(month, -6), to: addDays(month, 42) };
  }
}
