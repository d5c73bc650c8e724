import {
  applyDefaults,
  assembleRegistry,
  companyValue,
  createEnv,
  currentCompany,
  currentUser,
  defineModel,
  fields,
  now,
  today,
} from '@kontor/orm';
import { createTestEnv, expectQueries, type TestWorld, testActor } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const user = defineModel('core.user', { fields: { name: fields.char() } });
const company = defineModel('core.company', {
  fields: { name: fields.char(), motto: fields.text(), budget: fields.integer({ groups: ['trade.boss'] }) },
});
const offer = defineModel('trade.offer', {
  fields: {
    terms: fields.text({ default: companyValue('motto') }),
    limit: fields.integer({ default: companyValue('budget') }),
    company_id: fields.many2one('core.company', { default: currentCompany }),
  },
});
const task = defineModel('trade.task', {
  fields: {
    name: fields.char({ default: 'New task' }),
    steps: fields.json({ default: { list: [] } }),
    user: fields.many2one('core.user', { default: currentUser }),
    company_id: fields.many2one('core.company', { default: currentCompany }),
    day: fields.date({ default: today }),
    at: fields.datetime({ default: now }),
    hint: fields.char({ default: ({ uid, lang, today }) => `${uid} ${lang} ${today}` }),
    note: fields.text(),
  },
});

let world: TestWorld;
beforeAll(async () => {
  world = await createTestEnv([user, company, task, offer]);
});
afterAll(() => world.drop());

describe('defaults', () => {
  it('CMP-5 default fills constants, functions, user, company, day and time in the time zone of the user', async () => {
    const at = new Date('2026-06-30T22:30:00Z');
    const actor = testActor({ uid: 7, companyId: 3, lang: 'de_DE', tz: 'Europe/Berlin' });
    const env = createEnv({ registry: world.registry, db: world.database, actor, policy: world.env.policy, now: at });
    expect(await applyDefaults(env, world.registry.model('trade.task'), [{}])).toEqual([
      {
        name: 'New task',
        steps: { list: [] },
        user: 7,
        company_id: 3,
        day: '2026-07-01',
        at: '2026-06-30T22:30:00.000Z',
        hint: '7 de_DE 2026-07-01',
      },
    ]);
  });

  it('CMP-5 default leaves what was given, also null, and the given object', async () => {
    const given = { name: null, steps: undefined, user: 1, company_id: 2, day: '2026-01-01', at: null, hint: '' };
    const [filled] = await applyDefaults(world.env, world.registry.model('trade.task'), [given]);
    expect(filled).toEqual({ ...given, steps: { list: [] } });
    expect(given.steps).toBeUndefined();
  });

  it('CMP-5 default gives every record an object of its own', async () => {
    const [a, b] = await applyDefaults(world.env, world.registry.model('trade.task'), [{}, {}]);
    const steps = a?.steps as { list: number[] } | undefined;
    steps?.list.push(1);
    expect(steps).toEqual({ list: [1] });
    expect(b?.steps).toEqual({ list: [] });
  });

  it('CMP-5 default takes what the company of each record says, for all of them in one statement', async () => {
    const server = (companyId: number | null) =>
      createEnv({ ...world.env, actor: testActor({ uid: 0, companyId }), isSudo: true });
    const [own, other] = await server(null)
      .model('core.company')
      .createMany([{ motto: 'Ours' }, { motto: 'Theirs' }]);
    const env = server(own as number);
    const rows = [{}, { company_id: other }, { terms: null }, { company_id: null }];
    const filled = await expectQueries(world.database, 1, () =>
      applyDefaults(
        env,
        world.registry.model('trade.offer'),
        rows.map((row) => ({ limit: 1, ...row })),
      ),
    );
    expect(filled.map((row) => row.terms)).toEqual(['Ours', 'Theirs', null, 'Ours']);
    expect(await env.model('trade.offer').onchange({}, [])).toMatchObject({ value: { terms: 'Ours' } });
  });

  it('CMP-5 default of a company that does not exist or does not fit is a mistake of the author', () => {
    const mistaken = (field: ReturnType<typeof fields.text>) =>
      assembleRegistry([
        { module: 'trade', definitions: [user, company, defineModel('trade.bad', { fields: { terms: field } })] },
      ]);
    expect(() => mistaken(fields.text({ default: companyValue('moto') }))).toThrowError(
      /core\.company\.moto.*Did you mean "motto"/s,
    );
    expect(() => mistaken(fields.text({ default: companyValue('name') }))).toThrowError(
      /core\.company\.name, which is char/,
    );
  });
});
