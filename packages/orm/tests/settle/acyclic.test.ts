import { sql } from '@kontor/database';
import { defineModel, type Env, fields } from '@kontor/orm';
import { createTestEnv, expectQueries, type TestWorld } from '@kontor/testing';
import { long } from '@kontor/testing/long';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refusal } from '../computing/trade.ts';

const links = 'plan_task_awaited_rel';
const message = 'A task cannot wait for itself.';
const task = defineModel('plan.task', {
  label: 'Task',
  fields: {
    name: fields.char(),
    parent_id: fields.many2one('plan.task'),
    child_ids: fields.one2many('plan.task', 'parent_id'),
    awaited_ids: fields.many2many('plan.task', { through: { table: links, own: 'task_id', other: 'awaited_id' } }),
    blocked_ids: fields.many2many('plan.task', { through: { table: links, own: 'awaited_id', other: 'task_id' } }),
    next_id: fields.many2one('plan.task'),
    hours: fields.integer({ required: true, default: 1 }),
    all_hours: fields.integer({ computed: true, stored: true }),
    place: fields.char({ computed: true, stored: true, editable: true }),
    floor: fields.integer({ computed: true, stored: true, editable: true }),
  },
  computes: {
    place: {
      depends: ['parent_id.place', 'floor'],
      value: ({ parent_id: parent }) => (parent as { place: string | null } | null)?.place ?? undefined,
    },
    floor: {
      depends: ['parent_id.floor', 'parent_id.place'],
      value: ({ parent_id: parent }) => (parent as { floor: number | null } | null)?.floor ?? undefined,
    },
    all_hours: {
      depends: ['hours', 'child_ids.all_hours'],
      value: ({ hours, child_ids }) =>
        (child_ids as { all_hours: number }[]).reduce((sum, child) => sum + child.all_hours, Number(hours)),
    },
  },
  acyclic: {
    waits: { over: ['awaited_ids', 'child_ids'], message },
    goes_on: { over: ['next_id'], message: 'The last one has no next.', field: 'name' },
  },
  hooks: { afterWrite: async () => {} },
});

let world: TestWorld;
beforeAll(async () => {
  world = await createTestEnv([task]);
});
afterAll(() => world.drop());

const make = (count: number) =>
  world.transact((env) => tasks(env).createMany(Array.from({ length: count }, () => ({})))) as Promise<
    [number, number, number, number]
  >;
const tasks = (env: Env) => env.model('plan.task');
const write = (id: number, values: Record<string, unknown>) => world.transact((env) => tasks(env).write([id], values));
const inChildren = { details: { fields: { child_ids: [`Awaiteds: ${message}`] } } };
const waits = { code: 'VALIDATION_ERROR', details: { fields: { awaited_ids: [message] } } };

describe('relations without a circle', () => {
  it('CMP-14 are refused at their field where they lead back, at any distance and from both ends', async () => {
    const [a, b, c, d] = await make(4);
    await write(a, { awaited_ids: [['link', b]] });
    await write(c, { blocked_ids: [['link', b]] });
    expect(await refusal(write(c, { awaited_ids: [['link', a]] }))).toMatchObject(waits);
    expect(await refusal(write(a, { blocked_ids: [['link', c]] }))).toMatchObject(waits);
    expect(await refusal(write(d, { awaited_ids: [['link', d]] }))).toMatchObject(waits);
    await write(d, { awaited_ids: [['set', [a, c]]] });
    expect((await tasks(world.env).read([c], ['awaited_ids', 'blocked_ids']))[0]).toMatchObject({
      awaited_ids: [],
      blocked_ids: [b, d],
    });
  });

  it('CMP-14 a way may change from one relation to another', async () => {
    const [a, b, c] = await make(3);
    await write(b, { parent_id: a });
    await write(b, { awaited_ids: [['link', c]] });
    expect(await refusal(write(c, { awaited_ids: [['link', a]] }))).toMatchObject(waits);
    expect(await refusal(write(c, { child_ids: [['link', a]] }))).toMatchObject(inChildren);
    expect(await refusal(write(a, { parent_id: c }))).toMatchObject(waits);
    await write(c, { next_id: a });
    await write(a, { next_id: b });
    expect(await refusal(write(b, { next_id: c }))).toMatchObject({
      details: { fields: { name: ['The last one has no next.'] } },
    });
  });

  it('CMP-14 what an operation makes and takes away counts as it is at its end', async () => {
    const [a, b] = await make(2);
    await write(a, { awaited_ids: [['link', b]] });
    await world.transact((env) =>
      tasks(env).writeEach([
        { id: b, values: { awaited_ids: [['link', a]] } },
        { id: a, values: { awaited_ids: [['unlink', b]] } },
      ]),
    );
    expect((await tasks(world.env).read([b], ['awaited_ids']))[0]).toMatchObject({ awaited_ids: [a] });
  });

  it('CMP-14 new records are checked where two of their relations could meet', async () => {
    const [a, b] = await make(2);
    await write(a, { awaited_ids: [['link', b]] });
    const create = (values: Record<string, unknown>) => world.transact((env) => tasks(env).create(values));
    expect(await refusal(create({ parent_id: b, awaited_ids: [['link', a]] }))).toMatchObject(waits);
    expect(await refusal(create({ blocked_ids: [['link', b]], awaited_ids: [['link', a]] }))).toMatchObject(waits);
    expect(await refusal(create({ parent_id: b, child_ids: [['link', a]] }))).toMatchObject(inChildren);
    const id = await create({ parent_id: a, awaited_ids: [['link', b]] });
    expect((await tasks(world.env).read([a], ['child_ids']))[0]).toMatchObject({ child_ids: [id] });
  });

  it('CMP-14 a tree by parent_id needs no word of its own, and is checked before computes run along it', async () => {
    const [a, b] = await make(2);
    await write(b, { parent_id: a });
    expect(await refusal(write(a, { parent_id: b }))).toMatchObject({
      code: 'VALIDATION_ERROR',
      message: `Task ${a} cannot be placed under itself.`,
      details: { fields: { parent_id: [`Task ${a} cannot be placed under itself.`] } },
    });
  });

  it('CMP-14 a record put under itself is refused too where editable computes follow its parent', async () => {
    const [a, b] = await make(2);
    await write(a, { place: 'Oslo', floor: 2 });
    const itself = { code: 'VALIDATION_ERROR', message: `Task ${a} cannot be placed under itself.` };
    expect(await refusal(write(a, { parent_id: a }))).toMatchObject(itself);
    const { value } = await world.env.model('plan.task').onchange({ parent_id: a }, ['parent_id'], { id: a });
    expect(value).toMatchObject({ place: 'Oslo', floor: 2 });
    await write(b, { parent_id: a });
    expect(await tasks(world.env).read([b], ['place', 'floor'])).toEqual([{ id: b, place: 'Oslo', floor: 2 }]);
    expect(await refusal(write(a, { parent_id: b }))).toMatchObject(itself);
  });

  long('CMP-14 ways of any length are followed in one statement', async () => {
    const ids = (await make(2000)) as readonly number[];
    const chain = (count: number) =>
      ids.slice(1, count).map((id, index) => ({ id, values: { awaited_ids: [['link', ids[index] as number]] } }));
    await world.transact((env) => tasks(env).writeEach(chain(ids.length)));
    const [first, second, last] = [ids[0] as number, ids[1] as number, ids.at(-1) as number];
    expect(await refusal(write(first, { awaited_ids: [['link', last]] }))).toMatchObject(waits);
    const cost = (id: number) =>
      world.transact(async (env) => {
        const fresh = await tasks(env).create({});
        const before = env.db.statements;
        await tasks(env).write([fresh], { awaited_ids: [['link', id]] });
        return env.db.statements - before;
      });
    expect(await cost(last)).toBe(await cost(second));
  });

  it('CMP-14 nobody waits where no circle can come of it', async () => {
    const [a, b] = await make(2);
    await world.transact(async (env) => {
      const held = sql`select 1 from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()`;
      await expectQueries(env.db, 1, () => tasks(env).write([a], { name: 'A' }));
      await tasks(env).create({ parent_id: b });
      await tasks(env).create({ awaited_ids: [['link', b]] });
      expect(await env.db.arrays(held)).toHaveLength(0);
      await tasks(env).write([a], { awaited_ids: [['link', b]] });
      expect(await env.db.arrays(held)).toHaveLength(1);
    });
  });

  long('CMP-14 two writers cannot close a circle together', async () => {
    for (const values of [(id: number) => ({ awaited_ids: [['link', id]] }), (id: number) => ({ parent_id: id })]) {
      const [a, b] = await make(2);
      const arrive = gate(2);
      const link = (from: number, to: number) =>
        world.transact(async (env) => {
          await tasks(env).read([from], ['name']);
          await arrive();
          await tasks(env).write([from], values(to));
        });
      const settled = await Promise.allSettled([link(a, b), link(b, a)]);
      const refused = settled.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
      expect(refused).toHaveLength(1);
      expect(refused[0]).toMatchObject({ code: 'VALIDATION_ERROR' });
    }
  });
});

/** Opens when every party has arrived. */
function gate(parties: number): () => Promise<void> {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  let waiting = parties;
  return () => {
    if (--waiting === 0) open();
    return opened;
  };
}
