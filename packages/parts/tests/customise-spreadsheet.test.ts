import { readUpload } from '@kontor/exchange';
import { createTestKernel, type TestKernel } from '@kontor/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { guessSpreadsheet } from '../index.ts';

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
