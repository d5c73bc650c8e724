import { inheritModel } from '@kontor/orm';
import { createTestEnv, type TestWorld } from '@kontor/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { refusal } from '../computing/trade.ts';
import { jobs, trail, workshop } from './workshop.ts';

const clerk = { uid: 1, groups: new Set(['work.clerk']) };
const boss = { uid: 2, groups: new Set(['work.boss']) };
/** Another addon has its say after the sale. */
const more = inheritModel('work.job', {
  moves: {
    sell: {
      needs: ['is_short'],
      async run(call, base) {
        trail.push('more');
        return (await base(call)) ?? { redirect: '/web/more' };
      },
    },
  },
  states: {
    conditions: { is_short: { reads: ['name'], holds: (it) => String(it.name).length < 9, message: 'Too long.' } },
  },
});
let world: TestWorld;
let why = 0;
let retired = 0;
beforeAll(async () => {
  world = await createTestEnv([
    { module: 'work', definitions: workshop },
    { module: 'more', definitions: [more] },
  ]);
  await world.transact(async (env) => {
    await env.model('work.stage').createMany([
      { name: 'New', state: 'open' },
      { name: 'Won', state: 'sold' },
    ]);
    why = await env.model('work.reason').create({ name: 'Price' });
    retired = await env.model('work.reason').create({ name: 'Weather', active: false });
  });
});
afterAll(() => world.drop());
beforeEach(() => trail.splice(0));

const given = (state: string, values: object = {}) =>
  world.transact((env) =>
    jobs(env).create({ name: 'Roof', price: 5, state, line_ids: [['create', { name: 'A' }]], ...values }),
  );
const call = (ids: readonly number[], move: string, answers = {}, actor = clerk) =>
  world.transact((env) => jobs(env).call(ids, move, answers), actor);
const read = async (id: number, ...names: string[]) => {
  const [row] = await jobs(world.env).read([id], names);
  return names.map((name) => row?.[name]);
};

describe('calling a move', () => {
  it('CMP-9 writes state, stage and what it sets, and then runs', async () => {
    const ids = [await given('open'), await given('open')];
    expect(await call(ids, 'sell')).toEqual({ redirect: '/web/more' });
    expect(trail).toEqual(['wrote sold 2', 'more', 'sold 2, seen sold']);
    for (const id of ids) expect(await read(id, 'state', 'closed_at')).toEqual(['sold', expect.any(String)]);
  });

  it('CMP-9 tells all that it needs at once, and neither moves nor runs', async () => {
    const id = await given('open', { name: 'A long roof', price: null, line_ids: [] });
    expect(await refusal(call([id], 'sell'))).toMatchObject({
      code: 'USER_ERROR',
      message: 'Say the price. Add a line. Too long.',
    });
    expect(await read(id, 'state')).toEqual(['open']);
    expect(trail).not.toContain('more');
  });

  it('CMP-9 moves all or none, and leaves alone what is there already', async () => {
    const [open, sold, lost] = [await given('open'), await given('sold'), await given('lost')];
    await call([open, sold], 'sell');
    expect(trail).toContain('sold 1, seen sold');
    const other = await given('open');
    expect(await refusal(call([other, lost], 'sell'))).toMatchObject({
      message: 'Roof is "Lost" and cannot become "Sold". From here it can become "Open".',
    });
    expect(await read(other, 'state')).toEqual(['open']);
  });

  it('CMP-9 the state of each record says which variant it is, and whom it is for', async () => {
    const [lost, sold] = [await given('lost', { reason_id: why }), await given('sold', { reason_id: why })];
    expect(await refusal(call([lost, sold], 'reopen'))).toMatchObject({ code: 'USER_ERROR', message: 'Ask the boss.' });
    await call([lost, sold], 'reopen', {}, boss);
    expect(await read(lost, 'state', 'reason_id')).toEqual(['open', null]);
    expect(await read(sold, 'state', 'reason_id')).toEqual(['open', why]);
  });

  it('CMP-9 what is given with a plain write wins over what the move sets', async () => {
    const id = await given('open');
    const closed_at = '2026-01-02T03:04:05.000Z';
    await world.transact((env) => jobs(env).write([id], { state: 'sold', closed_at }), clerk);
    expect(await read(id, 'closed_at')).toEqual([closed_at]);
  });

  it('CMP-9 a move that may not be taken back says so to the unit of work', async () => {
    const [id, other] = [await given('open'), await given('open')];
    const canUndo = await world.transact(async (env) => {
      await jobs(env).call([other], 'sell');
      const before = env.work.canUndo;
      await jobs(env).call([id], 'lose', { reason_id: why });
      return [before, env.work.canUndo];
    }, clerk);
    expect(canUndo).toEqual([true, false]);
  });
});

describe('what a move asks', () => {
  it('RPC-26 answers are cast from texts, checked, and set', async () => {
    const id = await given('open', { remark: 'Old' });
    await call([id], 'lose', { reason_id: String(why), remark: '' });
    expect(await read(id, 'state', 'reason_id', 'remark')).toEqual(['lost', why, null]);
  });

  it('RPC-26 what was not answered stays as it is', async () => {
    const id = await given('open', { remark: 'Old' });
    await call([id], 'lose', { reason_id: why });
    expect(await read(id, 'remark')).toEqual(['Old']);
  });

  it('RPC-26 an answer that is missing, wrong or of a record that cannot be chosen is refused at its name', async () => {
    const id = await given('open');
    const fault = async (answers: object) => {
      const refused = await refusal(call([id], 'lose', answers));
      expect(refused).toMatchObject({ code: 'VALIDATION_ERROR' });
      return Object.entries(refused.details?.fields as Record<string, unknown[]>).map(
        ([name, [said]]) => `${name}: ${said}`,
      );
    };
    expect(await fault({})).toEqual(['reason_id: A value is required.']);
    expect(await fault({ reason_id: '' })).toEqual(['reason_id: A value is required.']);
    expect(await fault({ reason_id: 'x', remark: 5 })).toEqual([
      'reason_id: Must be the id of a record, or null.',
      'remark: Must be text.',
    ]);
    expect(await fault({ reason_id: '999999' })).toEqual(['reason_id: Work reason 999999 does not exist.']);
    expect(await fault({ reason_id: retired })).toEqual([`reason_id: Work reason ${retired} cannot be chosen here.`]);
    expect(await read(id, 'state')).toEqual(['open']);
  });

  it('RPC-26 what is not asked is refused by its name', async () => {
    const id = await given('open');
    expect(await refusal(call([id], 'lose', { reason_ids: String(why) }))).toMatchObject({
      code: 'INVALID_ARGS',
      message: 'action_lose asks for no "reason_ids". Did you mean "reason_id"?',
      details: { field: 'reason_ids' },
    });
    expect(await refusal(call([id], 'sell', { remark: 'x' }))).toMatchObject({ code: 'INVALID_ARGS' });
    await call([id], 'sell', { active_ids: String(id) });
  });
});

describe('first values of what a move asks', () => {
  const propose = (ids: readonly number[], answers = {}) =>
    world.transact((env) => jobs(env).proposeAnswers(ids, 'lose', answers), clerk);
  const domain = { reason_id: [['name', '!=', 'Weather']] };

  it('RPC-27 are what is proposed for these records; what is answered stays', async () => {
    const ids = [await given('open', { name: 'Wall' }), await given('lost')];
    expect(await propose(ids)).toEqual({ value: { remark: 'Wall, Roof' }, domain });
    expect(await propose(ids, { remark: 'Mine' })).toEqual({ value: {}, domain });
  });

  it('RPC-27 of records that would not make the move nothing is proposed', async () => {
    expect(await propose([await given('sold')])).toEqual({ value: {} });
  });

  it('RPC-27 refuses names that are not asked and records that are not there', async () => {
    const id = await given('open');
    expect(await refusal(propose([id], { remarks: 1 }))).toMatchObject({ code: 'INVALID_ARGS', message: /"remark"/ });
    expect(await refusal(propose([999_999]))).toMatchObject({ code: 'NOT_FOUND' });
  });
});
