import { type CustomChange, readChange } from '@kontor/kernel';
import type { Actor } from '@kontor/orm';
import { createTestKernel, type TestKernel } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkFormula, customise, customiseState, customiseUses } from '../index.ts';

let world: TestKernel;
let partner: number;
let lead: number;
beforeAll(async () => {
  world = await createTestKernel({ modules: ['crm'] });
  partner = await world.work((env) =>
    env.model('core.partner').create({ name: 'Cedar', city: 'Kiel', is_company: true }),
  );
  lead = await world.work((env) =>
    env.model('crm.lead').create({ name: 'Old', partner_id: partner, expected_revenue: '1000.10', probability: '50' }),
  );
});
afterAll(() => world.close());

const add = (name: string, field: object, model = 'crm.lead'): CustomChange =>
  readChange({ do: 'add_field', model, name, field: { personal: false, ...field } });
const publish = async (changes: readonly CustomChange[], actor: Actor = world.admin) => {
  const { base, draft } = await customiseState(world.kernel);
  return customise(world.kernel, actor, { base, draft }, { changes, note: '', isPublished: true });
};
const refusal = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'published',
    ({ details, message }: { details: { fields?: object }; message: string }) => details.fields ?? message,
  );
const values = async (...names: readonly string[]) => {
  const [row] = await world.work((env) => env.model('crm.lead').read([lead], names));
  return names.map((name) => (row?.[name] === null ? null : String(row?.[name])));
};

describe('CUS-33 formula fields', () => {
  it('a stored formula has its value on existing records, follows its sources and can be searched', async () => {
    await publish([
      add('x_fee', { type: 'decimal', label: 'Fee', formula: 'round(expected_revenue * 0.125, 2)', stored: true }),
      add('x_place', { type: 'char', label: 'Place', formula: "name + ' in ' + partner_id.city", stored: true }),
      add('x_double', { type: 'decimal', label: 'Double', formula: 'x_fee * 2' }),
    ]);
    expect(await values('x_fee', 'x_place', 'x_double')).toEqual(['125.01', 'Old in Kiel', '250.02']);
    await world.work((env) => env.model('crm.lead').write([lead], { expected_revenue: '2000' }));
    await world.work((env) => env.model('core.partner').write([partner], { city: 'Bern' }));
    expect(await values('x_fee', 'x_place', 'x_double')).toEqual(['250', 'Old in Bern', '500']);
    const found = await world.work((env) => env.model('crm.lead').search([['x_fee', '>', 200]]));
    expect(found).toEqual([lead]);
    const other = await world.work((env) => env.model('crm.lead').create({ name: 'New', expected_revenue: '8' }));
    const [row] = await world.work((env) => env.model('crm.lead').read([other], ['x_fee', 'x_place']));
    expect([String(row?.x_fee), row?.x_place]).toEqual(['1', 'New in ']);
  });

  it('nobody can write it, and a changed formula is calculated again', async () => {
    const write = world.work((env) => env.model('crm.lead').write([lead], { x_fee: '1' }));
    expect(await refusal(write)).not.toBe('published');
    await publish([
      readChange({ do: 'change_field', model: 'crm.lead', name: 'x_fee', field: { formula: 'expected_revenue / 0' } }),
    ]);
    expect(await values('x_fee', 'x_double')).toEqual([null, null]);
  });

  it('lines are counted and added up, and a value is copied from a link', async () => {
    await publish([
      add('x_size', { type: 'integer', label: 'Size' }, 'core.partner'),
      add(
        'x_people',
        { type: 'integer', label: 'People', lines: { measure: 'count', path: 'child_ids' } },
        'core.partner',
      ),
      add(
        'x_all',
        { type: 'integer', label: 'All', lines: { measure: 'sum', path: 'child_ids.x_size' } },
        'core.partner',
      ),
      add('x_town', { type: 'char', label: 'Town', from: 'partner_id.city' }),
    ]);
    for (const x_size of [2, 3])
      await world.work((env) => env.model('core.partner').create({ name: 'P', parent_id: partner, x_size } as never));
    const [row] = await world.work((env) => env.model('core.partner').read([partner], ['x_people', 'x_all']));
    expect(row).toMatchObject({ x_people: 2, x_all: 5 });
    expect(await values('x_town')).toEqual(['Bern']);
  });

  it('mistakes are named at the field, also circles and what else would give the value', async () => {
    const says = (field: object) => refusal(publish([add('x_bad', { type: 'decimal', label: 'Bad', ...field })]));
    expect(await says({ formula: 'expected_revenu * 2' })).toEqual({
      'crm.lead.x_bad': [
        expect.stringContaining('There is no field "expected_revenu". Did you mean "expected_revenue"?'),
      ],
    });
    expect(await says({ formula: 'x_bad + 1' })).toEqual({
      'crm.lead.x_bad': [expect.stringContaining('depends on itself')],
    });
    expect(await says({ formula: 'probability', default: '1' })).toEqual({
      'crm.lead.x_bad': [expect.stringContaining('Only one of these can give the value')],
    });
    expect(await says({ formula: 'probability', required: true })).toEqual({
      'crm.lead.x_bad': ['A calculated field cannot be required.'],
    });
  });

  it('CUS-13 formulas that use a field are listed before it is deleted, and prevent it', async () => {
    await publish([
      add('x_rate', { type: 'decimal', label: 'Rate' }),
      add('x_cost', { type: 'decimal', label: 'Cost', formula: 'x_rate * 2' }),
    ]);
    const uses = await customiseUses(world.kernel, world.admin, { model: 'crm.lead', name: 'x_rate' });
    expect(uses.map(({ name }) => name)).toContain('Cost');
    const gone = readChange({ do: 'delete_field', model: 'crm.lead', name: 'x_rate' });
    expect(await refusal(publish([gone]))).toEqual({ 'crm.lead.x_cost': [expect.stringContaining('"x_rate"')] });
  });
});

describe('CUS-34 rights of formulas', () => {
  it('who may not see a source does not see the result, unless the field names its groups', async () => {
    await publish([
      add('x_margin', { type: 'decimal', label: 'Margin', groups: ['crm.group_manager'], default: '7' }),
      add('x_bonus', { type: 'decimal', label: 'Bonus', formula: 'x_margin * 2', stored: true }),
      add('x_shown', { type: 'decimal', label: 'Shown', formula: 'x_bonus + 1', groups: ['base.group_user'] }),
    ]);
    const bonus = world.kernel.registry.model('crm.lead').fields.get('x_bonus');
    expect(bonus?.spec.groups).toEqual(['crm.group_manager']);
    const lena = await world.person('Lena', ['base.group_user', 'crm.group_user']);
    const own = await world.work((env) => env.model('crm.lead').create({ name: 'Lena' }), lena);
    const read = (name: string) => refusal(world.work((env) => env.model('crm.lead').read([own], [name]), lena));
    expect(await read('x_bonus')).not.toBe('published');
    const [row] = await world.work((env) => env.model('crm.lead').read([own], ['x_shown']), lena);
    expect(String(row?.x_shown)).toBe('15');
  });

  it('sources of different groups need a choice of who sees the result', async () => {
    const two = publish([
      add('x_one', { type: 'decimal', label: 'One', groups: ['crm.group_manager'] }),
      add('x_two', { type: 'decimal', label: 'Two', groups: ['base.group_system'] }),
      add('x_both', { type: 'decimal', label: 'Both', formula: 'x_one + x_two' }),
    ]);
    expect(await refusal(two)).toEqual({ 'crm.lead.x_both': [expect.stringContaining('different groups')] });
  });

  it('an author reaches nothing that they may not read, and neither does the check while typing', async () => {
    const nils = await world.person('Nils', ['base.group_customise', 'base.group_user', 'crm.group_user']);
    const ask = (formula: string, actor: Actor) =>
      checkFormula(world.kernel, actor, { model: 'crm.lead', type: 'decimal', formula });
    expect(await ask('x_margin + 1', world.admin)).toEqual({ problem: null, reads: ['x_margin'] });
    expect((await ask('x_margin + 1', nils)).problem?.message).toBe('You may not see Margin.');
    expect(await ask('probability * namee', world.admin)).toEqual({
      problem: { message: 'There is no field "namee". Did you mean "name"?', from: 14, to: 19 },
      reads: [],
    });
    const lena = await world.person('Ola', ['base.group_user', 'crm.group_manager']);
    await expect(ask('probability', lena)).rejects.toThrow('members of the group');
    expect(
      await refusal(publish([add('x_spy', { type: 'decimal', label: 'Spy', formula: 'x_margin' })], nils)),
    ).toEqual({
      'crm.lead.x_spy': ['You may not see Margin.'],
    });
  });
});
