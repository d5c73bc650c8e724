import { ident, sql } from '@kontor/database';
import type { Actor } from '@kontor/orm';
import { countStatements, isLong, testSeed } from '@kontor/testing';
import { shippedApps } from '@kontor/testing/shipped-apps';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { someAppCalls } from './app-calls.ts';
import { type AnyCall, openTwoWays, type TwoWays } from './two-ways.ts';

/** The shipped apps, all of them: what one addon adds to the model of another counts too. */
const usual = {
  'crm.lead': ['priority', 'source', 'job_position', 'description', 'date_deadline', 'sequence', 'color'],
  'sale.order': ['client_reference', 'note', 'payment_days', 'validity_date'],
  'core.partner': ['job_position', 'website', 'vat', 'lang', 'comment', 'country_id'],
  'project.task': ['priority', 'color', 'sequence', 'description', 'repeat_every', 'date_deadline'],
  'calendar.event': ['description', 'video_url', 'place'],
};
const models = Object.keys(usual);
const groups = ['base', 'contacts', 'crm', 'sale', 'project'].map((addon) => `${addon}.group_user`);

let ways: TwoWays;
let people: Readonly<Record<'admin' | 'seller', readonly [Actor, Actor]>>;
const ids = new Map<string, readonly number[]>();

beforeAll(async () => {
  const tables = models.map((model) => model.replaceAll('.', '_'));
  ways = await openTwoWays({ modules: shippedApps(), demo: true }, [...tables, 'mail_message', 'calendar_person']);
  const { short, ordinary } = ways;
  const [mine, theirs] = [await short.person('Sam Seller', groups), await ordinary.person('Sam Seller', groups)];
  people = { admin: [short.admin, ordinary.admin], seller: [mine, theirs] };
  for (const { name, table, fields } of short.kernel.registry.models.values()) {
    if (!models.includes(name) && !isPointedAt(name)) continue;
    const active = fields.has('active') ? sql`where active` : sql``;
    const rows = await short.kernel.database.arrays(sql`select id from ${ident(table)} ${active} order by id limit 4`);
    ids.set(
      name,
      rows.map(([id]) => id as number),
    );
  }
});
afterAll(() => ways?.close());

function isPointedAt(name: string): boolean {
  const { registry } = ways.short.kernel;
  return models.some((model) => [...registry.model(model).fields.values()].some(({ spec }) => spec.relation === name));
}

const first = (model: string) => ids.get(model)?.[0] as number;
const write = (model: string, values: object): Omit<AnyCall, 'by'> => ({
  model,
  method: 'write',
  args: [[first(model)], values],
});

describe('PRF-2 the shipped apps', () => {
  it('PRF-2 random changes of business records are the same by both ways', async () => {
    const world = {
      registry: ways.short.kernel.registry,
      idsOf: (name: string) => ids.get(name) ?? [],
      people: Object.keys(people),
    };
    const before = ways.taken();
    const calls = someAppCalls(world, usual, testSeed, isLong ? 2_000 : 60);
    const answers = await ways.compare(calls, people);
    const changed = answers.filter(({ changeSet }) => changeSet !== null).length;
    expect(changed).toBeGreaterThan(calls.length / 5);
    expect(ways.taken() - before).toBeGreaterThan(changed / 6);
  });
});

describe('PRF-8 hooks say which fields they are about', () => {
  const cost = (call: Omit<AnyCall, 'by'>) => countStatements(() => ways.ask(ways.short, people.admin[0], call));

  it('PRF-8 a change of other fields is one statement, whatever hooks, stages and computes the model has', async () => {
    expect(await cost(write('crm.lead', { priority: '2', source: 'fair', description: '<p>Met there</p>' }))).toBe(1);
    expect(await cost(write('sale.order', { client_reference: 'PO 7', note: 'By the end of the week' }))).toBe(1);
    expect(await cost(write('core.partner', { job_position: 'Buyer', website: 'https://example.com' }))).toBe(1);
    expect(await cost(write('project.task', { priority: '1', color: 3, description: '<p>Do</p>' }))).toBe(1);
  });

  it('PRF-8 what a hook is about, what is tracked and what a compute reads goes the ordinary way', async () => {
    expect(await cost(write('core.partner', { latitude: 48.1, longitude: 11.5 }))).toBeGreaterThan(1);
    expect(await cost(write('crm.lead', { name: 'Tracked' }))).toBeGreaterThan(1);
    expect(await cost(write('crm.lead', { probability: 40 }))).toBeGreaterThan(1);
    expect(await cost(write('calendar.event', { description: '<p>Bring it</p>' }))).toBeGreaterThan(1);
  });
});
