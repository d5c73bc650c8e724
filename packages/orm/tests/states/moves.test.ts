import { defineModel, type Env, fields } from '@kontor/orm';
import { createTestEnv, expectQueries, type TestWorld } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refusal } from '../computing/trade.ts';

const states = { draft: 'Draft', open: 'Open', done: 'Done', void: 'Void' };
const ticket = defineModel('moves.ticket', {
  label: 'Ticket',
  fields: {
    name: fields.char({ required: true }),
    state: fields.selection(states, { required: true, default: 'draft' }),
    owner: fields.char(),
    step_ids: fields.one2many('moves.step', 'ticket_id'),
    box_id: fields.many2one('moves.box', { ondelete: 'cascade' }),
  },
  states: {
    field: 'state',
    initial: 'draft',
    removable: ['draft', 'void'],
    conditions: {
      has_steps: { reads: ['step_ids'], holds: (it) => (it.step_ids as unknown[]).length > 0, message: 'Add a step.' },
      has_owner: { reads: ['owner'], holds: (it) => it.owner !== null, message: 'Name an owner.' },
    },
  },
  moves: {
    open: { from: 'draft', to: 'open', label: 'Open', needs: ['has_steps', 'has_owner'] },
    close: {
      from: 'open',
      to: 'done',
      label: 'Close',
      groups: ['desk.boss'],
      refusal: 'Ask the boss to close it.',
    },
    cancel: [
      { from: ['draft', 'open'], to: 'void', label: 'Cancel' },
      { from: 'done', to: 'void', label: 'Cancel', groups: ['desk.boss'] },
    ],
    reset: { from: ['open', 'void'], to: 'draft', label: 'Reset' },
  },
});
const step = defineModel('moves.step', {
  fields: { name: fields.char(), ticket_id: fields.many2one('moves.ticket', { ondelete: 'cascade' }) },
});
const box = defineModel('moves.box', { fields: { name: fields.char() } });

let desk: TestWorld;
beforeAll(async () => {
  desk = await createTestEnv([ticket, step, box]);
});
afterAll(() => desk.drop());

const clerk = { uid: 1, groups: new Set(['desk.clerk']) };
const boss = { uid: 2, groups: new Set(['desk.boss']) };
const tickets = (env: Env) => env.model('moves.ticket');

/** A ticket brought to a state by the server. */
function given(state: string, values: Record<string, unknown> = {}): Promise<number> {
  return desk.transact((env) =>
    tickets(env).create({ name: 'Leak', state, owner: 'Ada', step_ids: [['create', { name: 'Look' }]], ...values }),
  );
}
async function stateOf(id: number): Promise<unknown> {
  return (await tickets(desk.env).read([id], ['state']))[0]?.state;
}

describe('moves', () => {
  it('CMP-9 a move that is declared is made, one that is not is refused with what is possible', async () => {
    const id = await given('draft');
    await desk.transact((env) => tickets(env).write([id], { state: 'open' }), clerk);
    expect(await stateOf(id)).toBe('open');
    const voided = await given('void');
    expect(await refusal(desk.transact((env) => tickets(env).write([voided], { state: 'done' }), boss))).toMatchObject({
      code: 'USER_ERROR',
      message: 'Leak is "Void" and cannot become "Done". From here it can become "Draft".',
      details: { model: 'moves.ticket', id: voided, field: 'state', from: 'void', to: 'done', possible: ['draft'] },
    });
    expect(await stateOf(voided)).toBe('void');
  });

  it('CMP-9 names every way out', async () => {
    const id = await given('draft');
    const refused = await refusal(desk.transact((env) => tickets(env).write([id], { state: 'done' })));
    expect(refused.message).toBe('Leak is "Draft" and cannot become "Done". From here it can become "Open" or "Void".');
  });

  it('CMP-9 writing the value that is there is no move', async () => {
    const id = await given('done');
    await desk.transact((env) => tickets(env).write([id], { state: 'done', owner: 'Bo' }), clerk);
    expect(await stateOf(id)).toBe('done');
  });

  it('CMP-9 only the groups of a move may make it; sudo lifts that and nothing else', async () => {
    const id = await given('open');
    const close = (env: Env) => tickets(env).write([id], { state: 'done' });
    expect(await refusal(desk.transact(close, clerk))).toMatchObject({
      code: 'USER_ERROR',
      message: 'Ask the boss to close it.',
    });
    await desk.transact(close, boss);
    const cancel = (env: Env) => tickets(env).write([id], { state: 'void' });
    const refused = await refusal(desk.transact(cancel, clerk));
    expect(refused.message).toBe('You may not make Leak "Void". Ask someone who is in desk.boss.');
    await desk.transact((env) => cancel(env.sudo()), clerk);
    expect(await refusal(desk.transact((env) => tickets(env.sudo()).write([id], { state: 'open' })))).toMatchObject({
      code: 'USER_ERROR',
    });
  });

  it('CMP-9 what a move requires is checked with what is written along', async () => {
    const id = await given('draft', { owner: null, step_ids: [] });
    const open = (env: Env) => tickets(env).write([id], { state: 'open' });
    expect(await refusal(desk.transact(open, clerk))).toMatchObject({
      code: 'USER_ERROR',
      message: 'Add a step. Name an owner.',
      details: { id, conditions: ['has_steps', 'has_owner'] },
    });
    const values = { state: 'open', owner: 'Ada', step_ids: [['create', { name: 'Look' }]] };
    await desk.transact((env) => tickets(env).write([id], values), clerk);
    expect(await stateOf(id)).toBe('open');
  });

  it('CMP-9 of several records the one that fails is named, and none moves', async () => {
    const good = await given('draft');
    const bad = await given('draft', { name: 'Draught', owner: null });
    const refused = await refusal(desk.transact((env) => tickets(env).write([good, bad], { state: 'open' }), clerk));
    expect(refused.message).toBe('Draught: Name an owner.');
    expect(await stateOf(good)).toBe('draft');
  });

  it('CMP-9 costs one statement for what is required, however many records move', async () => {
    const ids = [await given('draft'), await given('draft'), await given('draft')];
    await desk.transact(async (env) => {
      await expectQueries(env.db, 3, () => tickets(env).write(ids, { state: 'open' }));
    });
  });
});

describe('beginnings and ends', () => {
  it('CMP-9 a new record begins where its states say; data of the server anywhere', async () => {
    const create = (env: Env) => tickets(env).create({ name: 'New', state: 'done' });
    expect(await refusal(desk.transact(create, boss))).toMatchObject({
      code: 'USER_ERROR',
      message: 'A new Ticket cannot begin as "Done". Create it as "Draft" first.',
    });
    expect(await stateOf(await desk.transact((env) => create(env.sudo()), boss))).toBe('done');
    expect(await stateOf(await desk.transact((env) => tickets(env).create({ name: 'New' }), clerk))).toBe('draft');
  });

  it('CMP-9 a copy begins anew', async () => {
    const id = await given('done');
    expect(await stateOf(await desk.transact((env) => tickets(env).copy(id), clerk))).toBe('draft');
  });

  it('CMP-9 records that may not be removed stay, also when their owner goes', async () => {
    const boxId = await desk.transact((env) => env.model('moves.box').create({ name: 'Box' }));
    const id = await given('open', { box_id: boxId });
    expect(await refusal(desk.transact((env) => tickets(env).unlink([id]), boss))).toMatchObject({
      code: 'USER_ERROR',
      message: 'Leak is "Open" and cannot be deleted. Make it "Void" or "Draft" first.',
    });
    await expect(desk.transact((env) => env.model('moves.box').unlink([boxId]))).rejects.toMatchObject({
      code: 'USER_ERROR',
    });
    await desk.transact((env) => tickets(env).write([id], { state: 'void' }), clerk);
    await desk.transact((env) => env.model('moves.box').unlink([boxId]));
    expect(await tickets(desk.env).count([['id', '=', id]])).toBe(0);
  });
});
