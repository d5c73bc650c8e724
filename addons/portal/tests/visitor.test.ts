import type { Env } from '@kontor/addon';
import { createTestKernel, type TestKernel } from '@kontor/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';

let world: TestKernel;
let own: number;
let other: number;
beforeAll(async () => {
  world = await createTestKernel({ modules: ['portal'] });
  [own, other] = await world.act(async (env) => {
    const partners = env.model('core.partner');
    return [
      await partners.create({ name: 'Inès', email: 'ines@lac.example' }),
      await partners.create({ name: 'Otto' }),
    ] as const;
  });
});
afterAll(() => world.close());

/** A visitor who may read the name of one contact. */
const visit = <T>(work: (env: Env) => Promise<T>): Promise<T> =>
  world.act((env) => {
    const domain = [['id', '=', own]] as const;
    const reads = new Map([['core.partner', { domain, fields: new Set(['name']) }]]);
    return work(env.visiting({ companyIds: [1], lang: 'en_US', tz: 'UTC', reads }));
  });
const refused = async (work: (env: Env) => Promise<unknown>) => {
  const error = await visit(work).then(
    () => null,
    (thrown: { code: string; details: { layer?: string } }) => thrown,
  );
  return `${error?.code} ${error?.details.layer ?? ''}`;
};

it('PTL-2 a visitor reads the named fields of the named records', async () => {
  expect(await visit((env) => env.model('core.partner').searchRead([], ['name']))).toEqual([{ id: own, name: 'Inès' }]);
});

it('PTL-5 a visitor reads no other record, field or model, by no way, and changes nothing', async () => {
  const partners = (env: Env) => env.model('core.partner');
  expect(await refused((env) => partners(env).read([other], ['name']))).toBe('ACCESS_DENIED rule');
  expect(await refused((env) => partners(env).read([own], ['email']))).toBe('ACCESS_DENIED field');
  expect(await refused((env) => partners(env).load([own], ['email']))).toBe('ACCESS_DENIED field');
  expect(await refused((env) => partners(env).search([['email', 'ilike', 'ines']]))).toBe('ACCESS_DENIED field');
  expect(await refused((env) => partners(env).search([], { order: 'email' }))).toBe('ACCESS_DENIED field');
  expect(await refused((env) => partners(env).read([own], ['country_id.name']))).toBe('ACCESS_DENIED field');
  expect(await refused((env) => env.model('core.user').searchRead([], ['name']))).toBe('ACCESS_DENIED model');
  expect(await refused((env) => partners(env).write([own], { name: 'x' }))).toBe('ACCESS_DENIED model');
  expect(await refused((env) => partners(env).create({ name: 'x' }))).toBe('ACCESS_DENIED model');
  expect(await refused((env) => partners(env).unlink([own]))).toBe('ACCESS_DENIED model');
  expect(await refused((env) => partners(env).call([own], 'invite_to_portal'))).toBe('ACCESS_DENIED model');
});
