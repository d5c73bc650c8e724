import { fillSlots, ident, join, precompile, sql } from '@kontor/database';
import {
  type Concern,
  concerns,
  defineModel,
  type Env,
  fields,
  type ModelDefinition,
  planStatement,
  toJson,
} from '@kontor/orm';
import { KontorError, parseDomain } from '@kontor/protocol';
import { createTestEnv, isLong, type TestWorld, testActor, testSeed } from '@kontor/testing';
import { long } from '@kontor/testing/long';
import fc from 'fast-check';
import { afterAll, beforeAll, expect } from 'vitest';

/** What a model may have that a write must respect. */
const traits = [
  'hooks',
  'states',
  'sets',
  'constraint',
  'compute',
  'editable',
  'link',
  'lines',
  'tree',
  'rule',
  'secret',
];

/** Each trait is on or off by a bit of its number, or of the opposite: every pair of traits is in some model on, off and mixed. */
const models = [
  ...Array.from({ length: 4 }, (_, bit) => traits.filter((_, at) => ((at + 1) >> bit) & 1)),
  ...Array.from({ length: 4 }, (_, bit) => traits.filter((_, at) => !(((at + 1) >> bit) & 1))),
  ...[[], traits],
  ...(isLong ? fc.sample(fc.subarray(traits), { seed: testSeed, numRuns: 35 }) : []),
];

const nameOf = (at: number) => `gen.item${at}`;
const inState = { state: fields.selection({ open: 'Open', shut: 'Shut' }, { required: true, default: 'open' }) };

function modelOf(own: readonly string[], at: number): ModelDefinition {
  const has = (trait: string) => own.includes(trait);
  const name = nameOf(at);
  return defineModel(name, {
    label: 'Item',
    fields: {
      name: fields.char({ required: true, size: 12 }),
      note: fields.text(),
      level: fields.integer(),
      is_heavy: fields.boolean(),
      ...(has('states') && inState),
      ...(has('compute') && { area: fields.integer({ computed: true, stored: true }) }),
      ...(has('editable') && { size: fields.integer({ computed: true, stored: true, editable: true }) }),
      ...(has('link') && { shelf_id: fields.many2one('gen.shelf', { domain: [['is_open', '=', true]] }) }),
      ...(has('lines') && { line_ids: fields.one2many(`gen.line${at}`, 'item_id') }),
      ...(has('tree') && { parent_id: fields.many2one(name) }),
      ...(has('secret') && { pin: fields.char({ secret: true }) }),
    },
    computes: {
      ...(has('compute') && { area: { depends: ['level'], value: ({ level }: Loaded) => (level ?? 0) ** 2 } }),
      ...(has('editable') && { size: { depends: ['level'], value: ({ level }: Loaded) => (level ?? 0) + 1 } }),
    },
    ...(has('constraint') && {
      constraints: { low: { on: ['level'], holds: ({ level }: Loaded) => (level ?? 0) < 7, message: 'Too high.' } },
    }),
    ...(has('tree') && { acyclic: { parent: { over: ['parent_id'] } } }),
    ...(has('states') && {
      states: { field: 'state', initial: 'open', locks: { shut: ['level', 'name'] } },
      moves: {
        shut: { from: 'open', to: 'shut', label: 'Shut', ...(has('sets') && { sets: { note: 'closed' } }) },
        reopen: { from: 'shut', to: 'open', label: 'Open again' },
      },
    }),
    ...(has('hooks') && {
      hooks: {
        on: ['note'],
        beforeWrite: async ({ values }: { values: object }) => ({ ...values, is_heavy: true }),
        afterWrite: async ({ env, ids }: { env: Env; ids: readonly number[] }) => {
          await env.sudo().model(name).write(ids, { is_heavy: false });
        },
      },
    }),
  } as never) as ModelDefinition;
}
interface Loaded {
  readonly level: number | null;
}

const shelf = defineModel('gen.shelf', {
  label: 'Shelf',
  fields: { name: fields.char(), is_open: fields.boolean({ default: true }) },
});
const lineOf = (at: number) =>
  defineModel(`gen.line${at}`, {
    label: 'Line',
    fields: { name: fields.char({ required: true }), item_id: fields.many2one(nameOf(at)) },
  } as never) as ModelDefinition;

/** With a step that must run before the UPDATE, no write locks and updates in one statement. */
const stepByStep: Concern = { name: 'steps', plan: () => ({ row: { kind: 'change', run: () => {} } }) };

type Way = 'free' | 'steps' | 'statement';
const worlds = new Map<Way, TestWorld>();
let byStatement = 0;

beforeAll(async () => {
  const lines = models.flatMap((own, at) => (own.includes('lines') ? [lineOf(at)] : []));
  const definitions = [shelf, ...models.map(modelOf), ...lines] as ModelDefinition[];
  for (const way of ['free', 'steps', 'statement'] as const) worlds.set(way, await createTestEnv(definitions));
  for (const world of worlds.values()) await world.transact(fill);
});
afterAll(() => Promise.all([...worlds.values()].map((world) => world.drop())));

async function fill(env: Env): Promise<void> {
  await env.model('gen.shelf').createMany([{ name: 'open' }, { name: 'closed', is_open: false }]);
  for (const [at, own] of models.entries()) {
    const rows = ['one', 'two', 'three'].map((name, index) => ({ name, level: index * 3, note: 'n' }));
    await env.model(nameOf(at)).createMany(rows);
    if (own.includes('lines')) await env.model(`gen.line${at}`).createMany([{ name: 'l', item_id: 1 }]);
  }
}

const actor = testActor({ uid: 2 });
const rules = new Map(
  models.flatMap((own, at) => {
    const rule = { name: 'low', groups: [], operations: new Set(['read', 'write'] as const) };
    const domain = parseDomain([['level', '<', 9]]);
    return own.includes('rule') ? [[nameOf(at), [{ ...rule, domain }]] as const] : [];
  }),
);

interface Call {
  readonly at: number;
  readonly ids: readonly number[];
  readonly values: Readonly<Record<string, unknown>>;
  readonly base: Readonly<Record<string, unknown>> | null;
}

const byField = {
  name: fc.constantFrom('a', 'b', '', 'a name that is too long', null, 7),
  note: fc.constantFrom('n', 'm', null),
  level: fc.constantFrom(1, 2, 8, 9, null, 'x'),
  is_heavy: fc.constantFrom(true, false, null),
  state: fc.constantFrom('open', 'shut'),
  size: fc.constantFrom(3, null),
  shelf_id: fc.constantFrom(1, 2, 99, null),
  parent_id: fc.constantFrom(1, 2, null),
  pin: fc.constantFrom('s', null),
  line_ids: fc.constantFrom([['create', { name: 'new' }]], [['delete', 1]], [['create', {}]], [['link', 9]]),
};

function callsOf(at: number): Call[] {
  const known = ['name', 'note', 'level', 'is_heavy', ...fieldsOf(models[at] ?? [])];
  const values = fc
    .subarray(known, { minLength: 1, maxLength: 3 })
    .chain((names) =>
      fc.record(Object.fromEntries(names.map((name) => [name, byField[name as keyof typeof byField]]))),
    );
  const ids = fc.constantFrom([1], [1], [2], [3], [9], [2, 1]);
  const base = fc.constantFrom(null, null, { note: 'n' }, { level: 1 });
  const calls = fc.sample(fc.record({ at: fc.constant(at), ids, values, base }), {
    ...{ seed: testSeed + at, numRuns: isLong ? 150 : 25 },
  });
  return calls.map((call) => (call.ids.length > 1 ? { ...call, base: null } : call)) as Call[];
}

function fieldsOf(own: readonly string[]): string[] {
  const named = {
    states: 'state',
    editable: 'size',
    link: 'shelf_id',
    tree: 'parent_id',
    secret: 'pin',
    lines: 'line_ids',
  };
  return Object.entries(named).flatMap(([trait, name]) => (own.includes(trait) ? [name] : []));
}

/** What a call answers and changes. */
async function answerOf(way: Way, call: Call): Promise<unknown> {
  const world = worlds.get(way) as TestWorld;
  const kwargs = call.base ? { base: call.base } : {};
  try {
    const changes = way === 'statement' ? await atOnce(world, call) : null;
    if (changes) return changes;
    return await world.database.transaction(async (tx) => {
      const env = envOn(world, tx);
      await env.model(nameOf(call.at)).write(call.ids, call.values, kwargs);
      return told(env.work.changes);
    });
  } catch (error) {
    if (!(error instanceof KontorError)) throw error;
    return [error.code, error.message, toJson(error.details)];
  }
}

const envOn = (world: TestWorld, db: Parameters<TestWorld['as']>[1]) => world.as(actor, db, { rules }).outside(true);
/** Worlds are filled one after the other, so the dates of their rows differ. */
const withoutDates = (key: string, value: unknown) => (key.endsWith('_date') ? undefined : value);
const told = (changes: readonly object[]) =>
  (JSON.parse(toJson(changes), withoutDates) as { id: number; operation: string; values: object }[]).map(
    ({ id, operation, values }) => ({ id, operation, values }),
  );

/** Null: by one statement nothing was changed. */
async function atOnce(world: TestWorld, { at, ids, values, base }: Call): Promise<unknown> {
  const env = envOn(world, world.database);
  const [id] = ids as [number];
  const change = { operation: 'write', id, values, base } as const;
  const plan = ids.length === 1 ? planStatement(env, world.registry.model(nameOf(at)), change) : null;
  const row = plan?.row(change, env.now);
  if (!plan || !row) return null;
  const changed = sql`(select jsonb_agg(jsonb_build_object('id', id, 'operation', 'write', 'values', values)) from changed)`;
  const statement = precompile(sql`with ${join(plan.with)} select ${plan.id}, ${changed}`);
  try {
    const [cells] = await world.database.arrays(fillSlots(statement, { row }));
    if (typeof cells?.[0] !== 'number') return null;
    byStatement++;
    return JSON.parse((cells[1] as string | null) ?? '[]');
  } catch {
    return null;
  }
}

long('PRF-2 a write has the same result by one statement, by lock and update in one, and step by step', async () => {
  const answers = new Map<Way, unknown[]>();
  const calls = models.flatMap((_, at) => callsOf(at));
  for (const way of worlds.keys()) {
    const list = concerns as Concern[];
    if (way === 'steps') list.push(stepByStep);
    try {
      const own: unknown[] = [];
      for (const call of calls) own.push({ call, answer: await answerOf(way, call) });
      answers.set(way, own);
    } finally {
      if (way === 'steps') list.pop();
    }
  }
  const rows = await Promise.all([...worlds.values()].map(rowsOf));
  for (const way of ['steps', 'statement'] as const) {
    for (const [at, answer] of (answers.get(way) ?? []).entries()) expect(answer).toEqual(answers.get('free')?.[at]);
  }
  expect(rows[1]).toEqual(rows[0]);
  expect(rows[2]).toEqual(rows[0]);
  expect(byStatement).toBeGreaterThan(calls.length / 20);
});

async function rowsOf({ database, registry }: TestWorld): Promise<unknown[]> {
  const all: unknown[] = [];
  for (const { table } of registry.models.values()) {
    const row = sql`to_jsonb(t) - 'create_date' - 'write_date'`;
    all.push(table, await database.arrays(sql`select ${row} from ${ident(table)} t order by id`));
  }
  return all;
}
