import { sql } from '@kontor/database';
import { upgradeModules } from '@kontor/kernel';
import { countStatements } from '@kontor/testing';
import { describe, expect, it } from 'vitest';
import { contactsWorld } from './contacts-world.ts';

const world = contactsWorld();
const munich = { latitude: 48.13743, longitude: 11.57549, placed_by_hand: false };
const vienna = { latitude: 48.20849, longitude: 16.37208, placed_by_hand: false };
const nowhere = { latitude: null, longitude: null, placed_by_hand: false };

const country = (code: string) => world().work((env) => env.ref(`base.country_${code}`));
const make = (values: object) => world().work((env) => env.model('core.partner').create({ name: 'Place', ...values }));
const write = (id: number, values: Record<string, unknown>) =>
  world().work((env) => env.model('core.partner').write([id], values));
const position = async (id: number) => {
  const names = ['latitude', 'longitude', 'placed_by_hand'] as const;
  const [found] = await world().work((env) => env.model('core.partner').read([id], [...names]));
  return { latitude: found?.latitude, longitude: found?.longitude, placed_by_hand: found?.placed_by_hand };
};

describe('positions of contacts', () => {
  it('MAP-1 an address finds the position, in whichever language the city is written', async () => {
    const [de, at, jp, us] = await Promise.all(['DE', 'AT', 'JP', 'US'].map(country));
    expect(await position(await make({ city: 'München', country_id: de }))).toEqual(munich);
    expect(await position(await make({ city: '80331 Munich', country_id: de }))).toEqual(munich);
    expect(await position(await make({ city: 'Wien', country_id: at }))).toEqual(vienna);
    expect(await position(await make({ city: '東京', country_id: jp }))).toMatchObject({ latitude: 35.6895 });
    // The largest of that name in the country; without a country large cities alone.
    expect(await position(await make({ city: 'Vienna', country_id: us }))).toMatchObject({ latitude: 38.90122 });
    expect(await position(await make({ city: 'vienna' }))).toEqual(vienna);
    expect(await position(await make({ city: 'Hooge', country_id: de }))).toEqual(nowhere);
    expect(await position(await make({ country_id: de }))).toEqual(nowhere);
  });

  it('MAP-1 the position follows the address, and is gone where the address is not known', async () => {
    const [de, at] = await Promise.all(['DE', 'AT'].map(country));
    const id = await make({ city: 'München', country_id: de });
    await write(id, { city: 'Wien', country_id: at });
    expect(await position(id)).toEqual(vienna);
    await write(id, { city: 'Hintersee' });
    expect(await position(id)).toEqual(nowhere);
    // A form sends what was worked out along with the address: that is not by hand.
    await write(id, { city: 'Wien', latitude: vienna.latitude, longitude: vienna.longitude });
    expect(await position(id)).toEqual(vienna);
  });

  it('MAP-2 what a person placed stays, until they leave it to the address again', async () => {
    const de = await country('DE');
    const placed = { latitude: 54.57, longitude: 8.55, placed_by_hand: true };
    const id = await make({ city: 'München', country_id: de });
    await write(id, placed);
    expect(await position(id)).toEqual(placed);
    await write(id, { city: 'Berlin' });
    expect(await position(id)).toEqual(placed);
    await write(id, { placed_by_hand: false });
    expect(await position(id)).toMatchObject({ latitude: 52.52437, placed_by_hand: false });
    const given = await make({ city: 'Berlin', country_id: de, ...placed });
    expect(await position(given)).toEqual(placed);
    await write(given, { latitude: null, longitude: null, placed_by_hand: false, city: null });
    expect(await position(given)).toEqual(nowhere);
  });

  it('MAP-1 finding positions costs no statement', async () => {
    const de = await country('DE');
    const create = (city: string | null) =>
      world().work((env) =>
        env.model('core.partner').createMany(['A', 'B', 'C'].map((name) => ({ name, city, country_id: de }))),
      );
    await create('Köln');
    const count = (city: string | null) => countStatements(() => create(city));
    expect(await count('Köln')).toBe(await count(null));
  });

  it('MAP-3 existing databases keep the positions that people gave and get those of addresses', async () => {
    const de = await country('DE');
    const [given, found] = [
      await make({ city: 'Berlin', country_id: de, latitude: 50, longitude: 10 }),
      await make({ city: 'München', country_id: de }),
    ];
    // As it was before: positions by hand alone, and no word of it.
    await world().kernel.transact(world().admin, async (env) => {
      await env.db.query(sql`alter table core_partner drop column placed_by_hand`);
      await env.db.query(sql`update core_partner set latitude = null, longitude = null where id = ${found}`);
      await env.db.query(sql`delete from sys_migration where module = 'contacts'`);
    });
    await world().kernel.changeModules((context) => upgradeModules(context, ['contacts']));
    expect(await position(given)).toEqual({ latitude: 50, longitude: 10, placed_by_hand: true });
    expect(await position(found)).toEqual(munich);
  });
});
