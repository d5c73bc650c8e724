import { type ActionAnswer, defineModel, fields, inheritModel } from '@kontor/orm';
import { parseDomain } from '@kontor/protocol';
import { createTestEnv, type TestWorld } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { look, refusal } from '../computing/trade.ts';

const trail: string[] = [];
let answer: unknown;

const ticket = defineModel('desk.ticket', {
  label: 'Ticket',
  fields: {
    name: fields.char(),
    state: fields.selection({ open: 'Open', done: 'Done' }, { default: 'open', readonly: true }),
    active: fields.boolean({ default: true }),
  },
  actions: {
    close: {
      asks: { why: fields.char() },
      async run({ env, records, answers }) {
        trail.push(`close ${records.ids} ${answers.why ?? ''}`.trim());
        await env.model('desk.ticket').write(records.ids, { state: 'done' });
      },
    },
    look: {
      needs: 'read',
      async run({ records }) {
        trail.push(`look ${(await records.load('name')).map((record) => record.name)}`);
      },
    },
    greet: {
      needs: 'read',
      single: 'Choose one ticket.',
      async run({ records }) {
        trail.push(`greet ${(await records.only('name')).name}`);
      },
    },
    careless: async ({ records }) => void (await records.only('name')),
    secret: { groups: ['desk.manager'], run: async () => undefined },
    answer: async () => answer as ActionAnswer,
  },
});
const more = inheritModel('desk.ticket', {
  actions: {
    async close(call, base) {
      trail.push('more before');
      const result = await base(call);
      trail.push('more after');
      return result;
    },
    async copy(call, base) {
      trail.push('copying');
      return base(call);
    },
  },
});
const most = inheritModel('desk.ticket', {
  actions: {
    async close(call, base) {
      trail.push('most before');
      return base(call);
    },
  },
});
const plainModel = defineModel('desk.plain', { fields: { name: fields.char() } });

let desk: TestWorld;
beforeAll(async () => {
  desk = await createTestEnv([
    { module: 'desk', definitions: [ticket, plainModel] },
    { module: 'more', definitions: [more] },
    { module: 'most', definitions: [most] },
  ]);
});
afterAll(() => desk.drop());

const make = (values = {}) => desk.transact((env) => env.model('desk.ticket').create({ name: 'T', ...values }));
const call = (
  ids: readonly number[],
  action: string,
  params?: Record<string, string>,
  groups: readonly string[] = [],
) =>
  desk.database.transaction((tx) =>
    desk
      .as({ uid: 2, groups: new Set(groups) }, tx)
      .outside(true)
      .model('desk.ticket')
      .call(ids, action, params),
  );

describe('actions', () => {
  it('GEN-6, CMP-8 call runs the handler of the last module first, each with the one before as base', async () => {
    const id = await make();
    trail.length = 0;
    expect(await call([id], 'close', { why: 'solved' })).toBeUndefined();
    expect(trail).toEqual(['most before', 'more before', `close ${id} solved`, 'more after']);
    expect(await look(desk.env, 'desk.ticket', id, 'state')).toEqual({ state: 'done' });
  });

  it('RPC-9 call reaches registered actions only, by no other name', async () => {
    const id = await make();
    for (const name of [
      'clos',
      '__proto__',
      'constructor',
      'toString',
      'run',
      'write',
      '',
      'archived',
      'action_close',
    ]) {
      const refused = await refusal(call([id], name));
      expect(refused).toMatchObject({
        code: 'ACTION_NOT_FOUND',
        details: { model: 'desk.ticket', action: `action_${name}` },
      });
    }
    expect((await refusal(call([id], 'clos'))).message).toContain('Did you mean "action_close"?');
    const plain = desk.env.model('desk.plain').call([1], 'archive');
    expect(await refusal(plain)).toMatchObject({ code: 'ACTION_NOT_FOUND' });
  });

  it('RPC-9 call of an action for one record says so to who chooses none or several', async () => {
    const [one, other] = [await make({ name: 'one' }), await make({ name: 'other' })];
    trail.length = 0;
    for (const ids of [[], [one, other]]) {
      expect(await refusal(call(ids, 'greet'))).toMatchObject({ code: 'USER_ERROR', message: 'Choose one ticket.' });
    }
    await call([one], 'greet');
    expect(trail).toEqual(['greet one']);
    await call([one], 'careless');
    await expect(call([one, other], 'careless')).rejects.toThrow('only() is for actions that are single');
  });

  it('RPC-9 call checks the groups of an action', async () => {
    const id = await make();
    expect(await refusal(call([id], 'secret'))).toMatchObject({
      code: 'ACCESS_DENIED',
      details: { model: 'desk.ticket', operation: 'write', layer: 'model', action: 'action_secret' },
    });
    expect(await call([id], 'secret', {}, ['desk.manager'])).toBeUndefined();
  });

  it('RPC-9 call needs the right on the model and on each record', async () => {
    const [mine, other] = [await make({ name: 'mine' }), await make({ name: 'other' })];
    const access = new Map([['desk.ticket', [{ group: null, read: true, write: false, create: true, unlink: false }]]]);
    const reader = desk.as({ uid: 2 }, desk.database, { access });
    expect(await refusal(reader.model('desk.ticket').call([mine], 'close'))).toMatchObject({
      code: 'ACCESS_DENIED',
      details: { layer: 'model', operation: 'write' },
    });
    trail.length = 0;
    await reader.model('desk.ticket').call([mine], 'look');
    expect(trail).toEqual(['look mine']);

    const rule = {
      name: 'mine',
      domain: parseDomain([['name', '=', 'mine']]),
      groups: [],
      operations: new Set(['write'] as const),
    };
    const limited = desk.as({ uid: 2 }, desk.database, { rules: new Map([['desk.ticket', [rule]]]) });
    expect(await refusal(limited.model('desk.ticket').call([mine, other], 'close'))).toMatchObject({
      code: 'ACCESS_DENIED',
      details: { layer: 'rule', ids: [other] },
    });
    expect(await refusal(limited.model('desk.ticket').call([mine, 999_999], 'close'))).toMatchObject({
      code: 'NOT_FOUND',
      details: { missing_ids: [999_999] },
    });
    await limited.model('desk.ticket').call([other], 'look');
  });

  it('RPC-9 call takes a map of what the action asks', async () => {
    const id = await make();
    expect(await refusal(call([id], 'close', { why: 3 } as never))).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(await refusal(call([id], 'close', ['x'] as never))).toMatchObject({ code: 'INVALID_ARGS' });
  });

  it('RPC-9 call answers nothing or a page of this server', async () => {
    const id = await make();
    const answered = (value: unknown) => {
      answer = value;
      return call([id], 'answer');
    };
    for (const page of ['/', '/web', '/web?model=a&id=1', '/web/apps#x']) {
      expect(await answered({ redirect: page })).toEqual({ redirect: page });
    }
    const bad = [
      '//evil.example/web',
      '/\\evil.example',
      'https://evil.example/web',
      '/website',
      '/web/../etc',
      'web',
      '/api/rpc',
    ];
    for (const page of bad)
      await expect(answered({ redirect: page })).rejects.toThrow('desk.ticket.action_answer redirects');
    for (const value of [true, 'x', {}, { redirect: 3 }]) await expect(answered(value)).rejects.toThrow('must answer');
  });

  it('RPC-24 call: every model has action_copy, and an extension of it has it as base', async () => {
    const id = await make({ name: 'One' });
    trail.length = 0;
    const result = (await call([id], 'copy')) as { redirect: string };
    expect(trail).toEqual(['copying']);
    const copied = Number(new URL(result.redirect, 'http://x').searchParams.get('id'));
    expect(result.redirect).toBe(`/web?model=desk.ticket&view_type=form&id=${copied}`);
    expect(await look(desk.env, 'desk.ticket', copied, 'name')).toEqual({ name: 'One (copy)' });
    expect(await refusal(call([id, copied], 'copy'))).toMatchObject({ code: 'USER_ERROR' });
    const plainId = await desk.transact((env) => env.model('desk.plain').create({ name: 'p' }));
    await expect(desk.env.model('desk.plain').call([plainId], 'copy')).resolves.toHaveProperty('redirect');
  });

  it('RPC-9 call: models with active have archive and unarchive', async () => {
    const ids = [await make(), await make()];
    await call(ids, 'archive');
    expect(
      await desk.env.model('desk.ticket').count([
        ['id', 'in', ids],
        ['active', '=', true],
      ]),
    ).toBe(0);
    await call(ids, 'unarchive');
    expect(
      await desk.env.model('desk.ticket').count([
        ['id', 'in', ids],
        ['active', '=', true],
      ]),
    ).toBe(2);
  });
});
