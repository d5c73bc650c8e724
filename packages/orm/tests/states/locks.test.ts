import type { Env, RuleRow } from '@kontor/orm';
import { parseDomain } from '@kontor/protocol';
import { createTestEnv, type TestWorld } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refusal } from '../computing/trade.ts';
import { jobs, workshop } from './workshop.ts';

const clerk = { uid: 1, groups: new Set(['work.clerk']) };
let world: TestWorld;
beforeAll(async () => {
  world = await createTestEnv(workshop);
  await world.transact(async (env) => {
    await env.model('work.stage').createMany([
      { name: 'New', state: 'open' },
      { name: 'Won', state: 'sold' },
    ]);
  });
});
afterAll(() => world.drop());

const lines = (env: Env) => env.model('work.line');
/** A job that the server brought to a state. */
const given = (state: string, more: object = {}) =>
  world.transact((env) =>
    jobs(env).create({ name: 'Roof', price: 5, state, line_ids: [['create', { name: 'A' }]], ...more }),
  );
const lineOf = async (job: number) => (await lines(world.env).search([['job_id', '=', job]]))[0] as number;
const write = (id: number, change: Record<string, unknown>) =>
  world.transact((env) => jobs(env).write([id], change), clerk);
const settled = (fields: string, hint = 'To change it: "Take back".') => ({
  code: 'USER_ERROR',
  message: `Roof is "Sold": ${fields} cannot be changed. ${hint}`,
});

describe('locked fields', () => {
  it('CMP-12 what is settled in a state nobody changes; what is not stays open', async () => {
    const id = await given('sold');
    expect(await refusal(write(id, { price: 6, remark: 'x' }))).toMatchObject({
      ...settled('Price'),
      details: { model: 'work.job', id, state: 'sold', fields: ['price'] },
    });
    await write(id, { remark: 'x', sequence: 3, active: false });
    await write(id, { price: 5 });
    const tag = await world.transact((env) => env.model('work.team').create({ name: 'Tag' }));
    expect(await refusal(write(id, { tag_ids: [['link', tag]] }))).toMatchObject(settled('Tags'));
    await write(id, { tag_ids: [['clear']] });
    expect(await jobs(world.env).read([id], ['price', 'remark'])).toMatchObject([{ price: 5, remark: 'x' }]);
  });

  it('CMP-12 "all" leaves state, stage, sequence and active, and tells the way out', async () => {
    const id = await given('gone');
    expect(await refusal(write(id, { name: 'Wall', remark: 'x' }))).toMatchObject({
      message: 'Roof is "Gone": Name, Remark cannot be changed. To change it: "Revive".',
    });
    await write(id, { sequence: 4, active: false, state: 'lost' });
    await write(id, { name: 'Wall' });
  });

  it('CMP-12 it is judged by the state before the call', async () => {
    const id = await given('open');
    await write(id, { state: 'sold', price: 9 });
    expect(await jobs(world.env).read([id], ['price', 'state'])).toMatchObject([{ price: 9, state: 'sold' }]);
    const gone = await given('gone');
    expect(await refusal(write(gone, { state: 'lost', name: 'Wall' }))).toMatchObject({ code: 'USER_ERROR' });
  });

  it('CMP-12 the system is not locked out', async () => {
    const id = await given('sold');
    await world.transact((env) => jobs(env.sudo()).write([id], { price: 7 }), clerk);
    expect(await jobs(world.env).read([id], ['price'])).toMatchObject([{ price: 7 }]);
  });

  it('CMP-12 what was there before comes back without asking', async () => {
    const id = await given('sold');
    await world.transact((env) => jobs(env).write([id], { price: 1, state: 'gone' }, { restores: true }), clerk);
    expect(await jobs(world.env).read([id], ['price', 'state'])).toMatchObject([{ price: 1, state: 'gone' }]);
    const line = await lineOf(id);
    await world.transact((env) => lines(env).unlink([line], { restores: true }), clerk);
    await world.transact((env) => jobs(env).unlink([id], { restores: true }), clerk);
  });
});

describe('locked lines', () => {
  it('CMP-12 none comes, changes or goes by any way', async () => {
    const id = await given('sold');
    const line = await lineOf(id);
    const ways: ((env: Env) => Promise<unknown>)[] = [
      (env) => lines(env).create({ name: 'B', job_id: id }),
      (env) => lines(env).write([line], { hours: 2 }),
      (env) => lines(env).unlink([line]),
      (env) => jobs(env).write([id], { line_ids: [['create', { name: 'B' }]] }),
      (env) => jobs(env).write([id], { line_ids: [['update', line, { hours: 2 }]] }),
      (env) => jobs(env).write([id], { line_ids: [['delete', line]] }),
      (env) => jobs(env).write([id], { line_ids: [['clear']] }),
    ];
    for (const way of ways) expect(await refusal(world.transact(way, clerk))).toMatchObject(settled('Lines'));
    await world.transact((env) => lines(env).write([line], { hours: 1 }), clerk);
    await world.transact((env) => lines(env.sudo()).write([line], { hours: 3 }), clerk);
  });

  it('LAN-19 an unlocked field stays open, of a record and of the lines of a locked list', async () => {
    const id = await given('sold');
    const line = await lineOf(id);
    await world.transact((env) => lines(env).write([line], { done: 2 }), clerk);
    await write(id, { line_ids: [['update', line, { done: 3 }]] });
    expect(await refusal(write(id, { line_ids: [['update', line, { done: 4, hours: 9 }]] }))).toMatchObject(
      settled('Lines'),
    );
    expect(await lines(world.env).read([line], ['done', 'hours'])).toMatchObject([{ done: 3, hours: 1 }]);
    const gone = await given('gone');
    await write(gone, { rating: 5 });
  });

  it('CMP-12 by the old and by the new record', async () => {
    const [sold, open] = [await given('sold'), await given('open')];
    const move = (line: number, to: number) => world.transact((env) => lines(env).write([line], { job_id: to }), clerk);
    expect(await refusal(move(await lineOf(sold), open))).toMatchObject(settled('Lines'));
    expect(await refusal(move(await lineOf(open), sold))).toMatchObject(settled('Lines'));
  });

  it('CMP-12 lines that come with a move count as before it', async () => {
    const id = await given('open', { line_ids: [] });
    await write(id, { state: 'sold', line_ids: [['create', { name: 'B', hours: 4 }]] });
    expect(await jobs(world.env).read([id], ['hours', 'state'])).toMatchObject([{ hours: 4, state: 'sold' }]);
    expect(await refusal(write(id, { line_ids: [['create', { name: 'C' }]] }))).toMatchObject(settled('Lines'));
  });

  it('CMP-12 lines go with their record', async () => {
    const id = await given('gone');
    await world.transact((env) => jobs(env).unlink([id]), clerk);
    expect(await lines(world.env).count([['job_id', '=', id]])).toBe(0);
  });

  it('CMP-12 lines that are no part of the record stay open', async () => {
    const id = await given('gone');
    await world.transact((env) => env.model('work.note').create({ name: 'N', job_id: id }), clerk);
  });

  it('CMP-12 who may not see the record learns nothing of it', async () => {
    const hidden: RuleRow = {
      name: 'own',
      domain: parseDomain([['name', '!=', 'Roof']]),
      groups: [],
      operations: new Set(['read'] as const),
    };
    const policy = { rules: new Map([['work.job', [hidden]]]) };
    const [sold, open] = [await given('sold'), await given('open')];
    const line = await lineOf(sold);
    const say = (work: (env: Env) => Promise<unknown>) =>
      refusal(world.database.transaction((tx) => work(world.as(clerk, tx, policy))));
    const write = await say((env) => lines(env).write([line], { hours: 2 }));
    expect(write).toMatchObject({ code: 'ACCESS_DENIED', details: { model: 'work.line', layer: 'rule' } });
    expect(JSON.stringify([write.message, write])).not.toContain('Roof');
    const made = async (job: number) => {
      const { code, message } = await say((env) => lines(env).create({ name: 'B', job_id: job }));
      return [code, message.replaceAll(String(job), '#')];
    };
    expect(await made(sold)).toEqual(await made(open));
    expect(await say((env) => lines(env).unlink([line]))).toMatchObject({ code: 'ACCESS_DENIED' });
  });

  it('CMP-12 nobody slips a line in while the record is settled', async () => {
    const id = await given('open');
    let adding: Promise<unknown> = Promise.resolve();
    await world.transact(async (env) => {
      await jobs(env).write([id], { state: 'sold' });
      adding = refusal(world.transact((other) => lines(other).create({ name: 'Late', job_id: id }), clerk));
      await env.model('work.team').create({ name: 'meanwhile' });
    }, clerk);
    expect(await adding).toMatchObject(settled('Lines'));
  });
});
