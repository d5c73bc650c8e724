import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser } from './browser.ts';
import { badCells, confirm, stage } from './import/upload-csv.ts';
import { startShop } from './shop.ts';
import type { TestServer } from './test-server.ts';

const parcel = 'shop.parcel';
let world: TestServer;
let admin: Browser;
let clerk: Browser;
beforeAll(async () => {
  world = await startShop();
  admin = await world.signedIn();
  const { id, browser } = await world.user('Paula Parcel');
  const [group] = await admin.rpc<{ id: number }[]>('core.group', 'search_read', [
    [['key', '=', 'shop.group_clerk']],
    [],
  ]);
  await admin.rpc('core.user', 'write', [[id], { group_ids: [['link', group?.id]] }]);
  clerk = browser;
});
afterAll(() => world.close());

const fresh = (values: object = {}) => clerk.rpc<number>(parcel, 'create', [{ name: 'Books', weight: 2, ...values }]);
const call = (id: number, action: string, kwargs: object = {}) =>
  clerk.call({ model: parcel, method: 'call', args: [id, action], kwargs });
const read = async (id: number) =>
  (await clerk.rpc<Record<string, unknown>[]>(parcel, 'read', [[id], ['state', 'weight', 'sent_at']]))[0];
const postage = async (id: number) =>
  (await clerk.rpc<{ postage: number | null }[]>(parcel, 'read', [[id], ['postage']]))[0]?.postage;

describe('moves over the wire', () => {
  it('CMP-9 a move is an action, and dry_run shows what it would do', async () => {
    const id = await fresh();
    const { result } = await call(id, 'action_send', { dry_run: true });
    expect(result).toMatchObject({
      dry_run: true,
      result: true,
      changes: [{ model: parcel, id, values: { state: { old: 'packed', new: 'sent' } } }],
    });
    expect(await read(id)).toMatchObject({ state: 'packed', sent_at: null });
    expect((await call(id, 'action_send')).result).toBe(true);
    expect(await read(id)).toMatchObject({ state: 'sent', sent_at: expect.any(String) });
  });

  it('CMP-9 refuses what the move needs with what to do, and what no move leads to', async () => {
    const id = await fresh({ weight: null });
    const { status, error } = await call(id, 'action_send');
    expect([status, error?.code, error?.message]).toEqual([422, 'USER_ERROR', 'Weigh it first.']);
    expect(await clerk.outcome(parcel, 'write', [[id], { state: 'sent' }])).toBe('422 USER_ERROR');
    expect(await clerk.outcome(parcel, 'write', [[id], { state: 'back' }])).toBe('422 USER_ERROR');
    expect(await clerk.outcome(parcel, 'write', [[id], { state: 5 }])).toBe('422 VALIDATION_ERROR');
    expect(await clerk.outcome(parcel, 'create', [{ name: 'Late', state: 'sent' }])).toBe('422 USER_ERROR');
  });

  it('CMP-9 an import moves by the same rules', async () => {
    const id = await fresh();
    const csv = (state: string) => `id,state\n${id},${state}\n`;
    const upsert = { model: parcel, import_mode: 'upsert' };
    const refused = await confirm(clerk, await stage(clerk, csv('back'), upsert));
    expect(badCells(refused)).toMatchObject([
      { row: 2, message: expect.stringContaining('cannot become "Come back"') },
    ]);
    expect((await confirm(clerk, await stage(clerk, csv('sent'), upsert))).error).toBeNull();
    expect(await read(id)).toMatchObject({ state: 'sent', sent_at: expect.any(String) });
  });

  it('CMP-12 what is locked stays, its lines too', async () => {
    const id = await fresh({ slip_ids: [['create', { note: 'Fragile' }]] });
    await call(id, 'action_send');
    for (const values of [{ weight: 3 }, { slip_ids: [['create', { note: 'More' }]] }, { slip_ids: [['clear']] }]) {
      const { status, error } = await clerk.call({ model: parcel, method: 'write', args: [[id], values] });
      expect([status, error?.message]).toEqual([422, expect.stringContaining('Books is "Sent": ')]);
    }
    expect(await clerk.outcome('shop.parcel.slip', 'create', [{ parcel_id: id }])).toBe('422 USER_ERROR');
    expect(await clerk.outcome(parcel, 'unlink', [[id]])).toBe('422 USER_ERROR');
  });
});

describe('undo of moves', () => {
  const setOf = (answer: { headers: Headers }) => Number(answer.headers.get('x-change-set'));
  const revert = (set: number) => clerk.call({ model: 'sys.change.set', method: 'call', args: [set, 'action_revert'] });

  it('RPC-21 what reached the outside is not taken back', async () => {
    const id = await fresh();
    const sent = await call(id, 'action_send');
    expect([setOf(sent) > 0, sent.headers.get('x-undo')]).toEqual([true, 'no']);
    const { status, error } = await revert(setOf(sent));
    expect([status, error?.message]).toEqual([422, 'This has affected others, so it cannot be undone.']);
    expect(await read(id)).toMatchObject({ state: 'sent' });
  });

  it('RPC-21 the kept answer of a repeated call says so too', async () => {
    const body = { model: parcel, method: 'call', args: [await fresh(), 'action_send'] };
    const once = () => clerk.call(body, { 'idempotency-key': 'parcel-1' });
    const [first, second] = [await once(), await once()];
    expect(setOf(second)).toBe(setOf(first));
    expect(second.headers.get('x-undo')).toBe('no');
  });

  it('RPC-21 any other is, state and lines, without asking moves or locks', async () => {
    const id = await fresh();
    const values = { state: 'sent', weight: 4, slip_ids: [['create', { note: 'Late' }]] };
    const written = await clerk.call({ model: parcel, method: 'write', args: [[id], values] });
    expect(written.headers.get('x-undo')).toBeNull();
    const back = await call(id, 'action_receive');
    expect((await revert(setOf(back))).result).toBe(true);
    expect(await read(id)).toMatchObject({ state: 'sent' });
    expect((await revert(setOf(written))).result).toBe(true);
    expect(await read(id)).toEqual({ id, state: 'packed', weight: 2, sent_at: null });
    expect(await clerk.rpc('shop.parcel.slip', 'search_read', [[['parcel_id', '=', id]], []])).toEqual([]);
  });
});

describe('values that people may overrule', () => {
  const bring = async (csv: string, mode = 'upsert') => {
    const { error } = await confirm(clerk, await stage(clerk, csv, { model: parcel, import_mode: mode }));
    expect(error).toBeNull();
  };
  const named = async (name: string) =>
    (await clerk.rpc<{ id: number }[]>(parcel, 'search_read', [[['name', '=', name]], ['id']]))[0]?.id as number;

  it('CMP-10 a file that is imported again changes what follows from what it changes', async () => {
    await bring('name,weight\nImported,2\n', 'create');
    const id = await named('Imported');
    expect(await postage(id)).toBe(20);
    await bring(`id,weight\n${id},3\n`);
    expect(await postage(id)).toBe(30);
    await bring(`id,weight,postage\n${id},4,7\n`);
    expect(await postage(id)).toBe(7);
    await bring(`id,name,weight\n${id},Imported again,4\n`);
    expect(await postage(id)).toBe(7);
    const other = await fresh({ weight: 5, postage: 1 });
    await bring(`id,weight\n${id},5\n${other},5\n`);
    expect([await postage(id), await postage(other)]).toEqual([50, 1]);
  });

  it('CMP-10 an automation that changes a record changes what follows, and what it says stays', async () => {
    const rule = { name: 'Express', model: parcel, trigger: 'write', domain: [['name', '=', 'Urgent']] };
    const automate = (values: object) =>
      admin.rpc<number>('sys.automation', 'create', [{ ...rule, action: `write:${JSON.stringify(values)}` }]);
    const id = await fresh();
    const first = await automate({ is_express: true });
    await clerk.rpc(parcel, 'write', [[id], { name: 'Urgent' }]);
    expect(await postage(id)).toBe(40);
    await admin.rpc('sys.automation', 'unlink', [[first]]);
    const second = await automate({ is_express: false, postage: 3 });
    await clerk.rpc(parcel, 'write', [[id], { weight: 6 }]);
    expect(await postage(id)).toBe(3);
    await admin.rpc('sys.automation', 'unlink', [[second]]);
  });

  it('CMP-10 records of data files get what they do not say', async () => {
    const both = [await named('From a data file'), await named('From a data file, agreed')];
    expect(await Promise.all(both.map(postage))).toEqual([30, 1]);
  });

  it('CMP-12 what is locked neither follows nor is overruled; the same value passes', async () => {
    const id = await fresh();
    await call(id, 'action_send');
    await clerk.rpc(parcel, 'write', [[id], { is_express: true }]);
    expect(await postage(id)).toBe(20);
    expect(await clerk.outcome(parcel, 'write', [[id], { postage: 1 }])).toBe('422 USER_ERROR');
    expect(await clerk.outcome(parcel, 'write', [[id], { postage: 20 }])).toBe('OK');
    const { value } = await clerk.rpc<{ value: object }>(
      parcel,
      'onchange',
      [{ is_express: false, weight: 9 }, ['is_express', 'weight']],
      {
        id,
      },
    );
    expect(value).toEqual({});
    await call(id, 'action_receive');
    await clerk.rpc(parcel, 'write', [[id], { is_express: false }]);
    await clerk.rpc(parcel, 'write', [[id], { is_express: true }]);
    expect(await postage(id)).toBe(40);
  });
});
