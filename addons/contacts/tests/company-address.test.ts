import type { Env } from '@kontor/orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { contactsWorld } from './contacts-world.ts';

const world = contactsWorld();
const address = ['street', 'street2', 'zip', 'city', 'country_id'] as const;
const [office, away] = [
  { street: 'Hafenstraße 5', street2: 'Speicher 3', zip: '20457', city: 'Hamburg' },
  { street: 'Kai 9', street2: null, zip: '1000', city: 'Lyon', country_id: null },
];
let firm: number;
let germany: number;

async function made(env: Env, values: Readonly<Record<string, unknown>>) {
  const partners = env.model('core.partner');
  return (await partners.read([await partners.create(values)], [...address]))[0];
}

describe('the address of the company', () => {
  beforeAll(async () => {
    [germany = 0] = await world().work((env) => env.model('core.country').search([['code', '=', 'DE']]));
    firm = await world().work((env) =>
      env.model('core.partner').create({
        ...office,
        name: 'Elbkontor',
        is_company: true,
        country_id: germany,
        child_ids: [['create', { name: 'With it' }]],
      }),
    );
  });

  it('CON-14 new people take it, also as lines of a new company', async () => {
    const whole = { ...office, country_id: germany };
    const person = await world().work((env) => made(env, { name: 'Ada Beck', parent_id: firm }));
    expect(person).toMatchObject(whole);
    const [line] = await world().work((env) =>
      env.model('core.partner').searchRead([['name', '=', 'With it']], [...address]),
    );
    expect(line).toMatchObject(whole);
  });

  it.each([
    ['with an address of their own', { ...away, street2: undefined, country_id: undefined }, away],
    ['with a part of an address', { city: 'Lyon' }, { street: null, street2: null, zip: null, city: 'Lyon' }],
    ['whose address was said to be empty', { street: null }, { street: null, zip: null, city: null, country_id: null }],
    ['which are companies themselves', { is_company: true }, { street: null, zip: null, city: null }],
  ])('CON-14 contacts %s do not take it', async (_, values, expected) => {
    expect(await world().work((env) => made(env, { name: 'Own', parent_id: firm, ...values }))).toMatchObject(expected);
  });

  it('CON-14 the form of a new person shows it, and what is edited then is kept with the rest of it', async () => {
    const user = await world().person('Uma Berg', ['contacts.group_user']);
    const { value } = await world().work(
      (env) => env.model('core.partner').onchange({ name: 'Cem', parent_id: firm }, ['parent_id']),
      user,
    );
    expect(value).toMatchObject({ ...office, country_id: germany });
    const shown = Object.fromEntries(address.map((name) => [name, value[name]]));
    const edited = { ...shown, name: 'Cem', parent_id: firm, street: 'Hafenstraße 6' };
    const { value: next } = await world().work((env) => env.model('core.partner').onchange(edited, ['street']), user);
    expect(Object.keys(next).filter((name) => (address as readonly string[]).includes(name))).toEqual([]);
    expect(await world().work((env) => made(env, edited), user)).toMatchObject({
      ...office,
      street: 'Hafenstraße 6',
    });
  });

  it('CON-14 people who are there already keep their own', async () => {
    const [id, empty] = await world().work(async (env) => [
      await env.model('core.partner').create({ name: 'Old', ...away }),
      await env.model('core.partner').create({ name: 'Empty' }),
    ]);
    const people = [id as number, empty as number];
    await world().work((env) => env.model('core.partner').write(people, { parent_id: firm }));
    const [old, none] = await world().work((env) => env.model('core.partner').read(people, [...address]));
    expect(old).toMatchObject(away);
    expect(none).toMatchObject({ street: null, city: null });
  });
});
