import { calendarsOf, envTokens, knownField, weeksOf } from '@kontor/orm';
import {
  type Answer,
  addDays,
  addMonths,
  type CalendarArch,
  type CalendarMode,
  calendarDays,
  calendarModes,
  condition,
  conjoin,
  criticalIds,
  type DayRange,
  type DayRow,
  type DomainNode,
  daysBetween,
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
  scheduledSpan,
  serializeDomain,
  usualCalendar,
  type WireRecord,
  type WorkCalendar,
} from '@kontor/protocol';
import { isGroupable } from '@kontor/views';
import { hideArchived } from '../query/action-domain.ts';
import type { ViewData, ViewRequest } from './view-request.ts';

/** The maximum on one screen; the total tells the client if there are more. */
const maxEvents = 2_000;
const maxBars = 5_000;
const maxLoadDays = 400;

export async function loadCalendar(request: ViewRequest, drawn = calendarOf(request)): Promise<ViewData> {
  const { color } = request.query;
  const data = await loadRange(withFields(request, color ? [color] : []), drawn, drawn, maxEvents);
  const isCut = data.total > data.records.length;
  return { ...data, arch: { calendar: isCut ? { ...drawn, dayCounts: await countDays(request, drawn) } : drawn } };
}

/** Counts for days whose entries were not all loaded. */
async function countDays(
  { env, model, search: { domain } }: ViewRequest,
  { start, stop, allDay, from, to }: CalendarArch,
): Promise<NonNullable<CalendarArch['dayCounts']>> {
  const days = { start, ...(stop ? { stop } : {}), ...(allDay ? { allDay } : {}), from, to };
  const rows = (await env.model(model.name).readGroup({ domain, groupby: [], fields: [], days })) as DayRow[];
  return Object.fromEntries(rows.map(({ __day, __count }) => [__day, __count]));
}

/** Besides the entries, the totals by colour and by person, and the days off. */
export async function loadCalendarScreen(request: ViewRequest): Promise<ViewData> {
  const drawn = { ...calendarOf(request), workTime: await companyTime(request) };
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
  return weeksOf(env).start;
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
  const company = await companyTime(request);
  const [data, load, groups, unplanned, critical] = await Promise.all([
    loadRange(needed, gantt, period, maxBars),
    loadHours(request, gantt, { ...period, scale }),
    answer(request, ganttQuestion(question)),
    loadUnplanned(request, gantt),
    query.critical ? loadCritical(request, gantt, company) : null,
  ]);
  const people = await peopleTime(request, gantt, company, [
    ...load.map(({ id }) => id),
    ...(unplanned?.records ?? []).flatMap(({ person }) => (person === null ? [] : [person])),
    ...data.records.flatMap((record) => idsIn(gantt.people ? record[gantt.people] : null)),
  ]);
  const more = {
    ...(critical ? { critical } : {}),
    ...(unplanned ? { unplanned } : {}),
    workTime: { company, people },
  };
  return { ...data, arch: { gantt: { ...drawn, load, ...more }, answers: [groups] } };
}

/** When the active company works. */
async function companyTime({ env }: ViewRequest): Promise<WorkCalendar> {
  const { companyId, tz } = env.actor;
  const companies = await calendarsOf(env, env.registry.models.get('core.company') ?? null, [companyId ?? 0]);
  return companies.get(companyId ?? 0) ?? usualCalendar(tz);
}

/** When people work, where it is not when their company does. */
async function peopleTime(
  { env, model }: ViewRequest,
  { people }: GanttArch,
  company: WorkCalendar,
  ids: readonly number[],
): Promise<Readonly<Record<number, WorkCalendar>>> {
  const relation = people === undefined ? undefined : knownField(model, people).spec.relation;
  if (relation === undefined) return {};
  const usual = JSON.stringify(company);
  const calendars = await calendarsOf(env, env.registry.model(relation), [...new Set(ids)]);
  return Object.fromEntries([...calendars].filter(([, calendar]) => JSON.stringify(calendar) !== usual));
}

function idsIn(value: unknown): readonly number[] {
  if (typeof value === 'number') return [value];
  if (!Array.isArray(value)) return [];
  return (value as readonly (number | WireRecord)[]).map((one) => (typeof one === 'number' ? one : one.id));
}

const maxUnplanned = 100;

/** What the search finds and no date places: a project whose tasks have none is a list to plan, not an empty screen. */
async function loadUnplanned(
  { env, model, search }: ViewRequest,
  { start, hours, people, title }: GanttArch,
): Promise<GanttArch['unplanned'] | null> {
  if (knownField(model, start).required) return null;
  const domain = conjoin(search.domain, condition(start, '=', null));
  const names = ['display_name', title, ...(hours ? [hours] : []), ...(people ? [people] : [])];
  const rows = await env.model(model.name).searchRead(domain, [...new Set(names)], { limit: maxUnplanned });
  if (rows.length === 0) return null;
  const total = rows.length < maxUnplanned ? rows.length : await env.model(model.name).count(domain);
  const records = rows.map((row) => {
    const who = people ? row[people] : null;
    const spent = hours ? Number(row[hours] ?? Number.NaN) : Number.NaN;
    return {
      id: row.id,
      name: String(row[title] ?? row.display_name ?? ''),
      hours: Number.isNaN(spent) ? null : spent,
      person: typeof who === 'number' ? who : Array.isArray(who) ? Number(who[0]) || null : null,
    };
  });
  return { total, records };
}

const maxLinked = 20_000;

/**
 * The critical path of all records connected by dependencies that the user may see, whatever is searched for, loaded or
 * visible. Null if there are too many.
 */
async function loadCritical(
  { env, model }: ViewRequest,
  { start, stop, dependencies }: GanttArch,
  company: WorkCalendar,
): Promise<readonly number[] | null> {
  if (dependencies === undefined) return [];
  const times = [start, stop].map((name) => ({ name, type: knownField(model, name).spec.type })) as [
    TimeField,
    TimeField,
  ];
  const read = (domain: DomainNode) =>
    env.model(model.name).searchRead(domain, [start, stop, { [dependencies]: ['id'] }], { limit: maxLinked });
  const waiting = await read(hideArchived(model, condition(dependencies, '!=', null)));
  const waitsFor = (row: WireRecord) => (row[dependencies] as readonly WireRecord[]).map(({ id }) => id);
  const known = new Set(waiting.map(({ id }) => id));
  const others = [...new Set(waiting.flatMap(waitsFor))].filter((id) => !known.has(id));
  if (waiting.length >= maxLinked || others.length >= maxLinked) return null;
  const first = others.length === 0 ? [] : await read(condition('id', 'in', others));
  const entries = [...waiting, ...first].flatMap((row) => {
    const span = scheduledSpan(row, times, company.tz);
    return span ? [{ id: row.id, ...span, waitsFor: waitsFor(row) }] : [];
  });
  // Local times of the company, as dates are.
  return [...criticalIds(entries, { ...company, tz: 'UTC' })];
}

interface TimeField {
  readonly name: string;
  readonly type: string;
}

/**
 * The load of everybody in the search, summed by the database: all of their work on these days, whatever the search
 * excludes and however many bars are shown.
 */
async function loadHours(
  { env, model, arch, search }: ViewRequest,
  gantt: GanttArch,
  { from, to, scale }: DayRange & { readonly scale: GanttScale },
): Promise<readonly PersonLoad[]> {
  const { start, stop, people, hours } = gantt;
  if (people === undefined || daysBetween(from, to) > maxLoadDays) return [];
  const interval = scale === 'year' ? 'month' : 'day';
  const load = { start, stop, people, ...(hours ? { hours } : {}), from, to, interval } as const;
  const days = onDays(gantt, { from, to }, arch.fields);
  const ask = async (domain: DomainNode): Promise<readonly LoadRow[]> =>
    (await env.model(model.name).readGroup({ domain, groupby: [], fields: [], load })) as LoadRow[];
  const searched = await ask(conjoin(search.domain, days));
  const ids = [...new Set(searched.map((row) => Number(row[people])))];
  const all = ids.length === 0 ? [] : await ask(hideArchived(model, conjoin(days, condition(people, 'in', ids))));
  const rows = all.filter((row) => ids.includes(Number(row[people])));
  const persons = new Map<number, PersonLoad & { readonly days: [string, number][] }>();
  for (const row of rows) {
    const id = Number(row[people]);
    const name = String(row[`${people}.display_name`] ?? env.registry.wordsIn(env.actor.lang)('No access', 'base'));
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

/** Each record must contain the values that entries are grouped and coloured by. */
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

/** The requested day, otherwise today, and the requested range; by default the one that the scale shows around it. */
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

/** A datetime is reduced to its day. */
function dayOf(text: string, name: 'from' | 'to' | 'date'): string {
  const day = text.slice(0, 10);
  if (isDate(day) && (text.length === 10 || text[10] === 'T')) return day;
  throw invalidArgs(`${name} must be a day such as 2026-11-14.`, { field: name });
}

/** Weeks are complete, whatever the user's first day of the week. */
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
      // A month is drawn in whole weeks: six are always enough.
      return { from: addDays(month, -6), to: addDays(month, 42) };
  }
}
