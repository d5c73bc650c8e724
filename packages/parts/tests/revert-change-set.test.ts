import { createTestKernel, type TestKernel } from '@kontor/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';

let world: TestKernel;
beforeAll(async () => {
  world = await createTestKernel();
});
afterAll(() => world.close());

const partners = 'core.partner';
const change = async (run: Parameters<TestKernel['kernel']['transact']>[1]) => {
  const { result, changeSet } = await world.kernel.transact(world.admin, run);
  return { result: result as number, changeSet: changeSet as number };
};
const revert = (set: number) => world.work((env) => env.model('sys.change.set').call([set], 'revert'));
const read = (id: number, fields: readonly string[]) =>
  world.work(async (env) => (await env.model(partners).searchRead([['id', '=', id]], fields))[0] ?? null);

it('RPC-21 takes back a create, a write and an unlink, with lines and links', async () => {
  const made = await change((env) =>
    env.model(partners).create({ name: 'Brightwater', is_company: true, child_ids: [['create', { name: 'Ingrid' }]] }),
  );
  const written = await change(async (env) => {
    await env.model(partners).write([made.result], { name: 'Brightwater Logistics', city: 'Bergen' });
    return made.result;
  });
  await revert(written.changeSet);
  expect(await read(made.result, ['name', 'city'])).toEqual({ id: made.result, name: 'Brightwater', city: null });

  const removed = await change(async (env) => {
    await env.model(partners).unlink([made.result]);
    return made.result;
  });
  expect(await read(made.result, ['name'])).toBeNull();
  await revert(removed.changeSet);
  expect(await read(made.result, ['name', 'child_ids'])).toMatchObject({
    name: 'Brightwater',
    child_ids: [expect.any(Number)],
  });
});

it('RPC-21 refuses when a record was touched since, names it, and changes nothing', async () => {
  const made = await change((env) => env.model(partners).create({ name: 'Casa Belmonte' }));
  const first = await change(async (env) => {
    await env.model(partners).write([made.result], { city: 'Porto' });
    return 0;
  });
  await change(async (env) => {
    await env.model(partners).write([made.result], { city: 'Lisboa' });
    return 0;
  });
  await expect(revert(first.changeSet)).rejects.toMatchObject({
    code: 'USER_ERROR',
    details: { records: [{ model: partners, id: made.result, fields: ['city'] }] },
  });
  expect(await read(made.result, ['city'])).toMatchObject({ city: 'Lisboa' });
});

it('RPC-21 cannot be taken back twice, nor by somebody who does not see the set', async () => {
  const made = await change((env) => env.model(partners).create({ name: 'Fjordlys' }));
  const other = await world.person('Marek Oravec');
  await expect(
    world.work((env) => env.model('sys.change.set').call([made.changeSet], 'revert'), other),
  ).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
  await revert(made.changeSet);
  await expect(revert(made.changeSet)).rejects.toMatchObject({ code: 'USER_ERROR' });
});
