import { weeksOf } from '@kontor/orm';
import type { WeekRule } from '@kontor/protocol';
import { createTestKernel, type TestKernel } from '@kontor/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';

let world: TestKernel;
beforeAll(async () => {
  world = await createTestKernel();
});
afterAll(() => world.close());

const change = (values: Record<string, unknown>) => world.work((env) => env.model('core.company').write([1], values));
const countryOf = (code: string) =>
  world.work(async (env) => (await env.model('core.country').search([['code', '=', code]]))[0]);

/** How the administrator's company counts, for who acts in it. */
async function weeks(): Promise<WeekRule> {
  const actor = await world.kernel.actor(1);
  if (!actor) throw new Error('The administrator is gone.');
  return weeksOf({ actor });
}

it('FIG-23 weeks are those of the country, without one of the language, and what somebody chose', async () => {
  await change({ country_id: null, lang: 'en_US' });
  expect(await weeks()).toEqual({ start: 7, firstDays: 1 });
  for (const [code, start, firstDays] of [
    ['DE', 1, 4],
    ['EG', 6, 1],
    ['AU', 1, 1],
  ] as const) {
    await change({ country_id: await countryOf(code) });
    expect([code, await weeks()]).toEqual([code, { start, firstDays }]);
  }
  await change({ week_start: 'sunday', week_numbers: 'iso' });
  expect(await weeks()).toEqual({ start: 7, firstDays: 4 });
  await change({ country_id: null, lang: 'nonsense' });
  expect(await weeks()).toEqual({ start: 1, firstDays: 4 });
});

it('FIG-23 a group by week and the token $week follow the company', async () => {
  await world.work((env) => env.model('core.partner').create({ name: 'Made today' }));
  const found = async () =>
    world.work(
      async (env) => {
        const [row] = await env
          .model('core.partner')
          .readGroup({ domain: [['create_date', '>=', '$week']], groupby: ['create_date:week'], fields: [] });
        return row?.__domain;
      },
      (await world.kernel.actor(1)) ?? undefined,
    );
  await change({ week_start: 'monday', week_numbers: 'iso' });
  const monday = await found();
  expect(monday).toHaveLength(3);
  await change({ week_start: 'saturday', week_numbers: 'january' });
  expect(await found()).not.toEqual(monday);
});
