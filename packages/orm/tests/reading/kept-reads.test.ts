import { createEnv, defineModel, type Env, fields, type RuleRow } from '@kontor/orm';
import { parseDomain } from '@kontor/protocol';
import { createTestEnv, type TestWorld, testActor } from '@kontor/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';

let threshold = 0;
const thing = defineModel('k.thing', {
  label: 'Thing',
  order: 'id',
  fields: {
    name: fields.char({}),
    owner: fields.integer({}),
    day: fields.date({}),
    secret: fields.char({ groups: ['k.insider'] }),
    size: fields.integer({}),
    is_large: fields.boolean({ computed: true }),
  },
  computes: {
    is_large: {
      depends: ['size'],
      value: (record) => Number(record.size) > threshold,
      search: () => [['size', '>', threshold]],
    },
  },
});

let world: TestWorld;
beforeAll(async () => {
  world = await createTestEnv([thing]);
  await world.transact((env) =>
    env.model('k.thing').createMany([
      { name: 'one', owner: 1, day: '2026-01-01', secret: 's1', size: 1 },
      { name: 'two', owner: 2, day: '2026-01-02', secret: 's2', size: 5 },
    ]),
  );
});
afterAll(() => world.drop());

const all = { group: null, read: true, write: true, create: true, unlink: true };
const access = new Map([['k.thing', [all]]]);
const openPolicy = { access, rules: new Map<string, readonly RuleRow[]>() };

function ruled(domain: unknown): typeof openPolicy {
  const operations: RuleRow['operations'] = new Set(['read', 'write', 'create', 'unlink']);
  const rule: RuleRow = { name: 'rule', domain: parseDomain(domain), groups: [], operations };
  return { access, rules: new Map([['k.thing', [rule]]]) };
}

const plainActor = testActor({ uid: 1 });

function outside({ actor = plainActor, policy = openPolicy, now = new Date('2026-01-01T12:00:00Z') } = {}): Env {
  return createEnv({ registry: world.registry, db: world.database, actor, policy, now, isOutside: true });
}

async function names(env: Env, domain: never[] | readonly unknown[] = []): Promise<string[]> {
  const text = await env.model('k.thing').searchReadJson(domain as never, ['name']);
  return (JSON.parse(text) as { name: string }[]).map(({ name }) => name);
}

test('ACC-2 a rule that comes or goes is in force with the next call', async () => {
  const own = ruled([['owner', '=', '$uid']]);
  for (let round = 0; round < 2; round++) {
    expect(await names(outside())).toEqual(['one', 'two']);
    expect(await names(outside({ policy: own }))).toEqual(['one']);
    expect(await names(outside({ policy: ruled([['id', '=', 0]]) }))).toEqual([]);
  }
});

test('ACC-2 what was planned for one person is never used for another', async () => {
  const own = ruled([['owner', '=', '$uid']]);
  const other = testActor({ uid: 2 });
  for (let round = 0; round < 2; round++) {
    expect(await names(outside({ policy: own }))).toEqual(['one']);
    expect(await names(outside({ policy: own, actor: other }))).toEqual(['two']);
  }
  const [first] = await world.env.model('k.thing').search([['name', '=', 'one']]);
  const readBy = (actor: typeof plainActor) =>
    outside({ policy: own, actor })
      .model('k.thing')
      .readJson([first as number], ['name']);
  for (let round = 0; round < 2; round++) {
    expect(JSON.parse(await readBy(plainActor))).toEqual([{ id: first, name: 'one' }]);
    await expect(readBy(other)).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
  }
});

test('ACC-3 a group that is taken away takes its fields along', async () => {
  const insider = testActor({ uid: 1, groups: new Set(['k.insider']) });
  const secrets = (actor: typeof insider) => outside({ actor }).model('k.thing').searchReadJson([], ['secret']);
  const everything = (actor: typeof insider) => outside({ actor }).model('k.thing').searchReadJson([]);
  for (let round = 0; round < 2; round++) {
    expect(await secrets(insider)).toContain('s1');
    expect(await everything(insider)).toContain('s1');
    await expect(secrets(plainActor)).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    expect(await everything(plainActor)).not.toContain('s1');
  }
});

test('DOM-7 the time in a domain or a rule is the time of the call', async () => {
  const policy = ruled([['day', '=', '$today']]);
  const tomorrow = new Date('2026-01-02T12:00:00Z');
  for (let round = 0; round < 2; round++) {
    expect(await names(outside(), [['day', '=', '$today']])).toEqual(['one']);
    expect(await names(outside({ now: tomorrow }), [['day', '=', '$today']])).toEqual(['two']);
    expect(await names(outside({ policy }))).toEqual(['one']);
    expect(await names(outside({ policy, now: tomorrow }))).toEqual(['two']);
  }
});

test('a search function is asked each time', async () => {
  threshold = 0;
  expect(await names(outside(), [['is_large', '=', true]])).toEqual(['one', 'two']);
  threshold = 3;
  expect(await names(outside(), [['is_large', '=', true]])).toEqual(['two']);
});

test('RPC-6 values, pages and orders that differ are different questions', async () => {
  const env = outside();
  expect(await names(env, [['name', '=', 'one']])).toEqual(['one']);
  expect(await names(env, [['name', '=', 'two']])).toEqual(['two']);
  const page = (options: object) => env.model('k.thing').searchReadJson([], ['name'], options);
  expect(await page({ limit: 1 })).toContain('one');
  expect(await page({ limit: 1, offset: 1 })).toContain('two');
  expect(await page({ limit: 1, order: '-id' })).toContain('two');
  expect(await page({ limit: 0 })).toBe('[]');
});
