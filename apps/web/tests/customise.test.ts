import { isLong } from '@kontor/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { long, openTestApp, type TestApp } from './browser.ts';
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

  long('CUS-12 a choice with colours and translations is on the form at once and is saved', async () => {
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

  long('CUS-12 CUS-10 a mistake is told in the dialog, which keeps what was typed; the limit is shown', async () => {
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

  long('CUS-12 CUS-4 on a phone a field waits in the draft until it is published', async () => {
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

  long('CUS-97 the columns of a list lead to a new field, which is a column at once', async () => {
    desk = await app.open({ path: '/web?model=crm.lead&view_type=list' });
    await desk.click(desk.find('button', 'Columns'));
    await desk.click(desk.find('menuitem', 'Add a field …'));
    await field('Label').fill('Storeys');
    await field('Type').selectOption('Whole number');
    await desk.checkAccessible();
    await publish();
    await desk.click(desk.find('button', 'Columns'));
    await desk.click(desk.page.getByRole('menuitemcheckbox', { name: 'Storeys' }));
    await desk.page.getByRole('columnheader', { name: 'Storeys' }).waitFor();
  });

  long(
    'CUS-97 a column of an import becomes a field with the type of its values, and is imported into it',
    async () => {
      desk = await app.open({ path: '/web?model=crm.lead&view_type=list' });
      await desk.click(desk.find('button', 'More'));
      await desk.click(desk.find('menuitem', 'Import …'));
      const rows = [
        'Name;Heating',
        'House 1;Oil',
        'House 2;Gas',
        'House 3;Gas',
        'House 4;Oil',
        'House 5;Oil',
        'House 6;Gas',
      ];
      const file = { name: 'houses.csv', mimeType: 'text/csv', buffer: Buffer.from(rows.join('\n')) };
      await desk.page.getByLabel('File to import').setInputFiles(file);
      await desk.idle();
      await desk.page.getByLabel('Field for Heating').fill('Heat');
      await desk.click(desk.page.getByRole('option', { name: 'Add a field …' }));
      await field('Label').waitFor();
      expect(await field('Label').inputValue()).toBe('Heating');
      expect(await field('Type').inputValue()).toBe('selection');
      expect(await field('Choice 2').inputValue()).toBe('Oil');
      await publish();
      await desk.page.locator('.import-map input[value="Heating"]').waitFor();
      await desk.click(desk.find('button', 'Import 6 rows'));
      const made = await app.rpc('crm.lead', 'search_read', [[['x_heating', '=', 'oil']], ['name']], { order: 'name' });
      expect(made).toMatchObject([{ name: 'House 1' }, { name: 'House 4' }, { name: 'House 5' }]);
    },
  );

  long('CUS-13 a field is renamed, and deleted after what uses it was listed', async () => {
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

  long('CUS-14 revisions are listed with author and changes, and the last one is undone', async () => {
    await open({ path: '/web/settings/customise' });
    const { page } = desk;
    const newest = page.getByRole('listitem').filter({ hasText: 'Ada Lindqvist' }).first();
    // What the test before did, of which the long run has more.
    const label = isLong ? 'Key code' : 'Storeys';
    expect(await desk.text(newest)).toContain(`The field "${label}" was added to Lead.`);
    await desk.checkAccessible();
    await desk.click(page.getByRole('button', { name: 'Undo the last revision' }));
    await desk.click(dialog().getByRole('button', { name: 'Return', exact: true }));
    await dialog().waitFor({ state: 'detached' });
    await newest.getByText(`The field "${label}" of Lead was deleted.`).waitFor();
    await page.getByRole('button', { name: 'Return to revision 1', exact: true }).waitFor();
  });

  long('CUS-33 a formula is checked while it is typed, and its value is on the form', async () => {
    await open();
    await openForm();
    await field('Label').fill('Fee');
    await field('Type').selectOption('Decimal number');
    await field('Value').selectOption('Formula');
    await field('Formula').fill('round(expected_revenu / 8, 2)');
    await dialog().getByText('There is no field "expected_revenu". Did you mean "expected_revenue"?').waitFor();
    expect(await desk.text(dialog().locator('mark'))).toBe('expected_revenu');
    await field('Formula').fill('round(expected_revenue / 8, 2) + 1');
    await dialog().getByText('Reads 1 field').waitFor();
    await desk.checkAccessible();
    await publish();
    await desk.page.locator('[data-name="x_fee"]').getByText('1', { exact: true }).waitFor();
  });

  long('CUS-31 CUS-30 a screen is edited beside its preview, by keys and by pointer, and published', async () => {
    await open();
    const { page } = desk;
    const openEditor = async () => {
      await desk.click(page.locator('.form-bar').getByRole('button', { name: /^(Actions|More)$/ }));
      await desk.click(desk.find('menuitem', 'Edit this screen …'));
      await dialog().getByRole('button', { name: 'Website', exact: true }).first().waitFor();
      await desk.idle();
    };
    await openEditor();
    const preview = page.frameLocator('iframe[title="Preview"]');
    const part = (name: string) => dialog().getByRole('region', { name, exact: true });
    const row = (name: string) => part('On this screen').getByRole('button', { name, exact: true });
    const shown = () =>
      preview
        .locator('.form-sheet [data-name]')
        .evaluateAll((all) => all.map((each) => each.getAttribute('data-name')));
    await row('Phone').focus();
    await desk.press('Shift+ArrowUp');
    await desk.idle();
    const [phone, mail] = (await shown()).filter((name) => name === 'phone' || name === 'email_from');
    expect([phone, mail]).toEqual(['phone', 'email_from']);
    // A click in the preview selects.
    await preview.locator('[data-name="website"], [data-name="partner_id"]').first().click();
    await desk.click(row('Website'));
    await dialog().getByLabel('Label', { exact: true }).fill('Homepage');
    await desk.click(dialog().getByRole('button', { name: 'Rename', exact: true }));
    await row('Homepage').waitFor();
    await desk.click(dialog().getByRole('button', { name: 'Add a group', exact: true }));
    await row('New group').waitFor();
    await desk.click(part('Not on this screen').getByRole('button', { name: 'Created on', exact: true }));
    await desk.idle();
    await desk.checkAccessible();
    await desk.click(
      dialog().getByRole('group', { name: 'Width of the preview' }).getByRole('button', { name: 'Phone' }),
    );
    await desk.idle();
    await dialog().getByLabel('Language of the preview').selectOption('German (Germany)');
    await desk.idle();
    expect(await preview.locator('html').getAttribute('lang')).toBe('de-DE');
    await desk.click(dialog().getByRole('button', { name: 'Undo', exact: true }));
    await desk.click(dialog().getByRole('button', { name: 'Redo', exact: true }));
    await desk.idle();
    await desk.click(dialog().getByRole('button', { name: 'Publish', exact: true }));
    await dialog().waitFor({ state: 'detached' });
    await desk.idle();
    const [revision] = await app.rpc<{ document: { views: { view: string; steps: object[] }[] } }[]>(
      ...(['sys.custom.revision', 'search_read', [[], ['document']]] as const),
    );
    const steps = revision?.document.views.find(({ view }) => view === 'crm.lead_form')?.steps;
    expect(JSON.stringify(steps)).toContain('"label":"Homepage"');
    expect(JSON.stringify(steps)).toContain(`"move":"//field[@name='phone']"`);
  });

  long('CUS-8 people outside the group have no such entry', async () => {
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

  it('CUS-12 offers for the tables of the system, and for settings, what they have pages for', async () => {
    const offered = async (path: string, menu: RegExp) => {
      await desk.visit(path);
      await desk.click(desk.page.locator('.bar, .form-bar').getByRole('button', { name: menu }).last());
      const names = await desk.page.getByRole('menuitem').allTextContents();
      await desk.press('Escape');
      return names.filter((name) => /^(Edit this screen|States|Rights|Customise)/.test(name));
    };
    await open();
    const form = ['Edit this screen …', 'States and moves …', 'Rights …', 'Customise …'];
    expect(await offered(`/web?model=crm.lead&view_type=form&id=${lead}`, /^(Actions|More)$/)).toEqual(form);
    expect(await offered('/web?model=sys.cron&view_type=list', /^More$/)).toEqual(['Rights …']);
    expect(await desk.page.getByRole('button', { name: 'Columns' }).count()).toBe(1);
    await desk.click(desk.find('button', 'Columns'));
    expect(await desk.page.getByRole('menuitem', { name: 'Add a field …' }).count()).toBe(0);
    await desk.press('Escape');
    await desk.visit('/web?model=crm.settings&view_type=form');
    await desk.page.locator('.form-bar').waitFor();
    expect(
      await desk.page
        .locator('.form-bar')
        .getByRole('button', { name: /^(Actions|More)$/ })
        .count(),
    ).toBe(0);
  });
});
