import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { long, openTestApp, type TestApp } from './browser.ts';
import type { TestPage } from './test-page.ts';

const lena = 'Lena Brandt';

describe('the rights on a model', () => {
  let app: TestApp;
  let desk: TestPage;
  let lead: number;
  beforeAll(async () => {
    app = await openTestApp({ apps: ['crm'] });
    lead = await app.rpc<number>('crm.lead', 'create', [{ name: 'Headquarters', user_id: 1 }]);
    const group_ids = [['set', [await groupId('crm.group_user')]]];
    await app.rpc('core.user', 'create', [{ name: lena, login: 'lena.b@example.com', group_ids }]);
  });
  afterAll(() => app.close());

  const groupId = async (key: string) => {
    const [found] = await app.rpc<{ id: number }[]>('core.group', 'search', [[['key', '=', key]]]);
    return found?.id;
  };
  const card = (title: string) =>
    desk.page.locator('section', { has: desk.page.getByRole('heading', { name: title }) });

  it('CUS-86 from the menu of a record it is asked why a person cannot see it', async () => {
    desk = await app.open({ path: `/web?model=crm.lead&view_type=form&id=${lead}` });
    const { page } = desk;
    await desk.click(page.locator('.form-bar').getByRole('button', { name: /^(Actions|More)$/ }));
    await desk.click(desk.find('menuitem', 'Rights …'));
    await page.waitForURL(new RegExp(`/web/settings/rights\\?model=crm.lead&id=${lead}`));
    const groups = card('Who may do what');
    await groups.getByRole('row', { name: /^CRM: Team leader/ }).waitFor();
    await card('Which records').getByText('Salesperson: the person or Salesperson is empty').waitFor();
    await page.getByRole('combobox', { name: 'What would this person see?' }).fill('Lena');
    await desk.idle();
    await desk.click(desk.find('option', lena));
    const person = card(`What would ${lena} see?`);
    await person.getByText(/^No rule of their groups includes it/).waitFor();
    await person.getByText(/^\d+ of the \d+ records that you see$/).waitFor();
    await card('Which records').getByText(`Applies to ${lena}`).waitFor();
    await desk.checkAccessible();
    await desk.click(desk.find('button', 'Stop asking about Headquarters'));
    await desk.idle();
    expect(await person.getByText('This record').count()).toBe(0);
    expect(new URL(page.url()).searchParams.get('id')).toBeNull();
    expect(desk.problems).toEqual([]);
    await desk.close();
  });

  long('CUS-86 CUS-84 on a phone groups are cards, and an added model gets other names and rights', async () => {
    desk = await app.open({ path: '/web/settings/customise#add-model', size: 'phone' });
    const { page } = desk;
    const dialog = page.getByRole('dialog');
    const field = (label: string) => dialog.getByLabel(label, { exact: true });
    await field('Name of one record').fill('Tool');
    await field('Name of several').fill('Tools');
    await field('Group 1').selectOption({ label: 'Administrator' });
    await desk.click(dialog.getByRole('button', { name: 'Continue with its fields' }));
    await desk.click(dialog.getByRole('button', { name: 'Publish the draft' }));
    await page.waitForURL(/model=x_tool/);
    await desk.visit('/web/settings/rights');
    await page.getByRole('heading', { name: 'Choose a model' }).waitFor();
    await page.getByLabel('Model', { exact: true }).selectOption('x_tool');
    await card('Who may do what').getByText('Customisation').first().waitFor();
    await desk.checkAccessible();
    await desk.click(desk.find('button', 'Change …'));
    await field('Name of several').fill('Devices');
    await desk.click(dialog.getByRole('button', { name: 'Add a group' }));
    await field('Group 2').selectOption({ label: 'CRM: Salesperson' });
    await field('Records that group 2 sees').selectOption('create_uid');
    await desk.checkAccessible();
    await desk.click(dialog.getByRole('button', { name: 'Publish', exact: true }));
    await dialog.waitFor({ state: 'detached' });
    await card('Which records').getByText('Created by: the person').waitFor();
    const [revision] = await app.rpc<{ document: { models: Record<string, object> } }[]>(
      ...(['sys.custom.revision', 'search_read', [[], ['document']]] as const),
    );
    expect(revision?.document.models.x_tool).toMatchObject({
      plural: 'Devices',
      access: [{ group: 'base.group_system' }, { group: 'crm.group_user', only: 'create_uid' }],
    });
    expect(desk.problems).toEqual([]);
    await desk.close();
  });
});
