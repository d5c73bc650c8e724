import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { comparePartners } from '../merge/merge-partners.ts';
import { contactsWorld } from './contacts-world.ts';

/** An addon that contacts has never heard of, with every kind of reference to a contact. */
function probeAddon(): string {
  const root = mkdtempSync(join(tmpdir(), 'kontor-probe-'));
  const folder = join(root, 'probe');
  mkdirSync(folder);
  writeFileSync(
    join(folder, 'manifest.json'),
    JSON.stringify({ name: 'probe', label: 'Probe', version: '1.0', depends: ['contacts'] }),
  );
  writeFileSync(
    join(folder, 'addon.ts'),
    `import { defineAddon, defineModel, fields, inheritModel } from '@kontor/addon';
     export default defineAddon({ models: [defineModel('probe.paper' as never, { label: 'Paper size', fields: {
       name: fields.char({ required: true }),
       partner_id: fields.many2one('core.partner', { required: true }),
       reader_ids: fields.many2many('core.partner'),
       about: fields.reference({ models: ['core.partner', 'core.company'] }),
       city: fields.char({ related: 'partner_id.city', stored: true }),
     } }), inheritModel('core.partner', { fields: { rating: fields.char({ groups: ['base.group_system'] }) } })] });`,
  );
  return root;
}

const root = probeAddon();
afterAll(() => rmSync(root, { recursive: true, force: true }));
const world = contactsWorld({ modules: ['contacts', 'probe'], addonsPath: [root] });

const make = (...rows: Record<string, unknown>[]) =>
  world().work((env) => env.model('core.partner').createMany(rows)) as Promise<[number, number, number]>;
const merge = (ids: readonly number[], params = {}) =>
  world().work((env) => env.model('core.partner').call(ids, 'merge', params));
const partner = async (id: number, fields: readonly (string | Record<string, string[]>)[]) =>
  (await world().work((env) => env.model('core.partner').read([id], fields)))[0];

describe('merging contacts', () => {
  it('CON-4 moves every reference of every model, whoever wrote it', async () => {
    const [keep, gone, other] = await make(
      { name: 'Keep', city: 'Oslo' },
      { name: 'Gone', city: 'Bergen', is_company: true, child_ids: [['create', { name: 'Child' }]] },
      { name: 'Other' },
    );
    const papers = await world().work(async (env) => {
      await env
        .sudo()
        .model('sys.model.data')
        .create({ module: 'probe', name: 'gone', model: 'core.partner', res_id: gone });
      await env.model('core.company').write([1], { partner_id: gone });
      return env
        .sudo()
        .model('probe.paper')
        .createMany([
          { name: 'A', partner_id: gone, reader_ids: [['set', [gone, other]]], about: `core.partner,${gone}` },
          { name: 'B', partner_id: other, reader_ids: [['set', [keep, gone]]], about: 'core.company,1' },
        ]);
    });
    const answer = await merge([keep, gone], { keep: String(keep) });
    expect(answer).toEqual({ redirect: `/web?model=core.partner&view_type=form&id=${keep}` });
    const rows = await world().work((env) =>
      env.sudo().model('probe.paper').read(papers, ['partner_id', 'reader_ids', 'about', 'city']),
    );
    expect(rows).toMatchObject([
      { partner_id: keep, reader_ids: [keep, other], about: `core.partner,${keep}`, city: 'Oslo' },
      { partner_id: other, reader_ids: [keep], about: 'core.company,1' },
    ]);
    await world().work(async (env) => {
      expect(await env.ref('probe.gone')).toBe(keep);
      expect((await env.model('core.company').read([1], ['partner_id']))[0]?.partner_id).toBe(keep);
      expect(await env.model('core.partner').count([['id', '=', gone]])).toBe(0);
      expect(await env.model('core.partner').searchRead([['parent_id', '=', keep]], ['name'])).toMatchObject([
        { name: 'Child' },
      ]);
    });
  });

  it('CON-4 loses nothing of the others: values, tags, notes, e-mails and phones', async () => {
    const [red, blue] = await world().work((env) =>
      env.model('core.partner.tag').createMany([{ name: 'Red' }, { name: 'Blue' }]),
    );
    const [keep, gone] = await make(
      {
        name: 'Ada',
        email: 'ada@one.example',
        phone: '+49 30 901820',
        comment: '<p>First</p>',
        tag_ids: [['link', red]],
      },
      {
        name: 'Ada L.',
        email: 'ada@two.example',
        phone: '030 901820',
        mobile: '+49 171 1234567',
        city: 'Berlin',
        latitude: 52.5,
        longitude: 13.4,
        comment: '<p>Second</p>',
        tag_ids: [['set', [red, blue]]],
        email_ids: [['create', { address: 'ADA@one.example' }]],
      },
    );
    await world().work(async (env) => {
      const germany = await env.ref('base.country_DE');
      await env.model('core.partner').write([keep], { country_id: germany });
    });
    await merge([gone, keep]);
    expect(
      await partner(keep, [
        'name',
        'email',
        'phone',
        'mobile',
        'city',
        'latitude',
        'comment',
        'tag_ids',
        { email_ids: ['address'] },
        { phone_ids: ['number'] },
      ]),
    ).toMatchObject({
      name: 'Ada',
      email: 'ada@one.example',
      phone: '+49 30 901820',
      mobile: '+49 171 1234567',
      city: 'Berlin',
      latitude: 52.5,
      comment: '<p>First</p><p>Second</p>',
      tag_ids: [blue, red],
      email_ids: [{ address: 'ada@two.example' }],
      phone_ids: [],
    });
  });

  it('CON-4 takes messages and activities along', async () => {
    const [keep, gone] = await make({ name: 'Said to' }, { name: 'Said about' });
    const about = { model: 'core.partner', res_id: gone };
    const [message, activity] = await world().work(async (env) => {
      const server = env.sudo();
      const type_id = await env.ref('mail.type_call');
      return [
        await server.model('mail.message').create({ ...about, body: '<p>Hello</p>' }),
        await server.model('mail.activity').create({ ...about, name: 'Call back', type_id, user_id: env.uid }),
      ];
    });
    await merge([keep, gone]);
    const left = await world().work(async (env) => [
      ...(await env
        .sudo()
        .model('mail.message')
        .read([message as number], ['res_id'])),
      ...(await env
        .sudo()
        .model('mail.activity')
        .read([activity as number], ['res_id'])),
    ]);
    expect(left.map((row) => row.res_id)).toEqual([keep, keep]);
  });

  it('CON-4 keeps what the one who merges may not see', async () => {
    const manager = await world().person('Mo', ['contacts.group_manager']);
    const [keep, gone] = await make({ name: 'Plain' }, { name: 'Rated', rating: 'AAA' });
    await world().work((env) => env.model('core.partner').call([keep, gone], 'merge'), manager);
    expect(await partner(keep, ['name', 'rating'])).toMatchObject({ name: 'Plain', rating: 'AAA' });
    const read = world().work((env) => env.model('core.partner').read([keep], ['rating']), manager);
    await expect(read).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
  });

  it('CON-4 a person merged with their company does not end up under themselves', async () => {
    const [company, top] = await make({ name: 'Firm', is_company: true }, { name: 'Group', is_company: true });
    await world().work((env) => env.model('core.partner').write([company], { parent_id: top }));
    const [person] = await make({ name: 'Firm', parent_id: company });
    await merge([person, company], { keep: String(person) });
    expect(await partner(person, ['parent_id'])).toMatchObject({ parent_id: top });
    await merge([person, top], { keep: String(top) });
    expect(await partner(top, ['parent_id'])).toMatchObject({ parent_id: null });
  });

  const compare = (ids: readonly number[], keep: number, actor = world().admin) =>
    world().work((env) => comparePartners(env as never, ids, keep), actor);

  it('CON-8 shows the contacts beside each other: what is kept of each field, and what moves, as far as one may see it', async () => {
    const [red, blue] = await world().work((env) =>
      env.model('core.partner.tag').createMany([{ name: 'Ruby' }, { name: 'Azure' }]),
    );
    const [keep, gone] = await make(
      { name: 'Bea', email: 'bea@one.example', tag_ids: [['set', [red]]], rating: 'A' },
      {
        name: 'Bea B.',
        email: 'bea@two.example',
        is_company: true,
        city: 'Bonn',
        comment: '<p>Old <b>friend</b></p>',
        tag_ids: [['set', [blue]]],
        child_ids: [['create', { name: 'Kid' }]],
      },
    );
    await world().work((env) =>
      env
        .sudo()
        .model('probe.paper')
        .createMany([
          { name: 'C', partner_id: gone, reader_ids: [['set', [keep]]] },
          { name: 'D', partner_id: gone },
        ]),
    );
    const seen = await compare([gone, keep], keep);
    expect(seen).toMatchObject({
      keep,
      records: [
        { id: keep, name: 'Bea' },
        { id: gone, name: 'Bea B.' },
      ],
    });
    const rows = Object.fromEntries((seen?.rows ?? []).map((row) => [row.name, [row.kept, ...row.values]]));
    expect(rows).toMatchObject({
      name: ['choice', 'Bea', 'Bea B.'],
      email: ['further', 'bea@one.example', 'bea@two.example'],
      city: ['choice', null, 'Bonn'],
      comment: ['all', null, 'Old friend'],
      tag_ids: ['all', 'Ruby', 'Azure'],
      is_company: ['choice', false, true],
    });
    // Papers are of no concern to who may not read them.
    expect(seen?.moves).toEqual([{ label: 'Contact', counts: [0, 1] }]);
    const all = await world().work((env) => comparePartners(env.sudo() as never, [gone, keep], keep));
    expect(all?.moves).toContainEqual({ label: 'Paper size', counts: [1, 2] });
    const manager = await world().person('Max', ['contacts.group_manager']);
    const theirs = await compare([gone, keep], keep, manager);
    expect(theirs?.rows.map(({ name }) => name)).not.toContain('rating');
    expect(await compare([keep], keep)).toBeNull();
  });

  it('CON-8 keeps the values that were chosen, and loses no address', async () => {
    const [keep, gone] = await make(
      { name: 'Cleo', email: 'cleo@one.example', city: 'Köln', is_company: true },
      { name: 'Cleo C.', email: 'cleo@two.example', city: 'Ulm', rating: 'B' },
    );
    const chosen = { name: gone, email: gone, is_company: gone, city: keep, rating: gone, id: gone, create_uid: 99 };
    const seen = { ...(await compare([keep, gone], keep)), chosen };
    await merge([keep, gone], { keep: String(keep), comparison: JSON.stringify(seen) });
    expect(await partner(keep, ['name', 'email', 'city', 'is_company', { email_ids: ['address'] }])).toMatchObject({
      ...{ name: 'Cleo C.', email: 'cleo@two.example', city: 'Köln', is_company: false },
      email_ids: [{ address: 'cleo@one.example' }],
    });
  });

  it('CON-5 contacts of different companies are merged only into one that all share', async () => {
    const second = await world().work(async (env) =>
      env
        .sudo()
        .model('core.company')
        .create({ name: 'Südlicht', currency_id: await env.ref('base.EUR') }),
    );
    const [mine, theirs, shared] = (await world().work((env) =>
      env
        .sudo()
        .model('core.partner')
        .createMany([{ name: 'Mine', company_id: 1 }, { name: 'Theirs', company_id: second }, { name: 'Shared' }]),
    )) as [number, number, number];
    const inServer = (ids: number[], keep: number) =>
      world().work((env) =>
        env
          .sudo()
          .model('core.partner')
          .call(ids, 'merge', { keep: String(keep) }),
      );
    await expect(inServer([mine, theirs], mine)).rejects.toMatchObject({ code: 'USER_ERROR' });
    await expect(inServer([mine, shared], mine)).rejects.toMatchObject({ code: 'USER_ERROR' });
    await inServer([mine, theirs, shared], shared);
    expect(await partner(shared, ['name', 'company_id'])).toMatchObject({ name: 'Shared', company_id: null });
  });

  it('CON-4 a bad choice says what to do', async () => {
    const [one, two] = await make({ name: 'One' }, { name: 'Two' });
    await expect(merge([one])).rejects.toMatchObject({ code: 'USER_ERROR', message: /two contacts or more/ });
    await expect(merge([one, two], { keep: '1' })).rejects.toMatchObject({ code: 'USER_ERROR' });
  });

  it('CON-4 the older of two is kept, but never an archived one before an active one', async () => {
    const [old, young] = await make({ name: 'Old', active: false }, { name: 'Young' });
    await merge([old, young]);
    expect(await world().work((env) => env.model('core.partner').search([['id', 'in', [old, young]]]))).toEqual([
      young,
    ]);
  });
});
