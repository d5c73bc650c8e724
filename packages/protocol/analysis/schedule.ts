import { startInUtc } from '../calendar.ts';
import { parseInstant, toLocal } from '../clock.ts';
import { fieldType } from '../field-types.ts';
import type { ArchField } from '../wire/arch.ts';
import {
  afterWorkingTime,
  dayAt,
  nextWorkingTime,
  type WorkCalendar,
  workingTime,
  workingTimeOn,
} from './work-calendar.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** An entry of a plan, in local times, and the entries it depends on. */
export interface Scheduled {
  readonly id: number;
  readonly start: number;
  readonly end: number;
  readonly waitsFor: readonly number[];
}

/** Less slack is ignored: an hour in the morning does not make a task less urgent. */
const leastSlack = 4 * hourMs;

/**
 * The critical path: entries that cannot be late without delaying the last entry that depends on them. Slack is working
 * time; the entries are in the times of the calendar.
 */
export function criticalIds(entries: readonly Scheduled[], calendar: WorkCalendar): ReadonlySet<number> {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const links = entries.flatMap((to) => to.waitsFor.flatMap((id) => (byId.has(id) ? [{ from: id, to: to.id }] : [])));
  const after = new Map<number, number[]>();
  for (const { from, to } of links) after.set(from, [...(after.get(from) ?? []), to]);
  const linked = new Set(links.flatMap(({ from, to }) => [from, to]));
  const ends = componentEnds(byId, links);
  const slacks = new Map<number, number>();
  const slackOf = (id: number): number => {
    const known = slacks.get(id);
    if (known !== undefined) return known;
    // The server rejects cycles; if there is one anyway, it ends here.
    slacks.set(id, Number.POSITIVE_INFINITY);
    const { end } = byId.get(id) as Scheduled;
    const slackUntil = (next: number) => slack(workingTime(calendar, end, next));
    const own = slackUntil(ends.get(id) ?? end);
    const found = (after.get(id) ?? []).map((next) => slackOf(next) + slackUntil((byId.get(next) as Scheduled).start));
    const least = Math.min(own, ...found);
    slacks.set(id, least);
    return least;
  };
  // Starts from the last ones, so that a long chain does not recurse deeply.
  for (const { id } of [...entries].sort((a, b) => b.end - a.end)) if (linked.has(id)) slackOf(id);
  return new Set([...linked].filter((id) => slackOf(id) === 0));
}

function slack(length: number): number {
  return length < leastSlack ? 0 : length;
}

interface Step {
  readonly from: number;
  readonly to: number;
}

/** The end of the last entry that is connected with this one, directly or indirectly. */
function componentEnds(byId: ReadonlyMap<number, Scheduled>, links: readonly Step[]): ReadonlyMap<number, number> {
  const root = new Map([...byId.keys()].map((id) => [id, id]));
  const find = (id: number): number => {
    let top = id;
    while (root.get(top) !== top) top = root.get(top) ?? top;
    // Sets the result for the whole path at once, so that a long chain is not walked again and again.
    for (let at = id; at !== top; ) {
      const next = root.get(at) ?? top;
      root.set(at, top);
      at = next;
    }
    return top;
  };
  for (const { from, to } of links) root.set(find(from), find(to));
  const ends = new Map<number, number>();
  for (const { id, end } of byId.values()) {
    const key = find(id);
    ends.set(key, Math.max(ends.get(key) ?? Number.NEGATIVE_INFINITY, end));
  }
  return new Map([...byId.keys()].map((id) => [id, ends.get(find(id)) as number]));
}

interface Place {
  readonly start: number;
  readonly end: number;
}

/**
 * Moves a span of instants to the first working moment at or after `from`, with as much working time; where it has none,
 * as long as it lasts, up to a day of work.
 */
export function onWorkTime(calendar: WorkCalendar, { start, end }: Place, from: number): Place {
  const first = nextWorkingTime(calendar, from);
  const day = workingTimeOn(calendar, dayAt(calendar, first));
  const length = workingTime(calendar, start, end) || Math.min(end - start, day || end - start);
  return { start: first, end: afterWorkingTime(calendar, first, length) };
}

/**
 * Where the followers of an entry move when it ends at another time: those with slack stay, the others begin at the
 * first working moment after everything they depend on is done.
 */
export function pushedFollowers<Follower extends Scheduled>(
  moved: { readonly id: number; readonly end: number },
  followers: readonly Follower[],
  placeFrom: (follower: Follower, from: number) => Place,
): ReadonlyMap<number, Place> {
  const places = new Map<number, Place>();
  const ends = new Map([[moved.id, moved.end]]);
  for (const follower of orderOf(followers)) {
    const due = Math.max(...follower.waitsFor.map((id) => ends.get(id) ?? Number.NEGATIVE_INFINITY));
    if (due <= follower.start) continue;
    const place = placeFrom(follower, due);
    places.set(follower.id, place);
    ends.set(follower.id, place.end);
  }
  return places;
}

/** Each after everything it depends on. */
function orderOf<Entry extends Scheduled>(entries: readonly Entry[]): readonly Entry[] {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const done = new Set<number>();
  const ordered: Entry[] = [];
  const visit = (entry: Entry): void => {
    if (done.has(entry.id)) return;
    done.add(entry.id);
    for (const id of entry.waitsFor) {
      const first = byId.get(id);
      if (first) visit(first);
    }
    ordered.push(entry);
  };
  for (const entry of entries) visit(entry);
  return ordered;
}

type TimeField = Pick<ArchField, 'name' | 'type'>;

/** The local times of a record on a plan; null without a start. The last day is included. */
export function scheduledSpan(
  record: Readonly<Record<string, unknown>>,
  [start, stop]: readonly [TimeField, TimeField],
  tz: string,
): Place | null {
  const at = (field: TimeField) => {
    const value = record[field.name];
    if (typeof value !== 'string' || value === '') return null;
    if (!fieldType(field.type).isInstant) return startInUtc(value.slice(0, 10));
    const instant = parseInstant(value);
    return instant === null ? null : toLocal(instant, tz);
  };
  const [from, to] = [at(start), at(stop)];
  if (from === null) return null;
  const until = to === null ? null : fieldType(stop.type).isInstant ? to : to + dayMs;
  const least = fieldType(start.type).isInstant ? hourMs : dayMs;
  return { start: from, end: until === null || until <= from ? from + least : until };
}
