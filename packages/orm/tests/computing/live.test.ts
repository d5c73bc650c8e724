import { assembleRegistry, defineModel, fields } from '@kontor/orm';
import { createTestEnv, type TestWorld } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const town = defineModel('club.town', { fields: { name: fields.char(), zip: fields.char() } });
const person = defineModel('club.person', {
  fields: {
    name: fields.char(),
    phone: fields.char(),
    rank: fields.integer(),
    town_id: fields.many2one('club.town'),
    shout: fields.char({ computed: true, stored: true }),
  },
  computes: { shout: { depends: ['name'], value: ({ name }) => `${name}!` } },
});
const member = defineModel('club.member', {
  fields: {
    person_id: fields.many2one('club.person'),
    state: fields.selection({ open: 'Open', closed: 'Closed' }, { default: 'open' }),
    phone: fields.char({ from: 'person_id.phone', live: true }),
    rank: fields.integer({ follows: 'person_id.rank', live: true }),
    zip: fields.char({ follows: 'person_id.town_id.zip', live: true }),
    first_phone: fields.char({ from: 'person_id.phone' }),
  },
  states: { field: 'state', locks: { closed: ['phone'] } },
  moves: { close: { from: 'open', to: 'closed', label: 'Close' } },
});

let club: TestWorld;
beforeAll(async () => {
  club = await createTestEnv([town, person, member]);
});
afterAll(() => club.drop());

const create = (model: string, values: Readonly<Record<string, unknown>>) =>
  club.transact((env) => env.model(model).create(values));
const write = (model: string, id: number, values: Readonly<Record<string, unknown>>) =>
  club.transact((env) => env.model(model).write([id], values));
const look = async (id: number) => {
  const names = ['phone', 'rank', 'zip', 'first_phone'];
  const [row] = await club.transact((env) => env.model('club.member').read([id], names));
  return names.map((name) => row?.[name]);
};

describe('LAN-16 a live value from a relation', () => {
  it('LAN-16 follows later changes until somebody overrules it', async () => {
    const person_id = await create('club.person', { name: 'Ada', phone: '1', rank: 1 });
    const [one, own] = [
      await create('club.member', { person_id }),
      await create('club.member', { person_id, phone: '7' }),
    ];
    await write('club.person', person_id, { phone: '2', rank: 2 });
    expect(await look(one)).toEqual(['2', 2, null, '1']);
    expect(await look(own)).toEqual(['7', 2, null, '1']);
    await write('club.member', one, { phone: '9' });
    await write('club.person', person_id, { phone: '3' });
    expect(await look(one)).toEqual(['9', 2, null, '1']);
  });

  it('LAN-16 stays with `from` where the source is emptied, and is emptied with `follows`', async () => {
    const person_id = await create('club.person', { phone: '1', rank: 1 });
    const id = await create('club.member', { person_id });
    await write('club.person', person_id, { phone: null, rank: null });
    expect(await look(id)).toEqual(['1', null, null, '1']);
    await write('club.person', person_id, { rank: 5 });
    expect((await look(id))[1]).toBe(5);
  });

  it('LAN-16 follows every step of its path', async () => {
    const [here, there] = [await create('club.town', { zip: '10' }), await create('club.town', { zip: '20' })];
    const person_id = await create('club.person', { town_id: here });
    const id = await create('club.member', { person_id });
    await write('club.town', here, { zip: '11' });
    expect((await look(id))[2]).toBe('11');
    await write('club.person', person_id, { town_id: there });
    expect((await look(id))[2]).toBe('20');
    await write('club.person', person_id, { town_id: null });
    expect((await look(id))[2]).toBeNull();
  });

  it('LAN-16 leaves what is locked, and writes nothing where nothing follows', async () => {
    const person_id = await create('club.person', { phone: '1' });
    const id = await create('club.member', { person_id });
    await write('club.member', id, { state: 'closed' });
    await write('club.person', person_id, { phone: '2' });
    expect((await look(id))[0]).toBe('1');
  });

  it('LAN-16 is refused without a path, and along what is computed', () => {
    const wrong = (more: Parameters<typeof fields.char>[0]) => () =>
      assembleRegistry([
        {
          module: 'club',
          definitions: [
            town,
            person,
            defineModel('club.member', { fields: { person_id: fields.many2one('club.person'), x: fields.char(more) } }),
          ],
        },
      ]);
    expect(wrong({ live: true })).toThrow('it is live, and has neither "from" nor "follows".');
    expect(wrong({ from: 'person_id.shout', live: true })).toThrow(
      'it cannot follow "shout", which is computed, later.',
    );
  });
});
