import { readUpload, stageImport } from '@kontor/exchange';
import { readChange } from '@kontor/kernel';
import { createTestKernel, type TestKernel } from '@kontor/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { customise, guessImportColumn, guessSpreadsheet } from '../index.ts';

let world: TestKernel;
beforeAll(async () => {
  world = await createTestKernel({ modules: ['crm'] });
  await world.work((env) => env.model('core.partner').createMany([{ name: 'Cedar & Pine' }, { name: 'Nordlicht' }]));
});
afterAll(() => world.close());

const csv = `Machine;Kind;Contact;Country;Rate per day;Rented
Drill A;Drill;Cedar & Pine;Germany;12,50;yes
Drill B;Drill;Nordlicht;Germany;8,00;no
Drill C;Drill;Nordlicht;France;8,00;no
Saw A;Saw;Cedar & Pine;Germany;20,00;no
Saw B;Saw;Nordlicht;France;22,00;yes
Saw C;Saw;Unknown & Sons;France;22,00;yes
`;
const guess = async (actor = world.admin) =>
  guessSpreadsheet(world.kernel, actor, { name: 'rental_machines.csv', file: await readUpload(Buffer.from(csv)) });

it('CUS-47 columns become fields, links where the names fit, and one names the records', async () => {
  const found = await guess();
  expect(found).toMatchObject({ name: 'rental machines', total: 6, title: 'Machine' });
  expect(
    found.columns.map(({ header, type, relation = '', sure }) => `${header}: ${type} ${relation} ${sure}`),
  ).toEqual([
    'Machine: char  sure',
    'Kind: selection  likely',
    'Contact: many2one core.partner likely',
    'Country: many2one core.country sure',
    'Rate per day: monetary  likely',
    'Rented: boolean  sure',
  ]);
});

it('CUS-47 nobody else guesses, and links lead to no model that the author may not read', async () => {
  const lena = await world.person('Lena', ['base.group_user']);
  await expect(guess(lena)).rejects.toThrow('members of the group');
  const only = await world.person('Only', ['base.group_customise']);
  await world.work((env) => env.model('crm.lead').createMany([{ name: 'Secret plan' }, { name: 'Big deal' }]));
  const file = await readUpload(Buffer.from('Tool;Lead\nA;Secret plan\nB;Big deal\nC;Secret plan\n'));
  const linked = async (actor: typeof lena) => {
    const { columns } = await guessSpreadsheet(world.kernel, actor, { name: 'a.csv', file });
    return columns.map(({ relation = '' }) => relation);
  };
  expect(await linked(world.admin)).toEqual(['', 'crm.lead']);
  expect(await linked(only)).toEqual(['', '']);
});

it('CUS-97 the column of an import becomes a field; only its owner, who may customise, is told what it would be', async () => {
  const { kernel, admin } = world;
  const author = await world.person('Author', ['base.group_customise', 'base.group_system']);
  const file = await readUpload(Buffer.from(csv));
  const upload = { model: 'crm.lead', fileName: 'machines.csv', file, fields: [], mode: 'create' as const, next: null };
  const { result: id } = await kernel.transact(author, (env) => stageImport(env, upload, () => []));
  const guessed = (column: string, actor = author) => guessImportColumn(kernel, actor, { id, column });
  expect(await guessed('Kind')).toMatchObject({ type: 'selection', choices: ['Drill', 'Saw'] });
  expect(await guessed('Country')).toMatchObject({ type: 'many2one', relation: 'core.country' });
  await expect(guessed('Colour')).rejects.toThrow('no column "Colour"');
  const stranger = await world.person('Stranger', ['base.group_customise']);
  await expect(guessed('Kind', stranger)).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
  await expect(guessed('Kind', await world.person('Eve', ['base.group_user']))).rejects.toThrow('members of the group');

  const take = (column: string, field: string) =>
    kernel.transact(author, (env) => env.model('sys.bulk.import').call([id], 'take_field', { column, field }));
  await expect(take('Kind', 'x_kind')).rejects.toThrow('x_kind cannot be imported');
  const choices = [
    { value: 'drill', label: 'Drill' },
    { value: 'saw', label: 'Saw' },
  ];
  const added = {
    do: 'add_field',
    model: 'crm.lead',
    name: 'x_kind',
    field: { type: 'selection', label: 'Kind', choices },
  };
  await customise(kernel, admin, { base: 0, draft: 0 }, { changes: [readChange(added)], note: '', isPublished: true });
  await expect(take('Colour', 'x_kind')).rejects.toThrow('no column "Colour"');
  await take('Machine', 'name');
  await take('Kind', 'x_kind');
  await kernel.transact(author, (env) => env.model('sys.bulk.import').call([id], 'confirm_import', {}));
  const made = await kernel.read(admin, (env) =>
    env.model('crm.lead').searchRead([['name', 'like', 'Saw ']], ['name', 'x_kind' as 'name'], { order: 'name' }),
  );
  expect(made).toMatchObject([{ x_kind: 'saw' }, { x_kind: 'saw' }, { x_kind: 'saw' }]);
  await expect(take('Kind', 'x_kind')).rejects.toThrow('This import is over');
});
