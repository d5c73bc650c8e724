import {
  addDays,
  dateIn,
  type Env,
  fromLocal,
  isTimeZone,
  KontorError,
  type RouteRequest,
  type RouteSpec,
} from '@kontor/addon';
import {
  type BusySpan,
  busySpans,
  calendarsOf,
  firstFree,
  type Invited,
  type Span,
  searchedUntil,
} from './find-time.ts';

const mostPeople = 50;

/** Whether the people of a meeting are free, before it is saved, and the next time at which all of them are. */
export const busyRoute: RouteSpec = {
  method: 'GET',
  path: '/web/calendar/busy',
  auth: 'session',
  handler: async ({ env, query }) => ({ body: await busyPeople(env, query) }),
};

interface BusyPerson {
  readonly key: string;
  readonly name: string;
  /** Times on the day of the meeting. */
  readonly busy: readonly { readonly start: string; readonly stop: string }[];
  /** At the time of the meeting. */
  readonly isBusy: boolean;
}

async function busyPeople(env: Env, query: RouteRequest['query']) {
  const tz = String(query.tz ?? '');
  if (!isTimeZone(tz)) throw new KontorError('INVALID_ARGS', 'tz must be a time zone.', { field: 'tz' });
  const meeting = { start: momentIn(query, 'start'), stop: momentIn(query, 'stop') };
  const except = idsIn(query, 'event')[0] ?? 0;
  const people = await readable(env, { users: idsIn(query, 'users'), guests: idsIn(query, 'guests') });
  const invited = { users: [...people.users.keys()], guests: [...people.guests.keys()] };
  const day = dateIn(tz, new Date(meeting.start));
  const midnight = (date: string) => fromLocal(Date.parse(`${date}T00:00:00Z`), tz);
  const shown = { from: midnight(day), until: midnight(addDays(day, 1)) };
  const from = Math.max(meeting.start, env.now.getTime());
  const [today, later] = await Promise.all([
    busySpans(env, invited, { ...shown, except }),
    busySpans(env, invited, { from, until: searchedUntil(from), except }),
  ]);
  const length = Math.max(0, meeting.stop - meeting.start);
  const next = firstFree(later, { from, length, calendars: await calendarsOf(env, invited.users, tz) });
  const told = (kind: keyof Invited, names: ReadonlyMap<number, string>): readonly BusyPerson[] =>
    [...names].map(([id, name]) => ({ key: `${kind} ${id}`, name, ...busyOf(today, { kind, id }, shown, meeting) }));
  return {
    from: iso(shown.from),
    until: iso(shown.until),
    people: [...told('users', people.users), ...told('guests', people.guests)],
    next: next === null ? null : { start: iso(next), stop: iso(next + length) },
  };
}

function busyOf(
  spans: readonly BusySpan[],
  { kind, id }: { readonly kind: keyof Invited; readonly id: number },
  day: { readonly from: number; readonly until: number },
  meeting: Span,
): Pick<BusyPerson, 'busy' | 'isBusy'> {
  const own = spans.filter((span) => span[kind].includes(id) && span.start < day.until && span.stop > day.from);
  return {
    busy: own.map(({ start, stop }) => ({
      start: iso(Math.max(start, day.from)),
      stop: iso(Math.min(stop, day.until)),
    })),
    isBusy: own.some(({ start, stop }) => start < meeting.stop && stop > meeting.start),
  };
}

function iso(at: number): string {
  return new Date(at).toISOString();
}

/** Only people whom the reader may see: others are neither named nor known to be busy. */
async function readable(env: Env, { users, guests }: Invited) {
  const [known, partners] = await Promise.all([
    env.model('core.user').searchRead([['id', 'in', users]], ['name']),
    env.model('core.partner').searchRead([['id', 'in', guests]], ['name']),
  ]);
  const named = (rows: readonly { readonly id: number; readonly name: string }[]) =>
    new Map(rows.map(({ id, name }) => [id, name]));
  return { users: named(known), guests: named(partners) };
}

function momentIn(query: RouteRequest['query'], name: string): number {
  const at = Date.parse(String(query[name] ?? ''));
  // Years of four digits: a period around them is still a time.
  if (at > Date.UTC(1900, 0) && at < Date.UTC(9000, 0)) return at;
  throw new KontorError('INVALID_ARGS', `${name} must be a time.`, { field: name });
}

function idsIn(query: RouteRequest['query'], name: string): readonly number[] {
  const ids = String(query[name] ?? '')
    .split(',')
    .filter(Boolean);
  if (ids.length <= mostPeople && ids.every((id) => /^[1-9]\d{0,8}$/.test(id))) return ids.map(Number);
  throw new KontorError('INVALID_ARGS', `${name} must be at most ${mostPeople} ids.`, { field: name });
}
