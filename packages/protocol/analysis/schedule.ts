import { startInUtc, toDay, weekdayOf } from '../calendar.ts';
import { parseInstant, toLocal } from '../clock.ts';
import { fieldType } from '../field-types.ts';
import type { ArchField } from '../wire/arch.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** An entry of a plan, in local times, and the entries it depends on. */
export interface Scheduled {
  readonly id: number;
  readonly start: number;
  readonly end: number;
  readonly waitsFor: readonly number[];
}

/** Whether the day of a local time is Monday to Friday. */
export function isWorkday(local: number): boolean {
  return weekdayOf(toDay(local)) <= 5;
}

/** Working days since a fixed day: Monday to Friday, eight to four. */
export function workTime(local: number): number {
  const days = Math.floor(local / dayMs);
  // Day 0 of the clock was a Thursday.
  const fromMonday = days + 3;
  const weeks = Math.floor(fromMonday / 7);
  const weekdayAt = fromMonday - weeks * 7;
  const part = Math.min(1, Math.max(0, (local - days * dayMs - 8 * hourMs) / (8 * hourMs)));
  return weeks * 5 + Math.min(5, weekdayAt + (weekdayAt < 5 ? part : 0));
}

/** Slack below this is ignored: an hour in the morning does not make a task less urgent. */
const leastSlack = 0.5;

/**
 * The critical path: entries that cannot be late without delaying the last entry that depends on them. Nights and
 * weekends between two entries are not slack.
 */
export function criticalIds(entries: readonly Scheduled[]): ReadonlySet<number> {
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
    const end = workTime((byId.get(id) as Scheduled).end);
    const own = slack((ends.get(id) ?? end) - end);
    const found = (after.get(id) ?? []).map(
      (next) => slackOf(next) + slack(workTime((byId.get(next) as Scheduled).start) - end),
    );
    const least = Math.min(own, ...found);
    slacks.set(id, least);
    return least;
  };
  // Starts from the last ones, so that a long chain does not recurse deeply.
  for (const { id } of [...entries].sort((a, b) => b.end - a.end)) if (linked.has(id)) slackOf(id);
  return new Set([...linked].filter((id) => slackOf(id) === 0));
}

function slack(days: number): number {
  return days < leastSlack ? 0 : days;
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
    ends.set(key, Math.max(ends.get(key) ?? Number.NEGATIVE_INFINITY, workTime(end)));
  }
  return new Map([...byId.keys()].map((id) => [id, ends.get(find(id)) as number]));
}

interface Place {
  readonly start: number;
  readonly end: number;
}

/** Moves a span to the first working day at or after `from`, with as many working days; the times of day stay. */
export function onWorkdays({ start, end }: Place, from: number): Place {
  const floor = (local: number) => Math.floor(local / dayMs) * dayMs;
  const next = (day: number): number => (isWorkday(day) ? day : next(day + dayMs));
  const lastDay = floor(Math.max(start, end - 1));
  let days = 0;
  for (let day = floor(start); day <= lastDay; day += dayMs) if (isWorkday(day)) days++;
  const first = next(floor(from));
  let last = first;
  for (let left = Math.max(1, days); left > 1; left--) last = next(last + dayMs);
  return { start: first + (start - floor(start)), end: last + (end - lastDay) };
}

/**
 * Where the followers of an entry move when it ends at another time: those with slack stay, the others begin on the
 * first working day after everything they depend on is done.
 */
export function pushedFollowers(
  moved: { readonly id: number; readonly end: number },
  followers: readonly Scheduled[],
): ReadonlyMap<number, Place> {
  const places = new Map<number, Place>();
  const ends = new Map([[moved.id, moved.end]]);
  const inOrder = orderOf(followers);
  for (const follower of inOrder) {
    const due = Math.max(...follower.waitsFor.map((id) => ends.get(id) ?? Number.NEGATIVE_INFINITY));
    if (due <= follower.start) continue;
    const day = follower.start + Math.ceil((due - follower.start) / dayMs) * dayMs;
    const place = onWorkdays(follower, day);
    places.set(follower.id, place);
    ends.set(follower.id, place.end);
  }
  return places;
}

/** Each after everything it depends on. */
function orderOf(entries: readonly Scheduled[]): readonly Scheduled[] {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const done = new Set<number>();
  const ordered: Scheduled[] = [];
  const visit = (entry: Scheduled): void => {
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
