import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { long, openTestApp, type TestApp } from './browser.ts';
import type { TestPage } from './test-page.ts';

describe('adding a model', () => {
  let app: TestApp;
  let desk: TestPage;
  beforeAll(async () => {
    app = await openTestApp({ apps: ['crm'] });
  });
  afterAll(() => app.close());

  const dialog = () => desk.page.getByRole('dialog');
  const field = (label: string) => dialog().getByLabel(label, { exact: true });
  const button = (name: string) => dialog().getByRole('button', { name, exact: true });
  /** A control that the edge of the dialog cuts would count as too small. */
  const fromTop = () =>
    dialog().evaluate((box) => {
      for (const part of box.querySelectorAll('*')) part.scrollTop = 0;
    });
  const addField = async (label: string, type: string, fill: () => Promise<void> = async () => {}) => {
    await desk.click(button('Add a field'));
    await field('Label').fill(label);
    await field('Type').selectOption(type);
    await fill();
    await desk.click(button('Add to draft'));
    await dialog().getByText(label, { exact: true }).first().waitFor();
    await desk.idle();
  };

  it('CUS-46 a list with fields, rights, numbers and a board is built from home, without code', async () => {
    desk = await app.open({ path: '/web/home' });
    const { page } = desk;
    await desk.click(page.getByRole('button', { name: 'All apps' }));
    await desk.click(page.getByRole('link', { name: 'Add a model' }));
    await field('Name of one record').fill('Machine');
    await field('Name of several').fill('Machines');
    await dialog().getByText('x_machine', { exact: true }).waitFor();
    await desk.click(dialog().getByText('Translations', { exact: true }));
    await field('Label in German (Germany)').fill('Maschine');
    await field('Name of several in German (Germany)').fill('Maschinen');
    await desk.click(dialog().locator('label:has([aria-label="forklift"])'));
    await field('Group 1').selectOption({ label: await groupLabel('base.group_user') });
    await field('Numbers').check();
    await field('Before the number').fill('M');
    await dialog().getByText('The first is M0001.').waitFor();
    await fromTop();
    await desk.checkAccessible();
    await desk.click(button('Continue with its fields'));
    await button('Add a field').waitFor();
    await addField('Kind', 'Choice', async () => {
      await field('Choice 1').fill('Lift');
      await desk.click(button('Add a choice'));
      await field('Choice 2').fill('Saw');
    });
    await addField('Due', 'Date');
    await addField('Weight', 'Whole number');
    await addField('Double', 'Whole number', async () => {
      await field('Value').selectOption('Formula');
      await field('Formula').fill('x_weight * 2');
      await dialog().getByText('Reads 1 field').waitFor();
    });
    await field('Board by').selectOption('Kind');
    await desk.idle();
    await field('Calendar by').selectOption('Due');
    await desk.idle();
    await fromTop();
    await desk.checkAccessible();
    await Promise.all([page.waitForURL(/model=x_machine/), desk.click(button('Publish the draft'))]);
    const id = await app.rpc<number>('x_machine', 'create', [{ name: 'Drill', x_kind: 'lift', x_weight: 21 }]);
    const [row] = await app.rpc<object[]>('x_machine', 'read', [[id], ['number', 'x_double']]);
    expect(row).toMatchObject({ number: 'M0001', x_double: 42 });
    await desk.visit('/web?model=x_machine&view_type=kanban');
    await page.getByText('Drill').first().waitFor();
    await desk.press('Control+k');
    await desk.type('new mach');
    await page.getByRole('option', { name: 'New machine' }).waitFor();
    await desk.press('Enter');
    await page.waitForURL(/model=x_machine.*view_type=form/);
    expect(desk.problems).toEqual([]);
    await desk.close();
  });

  long('CUS-46 CUS-43 on a phone it is deleted after its uses are listed, and brought back', async () => {
    desk = await app.open({ path: '/web/settings/customise', size: 'phone' });
    const { page } = desk;
    await desk.click(page.getByRole('button', { name: 'Actions of Machines' }));
    await desk.click(desk.find('menuitem', 'Delete …'));
    await dialog().getByText('Machine', { exact: true }).waitFor();
    await fromTop();
    await desk.checkAccessible();
    await desk.click(button('Delete'));
    await dialog().waitFor({ state: 'detached' });
    await desk.click(page.getByRole('button', { name: 'Bring back' }));
    await page.getByRole('button', { name: 'Actions of Machines' }).waitFor();
    expect(await app.rpc<unknown[]>('x_machine', 'search', [[]])).toHaveLength(1);
    expect(desk.problems).toEqual([]);
    await desk.close();
  });

  const rows = ['Drill A;Drill;12,50;2026-01-31', 'Drill B;Drill;8,00;2026-02-01', 'Drill C;Drill;8,00;2026-02-02'];
  const csv = ['Tool;Kind;Day rate;Due', ...rows, ...rows.map((row) => row.replaceAll('Drill', 'Saw'))].join('\n');
  const dropCsv = () =>
    desk.page.evaluate((text) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([text], 'tools.csv', { type: 'text/csv' }));
      dispatchEvent(new DragEvent('drop', { dataTransfer, cancelable: true }));
    }, csv);

  long('CUS-48 on a phone each control of a spreadsheet is large enough', async () => {
    desk = await app.open({ path: '/web/home', size: 'phone' });
    await dropCsv();
    await field('Label of Day rate').waitFor();
    await fromTop();
    await desk.checkAccessible();
    const small = await dialog()
      .locator(':is([type=checkbox], [type=radio]):not(.sr-only)')
      .evaluateAll((all) =>
        all.filter((each) => each.getBoundingClientRect().width < 24).map((each) => each.outerHTML),
      );
    expect(small).toEqual([]);
    expect(desk.problems).toEqual([]);
    await desk.close();
  });

  it('CUS-48 a spreadsheet that is dropped on home becomes a model with its rows', async () => {
    desk = await app.open({ path: '/web/home' });
    const { page } = desk;
    await dropCsv();
    await field('Label of Day rate').waitFor();
    expect(await field('Name of several').inputValue()).toBe('tools');
    expect(await field('Type of Kind').inputValue()).toBe('selection');
    expect(await field('Type of Day rate').inputValue()).toBe('monetary');
    expect(await field('Type of Due').inputValue()).toBe('date');
    await desk.checkAccessible();
    await field('Name of one record').fill('Tool');
    await field('Label of Kind').fill('Sort of tool');
    await field('Group 1').selectOption({ label: await groupLabel('base.group_user') });
    await Promise.all([page.waitForURL(/sys\.bulk\.import/), desk.click(button('Publish and import 6 rows'))]);
    await desk.click(page.getByRole('button', { name: /^Import/ }).first());
    await page.waitForURL(/model=x_tool/);
    const found = await app.rpc<object[]>('x_tool', 'search_read', [
      [],
      ['name', 'x_sort_of_tool', 'x_day_rate', 'x_due'],
    ]);
    expect(found).toHaveLength(6);
    expect(found[0]).toMatchObject({ name: 'Drill A', x_sort_of_tool: 'drill', x_day_rate: 12.5, x_due: '2026-01-31' });
    expect(desk.problems).toEqual([]);
    await desk.close();
  });

  const groupLabel = async (key: string) => {
    const [group] = await app.rpc<{ display_name: string }[]>('core.group', 'search_read', [
      [['key', '=', key]],
      ['display_name'],
    ]);
    return group?.display_name ?? '';
  };
});
