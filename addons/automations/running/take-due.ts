import { addDays, anyModel, dateIn, type Env } from '@kontor/addon';
import type { Link } from './chain.ts';
import { asAuthor } from './matching.ts';
import { type Rule, readRules } from './rule.ts';
import { instantOn, nextMoment } from './schedule.ts';
import { pauseFor } from './trouble.ts';
import { queueRuns } from './watch.ts';
import { readWhen, type When } from './when.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** How late a date is still noticed: a server that was away for weeks, or a record that was entered late. */
const lateMs = 30 * dayMs;
/** Records that are looked at in one transaction. */
const batch = 1_000;
const noChain: readonly Link[] = [];

/** Notices the records that have reached a date. Returns whether there may be more. */
export async function takeDates(env: Env, cursor: { rule: number; after: number }): Promise<boolean> {
  const [id] = await env.model('automation.rule').search(
    [
      ['state', '=', 'on'],
      ['trigger', '=', 'date'],
      ['id', '>=', cursor.rule],
    ],
    { order: 'id', limit: 1 },
  );
  if (id === undefined) return false;
  if (id !== cursor.rule) Object.assign(cursor, { rule: id, after: 0 });
  const [rule] = await readRules(env, [id]);
  const last = rule ? await takeFor(env, rule, cursor.after) : null;
  if (last === null) Object.assign(cursor, { rule: id + 1, after: 0 });
  else cursor.after = last;
  return true;
}

/** Takes one batch; returns its last record, or null if it was the last batch. */
async function takeFor(env: Env, rule: Rule, after: number): Promise<number | null> {
  const field = rule.when.field as string;
  const known = env.registry.models.get(rule.model)?.fields.get(field);
  if (!known) return pauseFor(env, rule.id, 'broken').then(() => null);
  const isDay = !known.kind.isInstant;
  const [from, to] = window(env, rule.when, isDay);
  const dates = [
    ['id', '>', after],
    [field, '>=', from],
    [field, '<=', to],
  ];
  const shown = [field, ...(env.registry.model(rule.model).hasCompany ? ['company_id'] : [])];
  const rows = await asAuthor(env, rule, (author) =>
    anyModel(author, rule.model).searchRead([...dates, ...rule.domain] as never, shown, { order: 'id', limit: batch }),
  );
  if (rows === null) return null;
  const zones = await zonesOf(env);
  const since = rule.since === null ? 0 : Date.parse(rule.since);
  const due = rows.filter((row) => {
    const moment = momentOf(rule.when, String(row[field]), zones(row.company_id), isDay).getTime();
    return moment <= env.now.getTime() && moment > Math.max(since, env.now.getTime() - lateMs);
  });
  await queueNew(
    env,
    rule,
    due.map((row) => ({ id: row.id, moment: String(row[field]) })),
  );
  return rows.length < batch ? null : (rows.at(-1)?.id ?? null);
}

type Shift = Pick<When, 'offset' | 'unit' | 'side' | 'at'>;

/** Values of the field that may be due, two days wider than exact: the exact moment depends on the company of each record. */
function window(env: Env, when: Shift, isDay: boolean): readonly [string, string] {
  const shift = shiftMs(when);
  const from = new Date(env.now.getTime() - lateMs - shift - 2 * dayMs).toISOString();
  const to = new Date(env.now.getTime() - shift + 2 * dayMs).toISOString();
  return isDay ? [dateIn('UTC', from), dateIn('UTC', to)] : [from, to];
}

function shiftMs({ offset, unit, side }: Shift): number {
  return offset * (unit === 'days' ? dayMs : hourMs) * (side === 'before' ? -1 : 1);
}

/** When the automation runs for a value: days are counted on the calendar, so that eight o'clock stays eight o'clock. */
export function momentOf(when: Shift, value: string, tz: string, isDay: boolean): Date {
  if (!isDay) return new Date(Date.parse(value) + shiftMs(when));
  const signed = when.side === 'before' ? -when.offset : when.offset;
  if (when.unit === 'days') return instantOn(addDays(value, signed), when.at, tz);
  return new Date(instantOn(value, when.at, tz).getTime() + shiftMs(when));
}

async function zonesOf(env: Env): Promise<(companyId: unknown) => string> {
  const rows = await env.model('core.company').searchRead([], ['tz'], { order: 'id' });
  const zones = new Map<unknown, string>(rows.map(({ id, tz }) => [id, tz]));
  return (companyId) => zones.get(companyId) ?? rows[0]?.tz ?? 'UTC';
}

/** Each date of a record is noticed once, also if it is looked at again. */
async function queueNew(env: Env, rule: Rule, due: readonly { readonly id: number; readonly moment: string }[]) {
  if (due.length === 0) return;
  const reached = env.model('automation.reached');
  const known = await reached.searchRead(
    [
      ['rule_id', '=', rule.id],
      ['res_id', 'in', due.map(({ id }) => id)],
    ],
    ['res_id', 'moment'],
  );
  const noticed = new Set(known.map(({ res_id, moment }) => `${res_id} ${moment}`));
  const fresh = due.filter(({ id, moment }) => !noticed.has(`${id} ${moment}`));
  await reached.createMany(fresh.map(({ id, moment }) => ({ rule_id: rule.id, res_id: id, moment })));
  if (fresh.length > 0)
    await queueRuns(
      env,
      rule,
      fresh.map(({ id }) => id),
      noChain,
    );
}

/** Queues the records of automations on a schedule that is due. Returns whether there may be more. */
export async function takeSchedules(env: Env): Promise<boolean> {
  const rules = env.model('automation.rule');
  const [row] = await rules.searchRead(
    [
      ['state', '=', 'on'],
      ['trigger', '=', 'schedule'],
      '|',
      ['next_at', '=', null],
      ['next_at', '<=', env.now.toISOString()],
    ],
    ['when', 'next_at'],
    { order: 'next_at, id', limit: 1 },
  );
  if (!row) return false;
  const { every, at } = readWhen(row.when);
  // A schedule that was missed several times is caught up once.
  await rules.write([row.id], { next_at: await nextMoment(env, every, at) });
  if (row.next_at === null) return true;
  const [rule] = await readRules(env, [row.id]);
  if (!rule) return true;
  const ids = await asAuthor(env, rule, (author) =>
    anyModel(author, rule.model).search(rule.domain as never, { order: 'id' }),
  );
  if (ids !== null && ids.length > 0) await queueRuns(env, rule, ids, noChain);
  return true;
}
