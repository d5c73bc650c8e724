import type { Kernel } from '@kontor/kernel';
import { type Env, mayAccessModel, mayReadField, open, type TimelineEntry, timelineEntries } from '@kontor/orm';
import {
  addDays,
  type Domain,
  dateIn,
  invalidArgs,
  KontorError,
  startOfDay,
  type TimelineItem,
  type TimelineKind,
  type TimelinePage,
  text,
  type WireRecord,
} from '@kontor/protocol';
import type { WorkspaceCaller } from '../build-workspace.ts';
import { describe, describedPaths } from '../day/describe-record.ts';
import { aboutDomain, type Subject } from './about-domain.ts';

export interface TimelineRequest extends Subject {
  /** Only these kinds; empty: all. */
  readonly kinds: readonly string[];
  /** From tomorrow on, earliest first; otherwise until today, latest first. */
  readonly isUpcoming: boolean;
  /** `next` of the page before; empty: the first page. */
  readonly after: string;
  readonly limit: number;
}

const maxPage = 50;

/**
 * A page of the timeline of a record, with the rights of the reader: one limited statement for each entry that addons declare, and
 * with the first page one that counts.
 */
export async function readTimeline(
  kernel: Kernel,
  { actor }: WorkspaceCaller,
  asked: TimelineRequest,
): Promise<TimelinePage> {
  return kernel.read(
    actor,
    async (env) => {
      const entries = timelineEntries(env.registry, asked.model).filter((entry) => mayRead(env, entry));
      if (!timelineEntries(env.registry, asked.model).length) {
        throw new KontorError('NOT_FOUND', text('{model} has no timeline.', { model: asked.model }));
      }
      // Rejects a reader who may not read the record itself.
      await env.model(asked.model).read([asked.id], ['id']);
      const domains = await domainsOf(env, entries, asked);
      const page = await readPage(env, domains, asked);
      if (asked.isUpcoming || asked.after !== '') return page;
      return { kinds: await countKinds(env, domains), ...page };
    },
    { isOutside: true },
  );
}

function mayRead(env: Env, { model, spec }: TimelineEntry): boolean {
  if (spec.about) return true;
  const asked = [spec.date, spec.of?.split('.')[0] ?? ''].flatMap((name) => model.fields.get(name) ?? []);
  return mayAccessModel(env, model, 'read') && asked.every((field) => mayReadField(env, field));
}

interface Asked {
  readonly entry: TimelineEntry;
  readonly domain: Domain;
}

async function domainsOf(env: Env, entries: readonly TimelineEntry[], subject: Subject): Promise<readonly Asked[]> {
  const isTree = env.registry.model(subject.model).fields.get('parent_id')?.spec.relation === subject.model;
  const below = isTree ? 'child_of' : '=';
  const attached = entries.some(({ spec }) => spec.about) ? await aboutDomain(env, entries, subject, below) : null;
  return entries.map((entry) => {
    const { of, about, where = [], date } = entry.spec;
    const place: Domain = about && attached ? attached(about) : [[of as string, below, subject.id]];
    return { entry, domain: [...place, [date, '!=', null], ...where] };
  });
}

/** As the server for what is about a record: whoever may read that record may read it. */
function modelOf(env: Env, { model, spec }: TimelineEntry) {
  return (spec.about ? env.sudo() : env).model(model.name);
}

async function countKinds(env: Env, domains: readonly Asked[]): Promise<readonly TimelineKind[]> {
  const counts = await Promise.all(domains.map(({ entry, domain }) => modelOf(env, entry).count(domain)));
  const kinds = new Map<string, TimelineKind>();
  for (const [at, { entry }] of domains.entries()) {
    const { kind, spec } = entry;
    const known = kinds.get(kind) ?? { kind, label: spec.label, icon: spec.icon, count: 0 };
    kinds.set(kind, { ...known, count: known.count + (counts[at] ?? 0) });
  }
  return [...kinds.values()].filter(({ count }) => count > 0);
}

/** A place between two items: everything before it has been read. */
interface Place {
  readonly at: number;
  /** The entry and record that were read last at that moment; absent at the start. */
  readonly last?: { readonly key: string; readonly id: number };
}

interface Placed extends Required<Place> {
  readonly item: TimelineItem;
}

async function readPage(env: Env, domains: readonly Asked[], asked: TimelineRequest): Promise<TimelinePage> {
  const limit = Math.min(maxPage, asked.limit);
  const from = asked.after === '' ? startOf(env) : parsePlace(asked.after);
  const chosen = domains.filter(({ entry }) => asked.kinds.length === 0 || asked.kinds.includes(entry.kind));
  const found = await Promise.all(
    chosen.map(({ entry, domain }) => {
      const rest = [...domain, ...beyond(env, entry, from, asked.isUpcoming)];
      const { date } = entry.spec;
      const order = asked.isUpcoming ? `${date}, id` : `-${date}, -id`;
      return modelOf(env, entry)
        .searchRead(rest, pathsOf(env, entry), { order, limit: limit + 1 })
        .then((rows) => rows.map((row) => placed(env, entry, row)));
    }),
  );
  const sign = asked.isUpcoming ? 1 : -1;
  const sorted = found
    .flat()
    .sort(
      (a, b) =>
        sign * (a.at - b.at) ||
        (a.last.key < b.last.key ? -1 : a.last.key > b.last.key ? 1 : 0) ||
        sign * (a.last.id - b.last.id),
    );
  const page = sorted.slice(0, limit);
  const end = page.at(-1);
  const next = end && sorted.length > limit ? `${end.at},${end.last.id},${end.last.key}` : null;
  return { items: page.map(({ item }) => item), next };
}

/** The end of today, which is where upcoming records begin. */
function startOf(env: Env): Place {
  return { at: startOfDay(addDays(dateIn(env.actor.tz, env.now), 1), env.actor.tz) };
}

/** Years have four digits. */
const maxMoment = Date.UTC(9999, 11, 31);

function parsePlace(given: string): Place {
  const [, at, id, key] = /^(-?\d{1,15}),(\d{1,9}),([\w. ]{1,200})$/.exec(given) ?? [];
  if (key === undefined || Math.abs(Number(at)) > maxMoment)
    throw invalidArgs('after must be the next of a page.', { field: 'after' });
  return { at: Number(at), last: { key, id: Number(id) } };
}

/**
 * What follows a place, in the order of moment, entry and id. Of the same moment, entries after the last one are still to come;
 * those before it are done.
 */
function beyond(env: Env, { key, spec, model }: TimelineEntry, { at, last }: Place, isUpcoming: boolean): Domain {
  const isMoment = model.fields.get(spec.date)?.kind.isInstant === true;
  const order = isUpcoming ? '>' : '<';
  if (last === undefined || key !== last.key) {
    const isIncluded = last === undefined ? isUpcoming : key > last.key;
    return [[spec.date, isIncluded ? `${order}=` : order, momentOf(env, at, { isMoment, isUpcoming, isIncluded })]];
  }
  const same = momentOf(env, at, { isMoment, isUpcoming, isIncluded: true });
  return ['|', [spec.date, order, same], '&', [spec.date, '=', same], ['id', order, last.id]];
}

interface Bound {
  readonly isMoment: boolean;
  readonly isUpcoming: boolean;
  readonly isIncluded: boolean;
}

/** Dates are moments at the start of their day, where the reader is; a moment within a day excludes or includes the whole day. */
function momentOf(env: Env, at: number, { isMoment, isUpcoming, isIncluded }: Bound): string {
  if (isMoment) return new Date(at).toISOString();
  const day = dateIn(env.actor.tz, new Date(at));
  if (startOfDay(day, env.actor.tz) === at) return day;
  return isUpcoming === isIncluded ? addDays(day, 1) : day;
}

function pathsOf(env: Env, { model, spec }: TimelineEntry): string[] {
  const { date, title, allDay, about, shows } = spec;
  return [
    title ?? 'display_name',
    date,
    ...(allDay ? [allDay] : []),
    ...(about ? [about.model, about.id] : []),
    ...(model.partOf ? [model.partOf] : []),
    ...describedPaths(env, model, shows),
  ];
}

function placed(env: Env, entry: TimelineEntry, row: WireRecord): Placed {
  const { key, kind, model, spec } = entry;
  const given = String(row[spec.date]);
  const isMoment = model.fields.get(spec.date)?.kind.isInstant === true;
  const isWhole = !isMoment || row[spec.allDay ?? ''] === true;
  const item: TimelineItem = {
    kind,
    model: model.name,
    id: row.id,
    icon: spec.icon,
    title: String(row[spec.title ?? 'display_name'] ?? ''),
    ...describe(env, model, spec.shows, row),
    date: isWhole ? given.slice(0, 10) : dateIn(env.actor.tz, new Date(given)),
    ...(isWhole ? {} : { at: given }),
    href: hrefOf(entry, row),
  };
  const at = isMoment ? Date.parse(given) : startOfDay(given, env.actor.tz);
  return { item, at, last: { key, id: row.id } };
}

/** The record itself, or the one that it is about or part of. */
function hrefOf({ model, spec }: TimelineEntry, row: WireRecord): string {
  if (spec.about) return open(String(row[spec.about.model]), { id: Number(row[spec.about.id]) }).redirect;
  const whole = model.partOf && model.fields.get(model.partOf);
  if (whole) return open(whole.spec.relation ?? '', { id: Number(row[whole.name]) }).redirect;
  return open(model.name, { id: row.id }).redirect;
}
