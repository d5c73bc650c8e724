import { readChange } from '@kontor/kernel';
import type { Actor } from '@kontor/orm';
import { createTestKernel, type TestKernel } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { customise, customiseState, describeCustomise, exportAddon, returnTo, rightsScreen } from '../index.ts';

let world: TestKernel;
/** Customises, is a salesperson and no administrator. */
let author: Actor;
let lena: Actor;
let olga: Actor;
beforeAll(async () => {
  world = await createTestKernel({ modules: ['crm'] });
  author = await world.person('Avery', ['base.group_customise', 'crm.group_user']);
  lena = await world.person('Lena', ['crm.group_user']);
  olga = await world.person('Olga', ['crm.group_leader']);
});
afterAll(() => world.close());

const seen = () => customiseState(world.kernel);
const publish = async (changes: readonly object[], actor: Actor = world.admin): Promise<string> =>
  customise(world.kernel, actor, await seen(), { changes: changes.map(readChange), note: '', isPublished: true }).then(
    () => 'published',
    ({ code, details, message }: { code: string; details: { fields?: object }; message: string }) =>
      details?.fields ? Object.values(details.fields).flat().join(' ') : `${code} ${message}`,
  );
const all = { write: true, create: true, unlink: true };
const tool = (access: readonly object[], more: object = {}) => ({
  ...{ do: 'add_model', model: 'x_tool' },
  spec: { label: 'Tool', plural: 'Tools', company: true, access, ...more },
});
const change = (spec: object, actor?: Actor) => publish([{ do: 'change_model', model: 'x_tool', spec }], actor);
const create = (values: object, actor: Actor) =>
  world.work((env) => env.model('x_tool').create({ name: 'Saw', ...values }), actor);
const visible = (actor: Actor) => world.work((env) => env.model('x_tool').search([], { order: 'id' }), actor);
const fresh = async (actor: Actor) => (await world.kernel.actor(actor.uid)) as Actor;

describe('CUS-84 an added model afterwards', () => {
  it('CUS-84 gets other names, another icon, menu and rights, which hold at once', async () => {
    expect(await publish([tool([{ group: 'base.group_system', ...all }])])).toBe('published');
    const data = await describeCustomise(world.kernel, world.admin, 'x_tool');
    expect(data.menus?.map(({ key }) => key)).toContain('crm.menu_crm');
    expect(data.menus?.map(({ key }) => key)).not.toContain('custom.x_tool_app');
    await expect(visible(lena)).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    const spec = { label: 'Device', plural: 'Devices', icon: 'drill', menu: 'crm.menu_crm' };
    const access = [{ group: 'crm.group_user' }, { group: 'base.group_system', ...all }];
    const words = { de_DE: { Device: 'Gerät', Devices: 'Geräte' } };
    expect(await publish([{ do: 'change_model', model: 'x_tool', spec: { ...spec, access }, words }])).toBe(
      'published',
    );
    expect(await visible(lena)).toEqual([]);
    expect(world.kernel.registry.model('x_tool').label).toBe('Device');
    const { model } = await rightsScreen(world.kernel, world.admin, { model: 'x_tool', user: 0, id: 0 });
    expect(model).toMatchObject({ label: 'Device', mayChange: true });
    expect(model?.groups.find(({ name }) => name === 'CRM: Salesperson')?.rights).toMatchObject({
      read: [{ app: 'Customisation', through: '' }],
      write: [],
    });
  });

  it('CUS-84 a group sees only the records of its members; members of another group without that limit see all', async () => {
    const access = [
      { group: 'crm.group_user', only: 'create_uid', ...all },
      { group: 'crm.group_leader', ...all },
      { group: 'base.group_system', ...all },
    ];
    expect(await change({ access })).toBe('published');
    const [first, second] = [await create({}, lena), await create({}, olga)];
    expect(await visible(lena)).toEqual([first]);
    expect(await visible(olga)).toEqual([first, second]);
    expect(await visible(world.admin)).toEqual([first, second]);
    const field = { type: 'many2one', label: 'Keeper', relation: 'core.user' };
    const add = { do: 'add_field', model: 'x_tool', name: 'x_keeper', field };
    const kept = access.map((right) => ('only' in right ? { ...right, only: 'x_keeper' } : right));
    expect(await publish([add, { do: 'change_model', model: 'x_tool', spec: { access: kept } }])).toBe('published');
    await world.work((env) => env.model('x_tool').write([second], { x_keeper: lena.uid }));
    expect(await visible(lena)).toEqual([second]);
    expect(await publish([{ do: 'delete_field', model: 'x_tool', name: 'x_keeper' }])).toContain(
      'It has no link to people "x_keeper"',
    );
    expect(await change({ access: [{ group: 'base.group_system', only: 'x_nobody', ...all }] })).toContain('x_nobody');
    expect(await change({ access: [{ group: 'base.group_system', only: 'name', ...all }] })).toContain(
      '"only" must be',
    );
  });

  it('CUS-84 is exported with its rules, and returns with its revisions', async () => {
    const { document } = await seen();
    expect(document.models?.x_tool?.access[0]).toMatchObject({ group: 'crm.group_user', only: 'x_keeper' });
    const zip = await exportAddon(world.kernel, world.admin, 'acme');
    expect(zip.length).toBeGreaterThan(0);
    const { base } = await seen();
    await returnTo(world.kernel, world.admin, await seen(), base - 1);
    expect((await visible(lena)).length).toBe(1);
    await returnTo(world.kernel, world.admin, await seen(), base);
    const rules = await world.work((env) => env.model('sys.rule').searchRead([['model', '=', 'x_tool']], ['domain']));
    expect(rules).toHaveLength(3);
    expect(
      await change({
        access: [
          { group: 'crm.group_user', ...all },
          { group: 'base.group_system', ...all },
        ],
      }),
    ).toBe('published');
    expect(await world.work((env) => env.model('sys.rule').count([['model', '=', 'x_tool']]))).toBe(0);
    expect(await visible(lena)).toHaveLength(2);
  });
});

describe('CUS-85 nobody gives more than they have', () => {
  const limited = [
    { group: 'crm.group_user', only: 'create_uid', write: true },
    { group: 'base.group_system', ...all },
  ];

  it('CUS-85 neither a right nor more records, to others or themselves', async () => {
    expect(await change({ access: limited })).toBe('published');
    const [own, other] = limited;
    const widened = [
      [{ ...own, unlink: true }, other],
      [{ ...own, create: true }, other],
      [{ group: 'crm.group_user', write: true }, other],
      [own, other, { group: 'base.group_user' }],
      [own, other, { group: 'base.group_user', only: 'create_uid' }],
      [{ group: 'base.group_user', write: true }, other],
    ];
    for (const access of widened)
      expect(await change({ access }, await fresh(author))).toMatch(/^You (may not|see only)/);
    expect(await change({ access: [own, { ...other, unlink: false }] }, await fresh(author))).toBe('published');
    // Others may take rights away; administrators manage rights anyway, and give them back.
    expect(await change({ access: limited })).toBe('published');
  });

  it('CUS-85 nor by deleting the model, by a return or by a model of its name', async () => {
    const { base } = await seen();
    expect(
      await change({
        access: [
          { group: 'crm.group_user', ...all },
          { group: 'base.group_system', ...all },
        ],
      }),
    ).toBe('published');
    expect(await change({ access: limited })).toBe('published');
    const back = returnTo(world.kernel, await fresh(author), await seen(), base + 1);
    await expect(back).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    const gone = [{ do: 'delete_model', model: 'x_tool' }];
    expect(await publish(gone, await fresh(author))).toBe(
      'You see only some records of Device, so you cannot delete it.',
    );
    expect(await publish(gone)).toBe('published');
    const wide = tool([
      { group: 'crm.group_user', ...all },
      { group: 'base.group_system', ...all },
    ]);
    expect(await publish([wide], await fresh(author))).toMatch(/You (may not|see only)/);
    expect(await publish([{ do: 'restore_model', model: 'x_tool' }], await fresh(author))).toBe('published');
  });

  it('CUS-85 nor the records of companies that they do not work in', async () => {
    const elsewhere = await world.work(async (env) => {
      const companies = env.sudo().model('core.company');
      const [own] = await companies.read([world.admin.companyId as number], ['currency_id']);
      return companies.create({ name: 'Elsewhere', currency_id: own?.currency_id });
    });
    expect(elsewhere).toBeGreaterThan(0);
    expect(await change({ company: null }, await fresh(author))).toContain('Only people who work in all companies');
  });
});
