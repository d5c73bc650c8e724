import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openTestApp, type TestApp } from './browser.ts';
import type { TestPage } from './test-page.ts';

describe('customising a form', () => {
  let app: TestApp;
  let desk: TestPage;
  let lead: number;
  beforeAll(async () => {
    app = await openTestApp({ apps: ['crm'] });
    lead = await app.rpc<number>('crm.lead', 'create', [{ name: 'Headquarters, phase 2' }]);
  });
  afterAll(() => app.close());
  afterEach(async () => {
    expect(desk.problems).toEqual([]);
    await desk.close();
  });

  const open = async (options: object = {}) => {
    desk = await app.open({ path: `/web?model=crm.lead&view_type=form&id=${lead}`, ...options });
  };
  const dialog = () => desk.page.getByRole('dialog');
  const field = (label: string) => dialog().getByLabel(label, { exact: true });
  const openDialog = async () => {
    await desk.click(desk.page.locator('.form-bar').getByRole('button', { name: /^(Actions|More)$/ }));
    await desk.click(desk.find('menuitem', 'Customise …'));
    await dialog().getByText('Added fields', { exact: true }).waitFor();
  };
  const openForm = async () => {
    await openDialog();
    await desk.click(dialog().getByRole('button', { name: 'Add a field' }));
  };
  const publish = async () => {
    await desk.click(dialog().getByRole('button', { name: 'Publish', exact: true }));
    await dialog().waitFor({ state: 'detached' });
    await desk.idle();
  };

  it('CUS-12 a choice with colours and translations is on the form at once and is saved', async () => {
    await open();
    await openForm();
    await field('Label').fill('Lift on site');
    await field('Type').selectOption('Choice');
    await field('Choice 1').fill('No lift');
    await desk.click(dialog().getByRole('button', { name: 'Add a choice' }));
    await field('Choice 2').fill('Goods lift');
    await field('Colour of choice 2').selectOption('Green');
    await desk.click(dialog().getByText('Translations', { exact: true }));
    await field('Label in German (Germany)').fill('Aufzug vor Ort');
    await field('Goods lift in German (Germany)').fill('Lastenaufzug');
    await field('Help').fill('Asked by the fitters.');
    await field('Place it after').selectOption('Phone');
    await publish();
    await desk.page.getByLabel('Lift on site', { exact: true }).selectOption('Goods lift');
    await desk.press('Control+s');
    const [row] = await app.rpc<object[]>('crm.lead', 'read', [[lead], ['x_lift_on_site']]);
    expect(row).toMatchObject({ x_lift_on_site: 'goods_lift' });
    const [said] = await app.rpc<object[]>('sys.custom.revision', 'search_read', [[], ['number', 'document']]);
    expect(said).toMatchObject({
      number: 1,
      document: { words: { de_DE: { 'Lift on site': 'Aufzug vor Ort', 'Goods lift': 'Lastenaufzug' } } },
    });
  });

  it('CUS-12 CUS-10 a mistake is told in the dialog, which keeps what was typed; the limit is shown', async () => {
    await open();
    await openForm();
    await field('Label').fill('Floor');
    await field('Type').selectOption('Whole number');
    await field('Required').check();
    await desk.click(dialog().getByRole('button', { name: 'Publish', exact: true }));
    await dialog().getByRole('alert').waitFor();
    desk.forgive(/422/);
    expect(await desk.text(dialog().getByRole('alert'))).toBe(
      'It is required, and existing records have no value for it. Give it a default.',
    );
    expect(await dialog().getByText('1 of 200 added fields used').count()).toBe(1);
    await field('Default').fill('2');
    await publish();
    expect(await desk.page.getByLabel('Floor', { exact: true }).inputValue()).toBe('2');
  });

  it('CUS-12 CUS-4 on a phone a field waits in the draft until it is published', async () => {
    await open({ size: 'phone' });
    await openForm();
    await field('Label').fill('Gate code');
    await desk.click(dialog().getByRole('button', { name: 'Add to draft' }));
    await dialog().waitFor({ state: 'detached' });
    await desk.idle();
    expect(await desk.page.getByLabel('Gate code', { exact: true }).count()).toBe(0);
    await openDialog();
    await dialog().getByText('The field "Gate code" was added to').waitFor();
    await desk.click(dialog().getByRole('button', { name: 'Publish the draft' }));
    await dialog().waitFor({ state: 'detached' });
    await desk.page.getByLabel('Gate code', { exact: true }).waitFor();
  });

  it('CUS-13 a field is renamed, and deleted after what uses it was listed', async () => {
    await open();
    const step = async (entry: string) => {
      await openDialog();
      await desk.click(
        dialog()
          .getByRole('button', { name: 'Actions of Gate code' })
          .or(dialog().getByRole('button', { name: 'Actions of Key code' })),
      );
      await desk.click(desk.find('menuitem', entry));
    };
    await step('Rename …');
    await field('Label').fill('Key code');
    await publish();
    await desk.page.getByLabel('Key code', { exact: true }).waitFor();
    await step('Delete …');
    await dialog().getByText('crm.lead_form', { exact: true }).waitFor();
    await desk.checkAccessible();
    await desk.click(dialog().getByRole('button', { name: 'Delete', exact: true }));
    await dialog().waitFor({ state: 'detached' });
    await desk.page.getByLabel('Key code', { exact: true }).waitFor({ state: 'detached' });
    await openDialog();
    await desk.click(dialog().getByRole('button', { name: 'Bring back' }));
    await dialog().waitFor({ state: 'detached' });
    await desk.page.getByLabel('Key code', { exact: true }).waitFor();
  });

  it('CUS-14 revisions are listed with author and changes, and the last one is undone', async () => {
    await open({ path: '/web/settings/customise' });
    const { page } = desk;
    const newest = page.getByRole('listitem').filter({ hasText: 'Ada Lindqvist' }).first();
    expect(await desk.text(newest)).toContain('The field "Key code" was added to Lead.');
    await desk.checkAccessible();
    await desk.click(page.getByRole('button', { name: 'Undo the last revision' }));
    await desk.click(dialog().getByRole('button', { name: 'Return', exact: true }));
    await dialog().waitFor({ state: 'detached' });
    await newest.getByText('The field "Key code" of Lead was deleted.').waitFor();
    await page.getByRole('button', { name: 'Return to revision 1', exact: true }).waitFor();
  });

  it('CUS-8 people outside the group have no such entry', async () => {
    const [user, seller] = await Promise.all(
      ['base.group_user', 'crm.group_manager'].map(async (key) => {
        const [group] = await app.rpc<{ id: number }[]>('core.group', 'search', [[['key', '=', key]]]);
        return group?.id;
      }),
    );
    const lena = { login: 'lena@example.com', password: 'a long enough password' };
    await app.rpc('core.user', 'create', [{ name: 'Lena', ...lena, group_ids: [['set', [user, seller]]] }]);
    await open({ as: lena });
    await desk.click(desk.page.locator('.form-bar').getByRole('button', { name: /^(Actions|More)$/ }));
    await desk.find('menuitem', 'Export …').waitFor();
    expect(await desk.page.getByRole('menuitem', { name: 'Customise …' }).count()).toBe(0);
  });
});
