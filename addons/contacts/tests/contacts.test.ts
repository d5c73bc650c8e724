import { ident, sql } from '@kontor/database';
import type { Env } from '@kontor/orm';
import { describe, expect, it } from 'vitest';
import { contactsWorld } from './contacts-world.ts';

const world = contactsWorld();
const user = () => world().person('Uma Berg', ['contacts.group_user']);

describe('contacts', () => {
  it('CON-1 a contact has tags with a colour, several e-mails and phones, and people', async () => {
    const actor = await user();
    const tag = await world().work(
      (env) => env.model('core.partner.tag').create({ name: 'Supplier', color: 4 }),
      actor,
    );
    const id = await world().work(
      (env) =>
        env.model('core.partner').create({
          name: 'Łódź Fabryka Sp. z o.o.',
          is_company: true,
          tag_ids: [['link', tag]],
          email_ids: [
            ['create', { address: 'biuro@example.pl' }],
            ['create', { address: 'faktury@example.pl', kind: 'billing' }],
          ],
          phone_ids: [['create', { number: '+48 42 555 01 02' }]],
          child_ids: [['create', { name: 'Zofia Nowak', job_position: 'Buyer' }]],
        }),
      actor,
    );
    const [partner] = await world().work(
      (env) =>
        env
          .model('core.partner')
          .read([id], ['tag_ids', 'contact_count', { email_ids: ['address', 'kind'] }, { phone_ids: ['number'] }]),
      actor,
    );
    expect(partner).toMatchObject({
      tag_ids: [tag],
      contact_count: 1,
      email_ids: [
        { address: 'biuro@example.pl', kind: 'work' },
        { address: 'faktury@example.pl', kind: 'billing' },
      ],
      phone_ids: [{ number: '+48 42 555 01 02' }],
    });
  });

  it.each([
    [{ latitude: 52.5 }, 'Enter both latitude and longitude, or neither.'],
    [{ latitude: 91, longitude: 0 }, 'Latitude: At most 90.'],
    [{ email_ids: [['create', { address: 'nobody' }]] }, 'This is not an e-mail address.'],
    [{ phone_ids: [['create', { number: 'call me' }]] }, 'This is not a phone number.'],
  ])('CON-1 %j is refused', async (values, message) => {
    const create = world().work((env) => env.model('core.partner').create({ name: 'Bad', ...values }));
    await expect(create).rejects.toMatchObject({ code: 'VALIDATION_ERROR', message: expect.stringContaining(message) });
  });

  it.each([
    [{ email: 'ada@example.com, bob@example.com' }, 'This is not an e-mail address.'],
    [{ phone: 'call me' }, 'This is not a phone number.'],
    [{ website: 'javascript:alert(1)' }, 'This is not a web address.'],
  ])('TYP-4 %j is refused, and what was there before is kept', async (values, message) => {
    const [[name, given]] = Object.entries(values) as [[string, string]];
    const id = await world().work((env) => env.model('core.partner').create({ name: 'Kept' }));
    await world().work((env) => env.db.query(sql`update core_partner set ${ident(name)} = ${given} where id = ${id}`));
    const write = (changes: Readonly<Record<string, unknown>>) =>
      world().work((env) => env.model('core.partner').write([id], changes));
    await write({ city: 'Berlin' });
    await expect(write(values)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringContaining(message),
    });
    await write({ [name]: null });
  });

  it('CON-6 a private contact is seen by the person responsible and by contact managers only', async () => {
    const [owner, other, manager] = [
      await world().person('Olu Ade', ['contacts.group_user']),
      await world().person('Pia Holm', ['base.group_user']),
      await world().person('Mei Lin', ['contacts.group_manager']),
    ];
    const id = await world().work(
      (env) =>
        env.model('core.partner').create({
          name: 'Dr. Secret',
          is_private: true,
          email_ids: [['create', { address: 'secret@example.com' }]],
        }),
      owner,
    );
    const seen = (actor: typeof owner) =>
      world().work(
        async (env) => [
          await env.model('core.partner').count([['id', '=', id]]),
          await env.model('core.partner.email').count([['partner_id', '=', id]]),
        ],
        actor,
      );
    expect(await Promise.all([owner, manager, other].map(seen))).toEqual([
      [1, 1],
      [1, 1],
      [0, 0],
    ]);
    const write = world().work((env) => env.model('core.partner').write([id], { name: 'Known' }), other);
    await expect(write).rejects.toMatchObject({ code: 'ACCESS_DENIED', details: { layer: 'rule' } });
  });

  it('CON-7 nobody but contact managers takes a shared contact for themselves or for their company', async () => {
    const taker = await world().person('Tom Taker', ['contacts.group_user']);
    const manager = await world().person('Mia Manager', ['contacts.group_manager']);
    const shared = () => world().work((env) => env.model('core.partner').create({ name: 'Everybody’s' }));
    const take = async (values: Record<string, unknown>, actor = taker) => {
      const id = await shared();
      return world().work((env) => env.model('core.partner').write([id], values), actor);
    };
    const ways = [{ is_private: true, user_id: taker.uid }, { is_private: true }, { company_id: taker.companyId }];
    for (const values of ways) {
      await expect(take(values)).rejects.toMatchObject({
        code: 'USER_ERROR',
        message: 'Only contact managers can restrict a shared contact to one person or one company.',
      });
      expect(await take(values, manager)).toBe(true);
    }
    expect(await take({ user_id: taker.uid, phone: '1' })).toBe(true);
    const own = await world().work(
      (env) => env.model('core.partner').create({ name: 'Mine', is_private: true }),
      taker,
    );
    const write = world().work(
      (env) => env.model('core.partner').write([own], { is_private: true, name: 'My own' }),
      taker,
    );
    expect(await write).toBe(true);
  });

  it.each(['core.partner.email', 'core.partner.phone'] as const)(
    'ACC-11 nobody reads, changes, adds, moves or deletes a %s of another company’s contact',
    async (model) => {
      const user = await world().person(`Kai ${model}`, ['contacts.group_user']);
      const value = model === 'core.partner.email' ? { address: 'a@example.com' } : { number: '+47 22 00 00 00' };
      const [theirs, part, mine] = await world().work(async (env) => {
        const system = env.sudo();
        const company = await system
          .model('core.company')
          .create({ name: `Elsewhere ${model}`, currency_id: await env.ref('base.EUR') });
        const theirs = await system.model('core.partner').create({ name: 'Far', company_id: company });
        const near = await system.model('core.partner').create({ name: 'Near' });
        return [
          theirs,
          await system.model(model).create({ ...value, partner_id: theirs }),
          await system.model(model).create({ ...value, partner_id: near }),
        ] as const;
      });
      const as = <T>(work: (lines: ReturnType<Env['model']>) => Promise<T>) =>
        world().work((env) => work(env.model(model)), user);
      expect(await as((lines) => lines.search([['id', 'in', [part, mine]]]))).toEqual([mine]);
      const refused = { code: 'ACCESS_DENIED', details: { layer: 'rule', model } };
      await expect(as((lines) => lines.read([part], ['id']))).rejects.toMatchObject(refused);
      await expect(as((lines) => lines.write([part], { sequence: 1 }))).rejects.toMatchObject(refused);
      await expect(as((lines) => lines.unlink([part]))).rejects.toMatchObject(refused);
      const atTheirs = { code: 'VALIDATION_ERROR', details: { fields: { partner_id: expect.any(Array) } } };
      await expect(as((lines) => lines.create({ ...value, partner_id: theirs }))).rejects.toMatchObject(atTheirs);
      await expect(as((lines) => lines.write([mine], { partner_id: theirs }))).rejects.toMatchObject(atTheirs);
    },
  );

  it('CON-5 tags belong to managers; people without the app read them', async () => {
    const [tagger, reader] = [await world().person('Ugo', ['contacts.group_user']), await world().person('Rea')];
    const tag = await world().work((env) => env.model('core.partner.tag').create({ name: 'VIP' }), tagger);
    const remove = (actor: typeof tagger) => world().work((env) => env.model('core.partner.tag').unlink([tag]), actor);
    await expect(remove(tagger)).rejects.toMatchObject({ code: 'ACCESS_DENIED', details: { layer: 'model' } });
    await expect(
      world().work((env) => env.model('core.partner.tag').create({ name: 'Mine' }), reader),
    ).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    expect(await world().work((env) => env.model('core.partner.tag').count([['name', '=', 'VIP']]), reader)).toBe(1);
    await remove(world().admin);
  });
});
