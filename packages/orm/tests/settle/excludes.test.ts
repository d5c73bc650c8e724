import { sql, syncSchema } from '@kontor/database';
import {
  assembleRegistry,
  DefinitionError,
  defineModel,
  type Env,
  fields,
  type ModelSpec,
  tableSpecs,
} from '@kontor/orm';
import { createTestEnv, type TestWorld } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refusal } from '../computing/trade.ts';

const room = defineModel('inn.room', { fields: { name: fields.char({ required: true }) } });
const stay = defineModel('inn.stay', {
  label: 'Stay',
  displayName: 'Stay of {guest}',
  fields: {
    room_id: fields.many2one('inn.room'),
    guest: fields.char(),
    from_day: fields.date({ label: 'Arrival' }),
    to_day: fields.date(),
    state: fields.selection({ booked: 'Booked', gone: 'Cancelled' }, { default: 'booked' }),
    room_ids: fields.many2many('inn.room'),
  },
  excludes: {
    once: {
      same: ['room_id'],
      range: ['from_day', 'to_day'],
      where: [['state', '=', 'booked']],
      message: 'The room is taken on these days.',
    },
  },
});
const shift = defineModel('inn.shift', {
  fields: { begins: fields.datetime(), ends: fields.datetime(), is_night: fields.boolean() },
  excludes: { one: { same: ['is_night'], range: ['begins', 'ends'], message: 'Somebody works then.' } },
});

let inn: TestWorld;
beforeAll(async () => {
  inn = await createTestEnv([room, stay, shift]);
});
afterAll(() => inn.drop());

const newRoom = () => inn.transact((env) => env.model('inn.room').create({ name: 'Attic' }));
const book = (env: Env, room_id: number | null, from_day: string | null, to_day: string | null, more = {}) =>
  env.model('inn.stay').create({ room_id, from_day, to_day, ...more });

/** Until some statement of this database waits for a lock. */
async function aLockWait(): Promise<void> {
  const waiting = sql`
    select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' limit 1`;
  while ((await inn.database.query(waiting)).length === 0);
}

describe('LAN-13 ranges that must not overlap', () => {
  it('LAN-13 are refused with the message and the name of the other record, the last day counts', async () => {
    const room_id = await newRoom();
    await inn.transact((env) => book(env, room_id, '2026-05-01', '2026-05-03', { guest: 'Ada' }));
    const said = await refusal(inn.transact((env) => book(env, room_id, '2026-05-03', '2026-05-05')));
    expect(said).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { fields: { from_day: [expect.anything()] } },
    });
    expect(String(said.message)).toContain('The room is taken on these days. It overlaps with Stay of Ada.');
    await inn.transact((env) => book(env, room_id, '2026-05-04', '2026-05-05'));
    await inn.transact(async (env) =>
      book(env, await env.model('inn.room').create({ name: 'B' }), '2026-05-01', '2026-05-09'),
    );
    await inn.transact((env) => book(env, room_id, '2026-05-01', '2026-05-09', { state: 'gone' }));
  });

  it('LAN-13 are open where an end is empty, and two empty relations are the same', async () => {
    await inn.transact((env) => book(env, null, '2026-06-01', null));
    const taken = 'The room is taken on these days.';
    await expect(inn.transact((env) => book(env, null, '2030-01-01', '2030-01-02'))).rejects.toThrow(taken);
    await inn.transact((env) => book(env, null, null, '2026-05-31'));
    await expect(inn.transact((env) => book(env, null, null, null))).rejects.toThrow(taken);
    const room_id = await newRoom();
    await inn.transact((env) => book(env, room_id, '2026-05-09', '2026-05-01'));
    await inn.transact((env) => book(env, room_id, '2026-05-01', '2026-05-09'));
  });

  it('LAN-13 are compared when an operation ends: records may change places in one call', async () => {
    const room_id = await newRoom();
    const [a, b] = await inn.transact((env) =>
      env.model('inn.stay').createMany([
        { room_id, from_day: '2026-07-01', to_day: '2026-07-03' },
        { room_id, from_day: '2026-07-04', to_day: '2026-07-06' },
      ]),
    );
    await inn.transact((env) =>
      env.model('inn.stay').writeEach([
        { id: a as number, values: { from_day: '2026-07-04', to_day: '2026-07-06' } },
        { id: b as number, values: { from_day: '2026-07-01', to_day: '2026-07-03' } },
      ]),
    );
    await expect(
      inn.transact((env) => env.model('inn.stay').write([b as number], { to_day: '2026-07-30' })),
    ).rejects.toThrow('taken');
    await inn.transact((env) => env.model('inn.stay').write([b as number], { guest: 'Bo' }));
  });

  it('LAN-13 hold for people who write at the same time: the database refuses the second', async () => {
    const room_id = await newRoom();
    let later: Promise<unknown> | undefined;
    await inn.transact(async (env) => {
      await book(env, room_id, '2026-08-01', '2026-08-03');
      later = inn
        .transact((other) => book(other, room_id, '2026-08-02', '2026-08-05'))
        .catch((error: unknown) => error);
      await aLockWait();
    });
    expect(await later).toMatchObject({ details: { fields: { from_day: ['The room is taken on these days.'] } } });
  });

  it('LAN-13 are times without their end, and yes or no', async () => {
    const at = (begins: string, ends: string, is_night = false) =>
      inn.transact((env) => env.model('inn.shift').create({ begins, ends, is_night }));
    await at('2026-05-01T08:00:00Z', '2026-05-01T16:00:00Z');
    await at('2026-05-01T16:00:00Z', '2026-05-01T20:00:00Z');
    await at('2026-05-01T08:00:00Z', '2026-05-01T16:00:00Z', true);
    await expect(at('2026-05-01T19:00:00Z', '2026-05-01T21:00:00Z')).rejects.toThrow('Somebody works then.');
  });

  it('LAN-13 are told in a form before it is saved', async () => {
    const room_id = await newRoom();
    await inn.transact((env) => book(env, room_id, '2026-09-01', '2026-09-05', { guest: 'Cy' }));
    const draft = { room_id, from_day: '2026-09-05', to_day: '2026-09-07' };
    const answer = await inn.transact((env) => env.model('inn.stay').onchange(draft, ['from_day']));
    expect(answer.warning).toEqual({
      title: 'Stay',
      message: 'The room is taken on these days. It overlaps with Stay of Cy.',
    });
    const free = await inn.transact((env) =>
      env.model('inn.stay').onchange({ ...draft, from_day: '2026-09-06' }, ['from_day']),
    );
    expect(free.warning).toBeUndefined();
  });

  it('LAN-13 change and go with the model', async () => {
    const without = assembleRegistry([
      { module: 'inn', definitions: [room, defineModel('inn.stay', { fields: stay.fields }), shift] },
    ]);
    const found = async () => {
      const rows = await inn.database.query<{ name: string }>(
        sql`select conname as name from pg_constraint where contype = 'x' and conrelid = 'inn_stay'::regclass`,
      );
      return rows.map(({ name }) => name);
    };
    expect(await found()).toEqual(['inn_stay_once_excl']);
    await inn.database.transaction((tx) => syncSchema(tx, tableSpecs(without)));
    expect(await found()).toEqual([]);
  });

  it.each<[ModelSpec['excludes'], string]>([
    [{ x: { range: ['from_day', 'till'], message: '' } }, 'exclude "x" has no field "till" to use.'],
    [{ x: { range: ['from_day', 'guest'], message: '' } }, 'cannot range over "guest", which is char.'],
    [{ x: { same: ['guest'], range: ['from_day', 'to_day'], message: '' } }, 'cannot compare "guest"'],
    [{ x: { range: ['from_day', 'room_ids'], message: '' } }, 'cannot use "room_ids", which is not stored.'],
    [
      { x: { range: ['from_day', 'to_day'], where: [['room_id.name', '=', 'A']], message: '' } },
      'exclude "x" has a "where" that does not fit',
    ],
  ])('LAN-13 are refused where they cannot be compared: %j', (excludes, message) => {
    const wrong = defineModel('inn.stay', { fields: stay.fields, ...(excludes ? { excludes } : {}) });
    const assemble = () => assembleRegistry([{ module: 'inn', definitions: [room, wrong] }]);
    expect(assemble).toThrow(DefinitionError);
    expect(assemble).toThrow(message);
  });
});
