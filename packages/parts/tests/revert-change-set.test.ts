import type { Env } from '@kontor/orm';
import { createTestKernel, type TestKernel } from '@kontor/testing';
import { long } from '@kontor/testing/long';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ownChanges } from '../change-log/undo/own-changes.ts';

let world: TestKernel;
let mate: TestKernel['admin'];
beforeAll(async () => {
  world = await createTestKernel({ modules: ['contacts', 'product'] });
  mate = await world.person('Marek Oravec', ['base.group_system']);
});
afterAll(() => world.close());

const partners = 'core.partner';
const categories = 'product.category';
const change = async (run: (env: Env) => Promise<unknown>, actor = world.admin) => {
  const { result, changeSet } = await world.kernel.transact(actor, run);
  return { result: result as number, changeSet: changeSet as number };
};
const make = (values: Readonly<Record<string, unknown>>, model = partners) =>
  change((env) => env.model(model).create(values));
const write = (id: number, values: Readonly<Record<string, unknown>>, actor = world.admin, model = partners) =>
  change((env) => env.model(model).write([id], values), actor);
const revert = (set: number) => change((env) => env.model('sys.change.set').call([set], 'revert'));
const read = (id: number, fields: readonly string[], model = partners) =>
  world.work(async (env) => (await env.model(model).searchRead([['id', '=', id]], fields))[0] ?? null);

describe('RPC-21 undo', () => {
  it('RPC-21 takes back a create, a write and an unlink, with lines and links', async () => {
    const made = await make({ name: 'Brightwater', is_company: true, child_ids: [['create', { name: 'Ingrid' }]] });
    const written = await write(made.result, { name: 'Brightwater Logistics', city: 'Bergen' });
    await revert(written.changeSet);
    expect(await read(made.result, ['name', 'city'])).toEqual({ id: made.result, name: 'Brightwater', city: null });

    const removed = await change((env) => env.model(partners).unlink([made.result]));
    expect(await read(made.result, ['name'])).toBeNull();
    await revert(removed.changeSet);
    expect(await read(made.result, ['name', 'child_ids'])).toMatchObject({
      name: 'Brightwater',
      child_ids: [expect.any(Number)],
    });
  });

  it('SCN-39 what a person changed is told with moments as they go over the wire, also when it was taken back', async () => {
    const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const { changeSet } = await make({ name: 'Momentary' });
    expect((await ownChanges(world.kernel, world.admin))[0]).toMatchObject({
      id: changeSet,
      at: instant,
      undoneAt: null,
    });
    await revert(changeSet);
    expect((await ownChanges(world.kernel, world.admin))[0]).toMatchObject({ at: instant, undoneAt: instant });
  });

  it('RPC-21 takes back all that one call did to a record, as it was before the call', async () => {
    const kept = (await make({ name: 'Kept', city: 'Oslo' })).result;
    const call = await change(async (env) => {
      const records = env.model(partners);
      const made = await records.create({ name: 'Made', is_company: true });
      await records.write([kept], { city: 'Bergen', parent_id: made });
      await records.write([kept], { city: 'Tromsø' });
      const gone = await records.create({ name: 'Gone' });
      await records.unlink([gone]);
      return made;
    });
    await revert(call.changeSet);
    expect(await read(kept, ['city', 'parent_id'])).toEqual({ id: kept, city: 'Oslo', parent_id: null });
    expect(await read(call.result, ['name'])).toBeNull();
  });

  it('RPC-21 brings back records that point at each other', async () => {
    const owner = (await make({ name: 'Owner', is_company: true })).result;
    const child = (await make({ name: 'Child', parent_id: owner })).result;
    const removed = await change((env) => env.model(partners).unlink([owner, child]));
    await revert(removed.changeSet);
    expect(await read(child, ['parent_id'])).toEqual({ id: child, parent_id: owner });
  });

  it('RPC-21 brings back what hooks changed while a part was still missing', async () => {
    const ids = await world.work((env) => env.model('core.currency').search([['name', 'in', ['AED', 'ALL', 'AMD']]]));
    const rates = async () =>
      (await world.work((env) => env.model('core.currency').read(ids, ['rate']))).map(({ rate }) => rate);
    const set = await change((env) => env.model('core.currency').write(ids, { rate: '3' }));
    await revert(set.changeSet);
    expect(await rates()).toEqual([null, null, null]);
    expect(await world.work((env) => env.model('core.currency.rate').count([['currency_id', 'in', ids]]))).toBe(0);
  });

  long('RPC-21 asks a constant number of statements, whatever the number of records', async () => {
    /** Statements of the transaction itself: the server looks for changes beside it. */
    const cost = async (set: number) => {
      const { result } = await change(async (env) => {
        const before = env.db.statements;
        await env.model('sys.change.set').call([set], 'revert');
        return env.db.statements - before;
      });
      return result;
    };
    const count = async (records: number) => {
      const values = Array.from({ length: records }, (_, index) => ({ name: `Many ${index}`, city: 'Oslo' }));
      const made = await change((env) => env.model(partners).createMany(values));
      const ids = await world.work((env) => env.model(partners).search([['name', '=like', 'Many %']]));
      const written = await change((env) =>
        env.model(partners).writeEach(ids.map((id) => ({ id, values: { name: `Many ${id}`, city: 'Bergen' } }))),
      );
      const sent = (await cost(written.changeSet)) + (await cost(made.changeSet));
      expect(await world.work((env) => env.model(partners).count([['name', '=like', 'Many %']]))).toBe(0);
      return sent;
    };
    const few = await count(3);
    expect(await count(300)).toBe(few);
  });
});

describe('RPC-21 undo is refused', () => {
  it('RPC-21 when a record was touched since, in whatever field; it says which, by whom, and changes nothing', async () => {
    const made = await make({ name: 'Casa Belmonte' });
    const first = await write(made.result, { city: 'Porto' });
    await write(made.result, { zip: '4000' }, mate);
    const refused = revert(first.changeSet);
    await expect(refused).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'This cannot be undone: Marek Oravec has changed Casa Belmonte since.',
      details: {
        records: [
          {
            ...{ model: partners, id: made.result, name: 'Casa Belmonte', fields: ['zip'] },
            by: { id: mate.uid, name: 'Marek Oravec' },
          },
        ],
      },
    });
    await expect(revert(made.changeSet)).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await read(made.result, ['city', 'zip'])).toMatchObject({ city: 'Porto', zip: '4000' });
  });

  it('RPC-21 without a word of who changed what in a record that is hidden by now', async () => {
    const made = await make({ name: 'Casa Oculta' });
    const first = await write(made.result, { city: 'Porto' });
    await write(made.result, { zip: '4000' }, mate);
    const rule = { name: 'hides one', model: partners, domain: [['id', '!=', made.result]] };
    const hiding = await world.work((env) => env.sudo().model('sys.rule').create(rule));
    try {
      await expect(revert(first.changeSet)).rejects.toMatchObject({
        code: 'CONFLICT',
        details: { records: [{ model: partners, id: made.result, name: null, by: null, fields: [] }] },
      });
    } finally {
      await world.work((env) => env.sudo().model('sys.rule').unlink([hiding]));
    }
  });

  it('RPC-21 when something was hung on what it made', async () => {
    const attach: Record<string, (env: Env, id: number) => Promise<unknown>> = {
      message: (env, id) => env.sudo().model('mail.message').create({ model: partners, res_id: id, body: '<p>Hi</p>' }),
      activity: async (env, id) =>
        env.model('mail.activity').create({
          ...{ name: 'Call', model: partners, res_id: id },
          type_id: await env.model('mail.activity.type').create({ name: 'Call' }),
        }),
      line: (env, id) => env.model(partners).create({ name: 'Employee', parent_id: id }),
      'another record': async (env, id) => {
        const [company] = await env.model('core.company').search([], { limit: 1 });
        await env.model('core.company').write([company as number], { partner_id: id });
      },
    };
    for (const [what, work] of Object.entries(attach)) {
      const made = await make({ name: 'Hook', is_company: true });
      await change((env) => work(env, made.result), mate);
      await expect(revert(made.changeSet), what).rejects.toMatchObject({
        code: 'CONFLICT',
        details: { records: [{ model: partners, id: made.result, attached: expect.any(String) }] },
      });
      expect(await read(made.result, ['name']), what).not.toBeNull();
    }
  });

  it('RPC-21 twice, or to somebody who does not see the set', async () => {
    const made = await make({ name: 'Fjordlys' });
    const other = await world.person('Otto Other');
    await expect(
      world.work((env) => env.model('sys.change.set').call([made.changeSet], 'revert'), other),
    ).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    await revert(made.changeSet);
    await expect(revert(made.changeSet)).rejects.toMatchObject({ code: 'USER_ERROR' });
  });
});

describe('RPC-21 step by step', () => {
  it('RPC-21 what was itself taken back does not count', async () => {
    const made = await make({ name: 'Stepwise' });
    const first = await write(made.result, { city: 'Oslo' });
    const second = await write(made.result, { city: 'Bergen', name: 'Step' }, mate);
    await revert(second.changeSet);
    await revert(first.changeSet);
    expect(await read(made.result, ['name', 'city'])).toMatchObject({ name: 'Stepwise', city: null });
    await revert(made.changeSet);
    expect(await read(made.result, ['name'])).toBeNull();
  });

  it('RPC-21 an undo can be undone, and counts again what it had taken back', async () => {
    const made = await make({ name: 'Redo' });
    const written = await write(made.result, { city: 'Oslo' });
    const undone = await revert(written.changeSet);
    const redone = await revert(undone.changeSet);
    expect(await read(made.result, ['city'])).toMatchObject({ city: 'Oslo' });
    await expect(revert(made.changeSet)).rejects.toMatchObject({ code: 'CONFLICT' });
    await revert(redone.changeSet);
    expect(await read(made.result, ['city'])).toMatchObject({ city: null });
    await expect(revert(written.changeSet)).rejects.toMatchObject({ code: 'USER_ERROR' });
    await revert(made.changeSet);
  });

  it('RPC-21 what took back something before the set does count', async () => {
    const made = await make({ name: 'Older' });
    const first = await write(made.result, { city: 'Oslo' });
    const second = await write(made.result, { zip: '5013' });
    const undone = await revert(second.changeSet);
    await revert(first.changeSet);
    await expect(revert(undone.changeSet)).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  it('RPC-21 values that the kernel worked out since do not count, nor what the chatter says of them', async () => {
    const parent = await make({ name: 'Office' }, categories);
    const child = await make({ name: 'Desks', parent_id: parent.result }, categories);
    await write(parent.result, { name: 'Workplace' }, mate, categories);
    expect(await read(child.result, ['full_name'], categories)).toMatchObject({ full_name: 'Workplace / Desks' });
    await revert(child.changeSet);
    expect(await read(child.result, ['name'], categories)).toBeNull();
    const tracked = await make({ name: 'Tracked' });
    const moved = await write(tracked.result, { user_id: mate.uid });
    await revert(moved.changeSet);
    await revert(tracked.changeSet);
  });
});
