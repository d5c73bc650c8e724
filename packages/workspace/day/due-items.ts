import {
  type DueSpec,
  type Env,
  type Field,
  type Model,
  mayAccessModel,
  mayReadField,
  open,
  wireName,
} from '@kontor/orm';
import {
  addDays,
  type Domain,
  type DueAct,
  type DueItem,
  type DueKind,
  dateIn,
  fillText,
  startOfDay,
  type WireRecord,
} from '@kontor/protocol';
import { describe, describedPaths } from './describe-record.ts';

/** The number of records read per model. */
const most = 100;
const usualDaysAhead = 3;

export interface DueDay {
  readonly kinds: readonly DueKind[];
  readonly items: readonly DueItem[];
  readonly next: { readonly title: string; readonly date: string } | null;
}

/** Due records of the user, from every model with `due`: one statement per model. */
export async function dueItems(env: Env): Promise<DueDay> {
  const today = dateIn(env.actor.tz, env.now);
  const models = [...env.registry.models.values()].filter(hasDue).filter((model) => mayReadDue(env, model));
  const found = await Promise.all(models.map((model) => dueOf(env, model, today)));
  const all = found.flatMap(({ shown }) => shown).sort(byUrgency);
  const later = found.flatMap(({ next }) => next ?? []).sort(byUrgency)[0];
  return {
    kinds: found.map(({ kind }) => kind),
    items: all,
    next: later ? { title: later.title, date: later.date } : null,
  };
}

type DueModel = Model & { readonly due: DueSpec };

function hasDue(model: Model): model is DueModel {
  return Boolean(model.due);
}

function mayReadDue(env: Env, model: DueModel): boolean {
  const asked = [model.due.date, model.due.by].flatMap((name) => model.fields.get(name) ?? []);
  return mayAccessModel(env, model, 'read') && asked.every((field) => mayReadField(env, field));
}

interface FoundItems {
  readonly kind: DueKind;
  readonly shown: readonly DueItem[];
  readonly next: DueItem | undefined;
}

async function dueOf(env: Env, model: DueModel, today: string): Promise<FoundItems> {
  const { due } = model;
  const rows = await env
    .model(model.name)
    .searchRead(domainOf(env, model, today), fieldsOf(env, model), { order: `${due.date}, id`, limit: most + 1 });
  const taken = await takenOut(env, model, rows);
  const items = rows.filter(({ id }) => !taken.has(id)).map((row) => itemOf(env, model, row, today));
  const last = addDays(today, due.daysAhead ?? usualDaysAhead);
  const shown = items.filter(({ date }) => date <= last).slice(0, most);
  const kind = {
    model: model.name,
    label: due.label,
    count: shown.length,
    isMore: shown.length < items.length && shown.length === most,
    dateField: mayPostpone(env, model) ? due.date : null,
  };
  return { kind, shown, next: items.find(({ date }) => date > last) };
}

/** Records that a line of the user removes from their day. As the server: it reveals nothing else. */
async function takenOut(
  env: Env,
  { due, fields }: DueModel,
  rows: readonly WireRecord[],
): Promise<ReadonlySet<unknown>> {
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return new Set();
  const found = await Promise.all(
    (due.unless ?? []).map(async ({ lines, by, where }) => {
      const { relation = '', inverse = '' } = fields.get(lines)?.spec ?? {};
      const mine = [[inverse, 'in', ids] as const, [by, '=', env.uid] as const, ...where];
      return (await env.sudo().model(relation).searchRead(mine, [inverse])).map((line) => line[inverse]);
    }),
  );
  return new Set(found.flat());
}

function domainOf(env: Env, { due, fields }: DueModel, today: string) {
  const isToOne = fields.get(due.by)?.kind.isToOne;
  const mine = isToOne ? ([due.by, '=', env.uid] as const) : ([due.by, 'in', [env.uid]] as const);
  const from = due.daysLate === undefined ? null : addDays(today, -due.daysLate);
  return [...due.open, mine, [due.date, '!=', null] as const, ...(from ? sinceDay(env, due, fields, from) : [])];
}

/** From a day of the user on; whole days are the same everywhere and start at midnight in UTC. */
function sinceDay(env: Env, { date, until, allDay }: DueSpec, fields: Model['fields'], from: string): Domain {
  if (!hasTime(fields.get(date))) return [[date, '>=', from]];
  const since = (moment: string): Domain =>
    until === undefined ? [[date, '>=', moment]] : ['|', [date, '>=', moment], [until, '>', moment]];
  const own = since(new Date(startOfDay(from, env.actor.tz)).toISOString());
  if (allDay === undefined) return own;
  return ['|', '&', [allDay, '=', true], ...since(`${from}T00:00:00Z`), '&', [allDay, '=', false], ...own];
}

/** The texts of the lines, as far as the user may read them. */
function fieldsOf(env: Env, model: DueModel): string[] {
  const { due, about, states } = model;
  const hung = about ? [about.model, about.id] : [];
  return [
    'display_name',
    due.date,
    ...hung,
    ...(states ? [states.field] : []),
    ...(due.iconAt ? [due.iconAt] : []),
    ...(due.allDay ? [due.allDay] : []),
    ...(due.until ? [due.until] : []),
    ...describedPaths(env, model, due.about),
  ];
}

function itemOf(env: Env, model: DueModel, row: WireRecord, today: string): DueItem {
  const { due, about } = model;
  const given = String(row[due.date]);
  const isMoment = hasTime(model.fields.get(due.date));
  const isWhole = row[due.allDay ?? ''] === true;
  const dayOf = (moment: string) =>
    isMoment && !isWhole ? dateIn(env.actor.tz, new Date(moment)) : moment.slice(0, 10);
  // Its end is not part of it.
  const end = due.until ? dayOf(new Date(Date.parse(String(row[due.until])) - 1).toISOString()) : '';
  const first = dayOf(given);
  const hasBegun = first < today && end >= today;
  const date = hasBegun ? today : first;
  const title = (date < today ? due.lateTitle : undefined) ?? due.title ?? '{name}';
  const target = about
    ? { model: String(row[about.model]), id: Number(row[about.id]) }
    : { model: model.name, id: row.id };
  return {
    model: model.name,
    id: row.id,
    title: fillText(title, { name: String(row.display_name ?? '') }),
    ...describe(env, model, due.about, row),
    icon: typeof row[due.iconAt ?? ''] === 'string' ? String(row[due.iconAt ?? '']) : due.icon,
    date,
    ...(isMoment && !isWhole && !hasBegun ? { at: given } : {}),
    href: open(target.model, { id: target.id }).redirect,
    acts: actsOf(env, model, row),
  };
}

function hasTime(field: Field | undefined): boolean {
  return field?.kind.isInstant === true;
}

/** Moments keep their place in a calendar; dates are moved by a key. */
function mayPostpone(env: Env, model: DueModel): boolean {
  const field = model.fields.get(model.due.date);
  if (model.due.postpone === false || !field || field.isReadonly || hasTime(field)) return false;
  return mayReadField(env, field) && mayAccessModel(env, model, 'write');
}

/** Actions that the user may run on the record in its current state. */
function actsOf(env: Env, model: DueModel, row: WireRecord): readonly DueAct[] {
  const { done, acts = [] } = model.due;
  return [...(done === undefined ? [] : [done]), ...acts].flatMap((author) => {
    const name = wireName(author);
    const label = labelOf(env, model, name, row);
    return label === null ? [] : [{ name, label, isDone: author === done }];
  });
}

function labelOf(env: Env, model: DueModel, name: string, row: WireRecord): string | null {
  const action = model.actions.get(name);
  if (!action || !mayAccessModel(env, model, action.needs)) return null;
  const state = String(row[model.states?.field ?? ''] ?? '');
  const found = action.kind === 'move' ? action.moves.find(({ from }) => from.has(state)) : action;
  const isFor = found && (found.groups === null || found.groups.some((group) => env.actor.groups.has(group)));
  return isFor ? (found.label ?? name) : null;
}

/** Earliest first; on one day, records with a time come before whole-day ones. */
function byUrgency(a: DueItem, b: DueItem): number {
  return compare(a.date, b.date) || compare(a.at ?? '~', b.at ?? '~');
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
