import { readChange } from '@kontor/kernel';
import type { Actor } from '@kontor/orm';
import { createTestKernel, type TestKernel } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { customise, customiseState, customiseUses, returnTo } from '../index.ts';

let world: TestKernel;
/** Customises, and may change leads and orders. */
let author: Actor;
/** Customises, and may not read leads. */
let outsider: Actor;
beforeAll(async () => {
  world = await createTestKernel({ modules: ['crm', 'sale'] });
  author = await world.person('Nils', ['base.group_customise', 'crm.group_manager', 'sale.group_manager']);
  outsider = await world.person('Olga', ['base.group_customise']);
});
afterAll(() => world.close());

const seen = () => customiseState(world.kernel);
const publish = async (change: object, actor: Actor = author) => {
  const changes = [readChange({ model: 'crm.lead', ...change })];
  return outcome(customise(world.kernel, actor, await seen(), { changes, note: '', isPublished: true }));
};
const outcome = (work: Promise<unknown>): Promise<string> =>
  work.then(
    (done) => (typeof done === 'string' ? done : 'done'),
    ({ code, details, message }: { code: string; details: { fields?: object }; message: string }) =>
      details.fields ? Object.values(details.fields).flat().join(' ') : `${code} ${message}`,
  );
const lead = (values: object) =>
  world.work((env) =>
    env
      .sudo()
      .model('crm.lead')
      .create({ name: 'A', ...values }),
  );
const read = (id: number, name: string, actor: Actor = author) =>
  outcome(world.work(async (env) => String((await env.model('crm.lead').read([id], [name]))[0]?.[name]), actor));

describe('CUS-16 a field that its author may not see', () => {
  const groups = ['base.group_system'];
  const bonus = { do: 'add_field', name: 'x_bonus', field: { type: 'char', label: 'Bonus', groups } };

  it('CUS-16 is not opened to them by a change, a deletion, another field of its name or a return', async () => {
    const open = { ...bonus, field: { type: 'char', label: 'Bonus' } };
    expect(await publish(open, world.admin)).toBe('done');
    const { base: opened } = await seen();
    expect(await publish({ ...bonus, do: 'change_field' }, world.admin)).toBe('done');
    const id = await lead({ x_bonus: '5000' });
    const hidden = 'You may not see Bonus.';
    expect(await publish({ do: 'change_field', name: 'x_bonus', field: { groups: null } })).toBe(hidden);
    expect(await publish({ do: 'change_field', name: 'x_bonus', field: { label: 'B' } })).toBe(hidden);
    expect(await publish({ do: 'retire_field', name: 'x_bonus' })).toBe(hidden);
    expect(await publish({ do: 'delete_field', name: 'x_bonus' })).toBe(hidden);
    expect(await outcome(returnTo(world.kernel, author, await seen(), opened))).toBe(hidden);
    expect(await publish({ do: 'delete_field', name: 'x_bonus' }, world.admin)).toBe('done');
    expect(await publish(open)).toBe(hidden);
    expect(await publish({ do: 'restore_field', name: 'x_bonus' })).toBe(hidden);
    expect(await publish({ do: 'restore_field', name: 'x_bonus' }, world.admin)).toBe('done');
    expect([await read(id, 'x_bonus'), await read(id, 'x_bonus', world.admin)]).toEqual([
      `ACCESS_DENIED ${hidden}`,
      '5000',
    ]);
  });

  it('CUS-16 stays in the draft of somebody else as well', async () => {
    const change = readChange({ model: 'crm.lead', do: 'change_field', name: 'x_bonus', field: { groups: null } });
    const request = { changes: [change], note: '', isPublished: false };
    expect(await outcome(customise(world.kernel, author, await seen(), request))).toBe('You may not see Bonus.');
  });
});

it('CUS-16 nobody removes the fields of a model that they may not change', async () => {
  const refused = 'You may not change Lead.';
  expect(await publish({ do: 'add_field', name: 'x_site', field: { type: 'char', label: 'Site' } })).toBe('done');
  expect(await publish({ do: 'delete_field', name: 'x_site' }, outsider)).toBe(refused);
  expect(await outcome(returnTo(world.kernel, outsider, await seen(), 0))).toContain(refused);
  expect(await publish({ do: 'delete_field', name: 'x_site' })).toBe('done');
});

it('CUS-18 what uses a field is named only as far as its reader may see it, and only for added fields', async () => {
  expect(await publish({ do: 'add_field', name: 'x_place', field: { type: 'char', label: 'Place' } })).toBe('done');
  await world.work(async (env) => {
    const query = 'filter=%5B%5B%22x_place%22%2C%22!%3D%22%2Cnull%5D%5D';
    await env
      .sudo()
      .model('sys.rule')
      .create({
        ...{ name: 'Secret plan', model: 'crm.lead', domain: [['x_place', '!=', null]], active: false },
      });
    await env.model('sys.saved.search').create({ name: 'My own', model: 'crm.lead', query });
  });
  const names = async (actor: Actor) =>
    (await customiseUses(world.kernel, actor, { model: 'crm.lead', name: 'x_place' })).map(({ name }) => name);
  expect(await names(world.admin)).toContain('Secret plan');
  expect(await names(author)).not.toContain('Secret plan');
  expect(await names(author)).not.toContain('My own');
  expect(await names(author)).toContain('Not available to you');
  const shipped = customiseUses(world.kernel, author, { model: 'crm.lead', name: 'name' });
  expect(await outcome(shipped)).toContain('NOT_FOUND');
});

describe('CUS-17 a field with a source', () => {
  it('CUS-17 is for no group that may not see the source', async () => {
    const field = { type: 'integer', label: 'Days', from: 'partner_id.payment_days' };
    const add = (groups: object) => publish({ do: 'add_field', name: 'x_days', field: { ...field, ...groups } });
    const refused = 'Only some groups see Days to pay. Choose among them: sale.group_user';
    expect(await add({})).toContain(refused);
    expect(await add({ groups: ['sale.group_user', 'crm.group_user'] })).toContain(refused);
    expect(await add({ groups: ['sale.group_user'] })).toBe('done');
  });

  it('CUS-17 starts without a value where its author may not read the source', async () => {
    const [open, hidden] = await world.work(async (env) => {
      const rule = { name: 'Hidden', model: 'core.partner', domain: [['name', '!=', 'Hidden']] };
      await env.sudo().model('sys.rule').create(rule);
      const partners = env.sudo().model('core.partner');
      return [
        await partners.create({ name: 'Open', phone: '+49 111' }),
        await partners.create({ name: 'Hidden', phone: '+49 222' }),
      ];
    });
    const [first, second] = [await lead({ partner_id: open }), await lead({ partner_id: hidden })];
    expect(await outcome(world.work((env) => env.model('core.partner').read([hidden as number]), author))).not.toBe(
      'done',
    );
    const field = { type: 'char', label: 'Call', from: 'partner_id.phone' };
    expect(await publish({ do: 'add_field', name: 'x_call', field })).toBe('done');
    expect([await read(first, 'x_call'), await read(second, 'x_call')]).toEqual(['+49 111', 'null']);
  });
});
