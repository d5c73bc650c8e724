import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { long, openTestApp, type TestApp } from './browser.ts';
import type { TestPage } from './test-page.ts';

const leads = '/web?action=crm.pipeline&view_type=list';

describe('the search', () => {
  let app: TestApp;
  let list: TestPage;
  beforeAll(async () => {
    app = await openTestApp({ apps: ['crm'], keepsClient: true });
    const partner = await app.rpc<number>('core.partner', 'create', [{ name: 'Norrland Möbler' }]);
    for (const lead of [
      { name: 'Oak table', expected_revenue: 900, partner_id: partner, source: 'fair' },
      { name: 'Oak shelf', expected_revenue: 5000, source: 'website', user_id: null },
      { name: 'Pine door', expected_revenue: 7000, source: 'website' },
    ]) {
      await app.rpc('crm.lead', 'create', [{ type: 'opportunity', ...lead }]);
    }
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    list = await app.open({ path: leads });
  });
  afterEach(async () => {
    expect(list.problems).toEqual([]);
    await list.close();
  });

  const rows = async () => (await list.page.locator('tr[data-row] [data-col="0"]').allInnerTexts()).sort();
  const chips = () => list.page.locator('.searchbar .chip').allInnerTexts();
  const param = (name: string) => new URL(list.page.url()).searchParams.get(name);
  const openPanel = () => list.click(list.page.getByRole('button', { name: 'Filter', exact: true }));

  long('shows filters as chips, and takes them away', async () => {
    expect(await chips()).toEqual(['Open and won']);
    await openPanel();
    await list.click(list.find('button', 'Unassigned'));
    expect(await chips()).toEqual(['Unassigned', 'Open and won']);
    expect(param('filter')).toBe('current,nobodys');
    await list.checkAccessible();
    await list.press('Escape');
    await list.click(list.find('button', 'Remove filter Unassigned'));
    expect(await rows()).toHaveLength(3);
  });

  long('groups by a field and by spans of a date', async () => {
    await openPanel();
    await list.click(list.find('button', 'Source'));
    expect(param('group_by')).toBe('source');
    const groups = list.page.getByRole('region', { name: 'Group by' });
    await list.click(groups.getByRole('button', { name: 'Expected closing' }));
    await list.click(groups.getByRole('button', { name: 'Quarter' }));
    expect(param('group_by')).toBe('source,date_deadline:quarter');
    await list.press('Escape');
    expect(await chips()).toContain('Grouped by Source');
    expect(await list.page.locator('.list-group').count()).toBe(2);
  });

  it('SCN-31 has presets of every date, each date once, and says the period in one chip', async () => {
    const panel = list.page.getByRole('dialog', { name: 'Filters' });
    const filters = panel.getByRole('region', { name: 'Filters' });
    const old = await app.rpc('crm.lead', 'create', [
      { type: 'opportunity', name: 'Long ago', date_open: '2020-02-03T10:00:00Z', date_deadline: '2020-03-01' },
    ]);
    await list.visit(leads);
    await openPanel();
    const labels = await filters.locator('[aria-expanded]').allInnerTexts();
    expect(labels).toEqual([...new Set(labels)]);
    await list.click(filters.getByRole('button', { name: 'Expected closing' }));
    expect(await filters.getByRole('group').getByRole('button').allInnerTexts()).toEqual(
      expect.arrayContaining(['Today', 'This week', 'Last quarter', 'Year to date']),
    );
    await list.click(filters.getByRole('button', { name: 'Year to date' }));
    expect(JSON.parse(param('domain') ?? '')).toEqual([
      ['date_deadline', '>=', '$year'],
      ['date_deadline', '<', '$day+1'],
    ]);
    expect(await chips()).toContain('Expected closing: Year to date');
    expect(await rows()).not.toContain('Long ago');
    await list.click(filters.getByRole('button', { name: 'Today', exact: true }));
    expect((await chips()).filter((chip) => chip.startsWith('Expected closing'))).toEqual(['Expected closing: Today']);
    await list.checkAccessible();
    await list.click(filters.getByRole('button', { name: 'Today', exact: true }));
    expect(param('domain')).toBeNull();
    expect(await rows()).toContain('Long ago');
    await app.rpc('crm.lead', 'unlink', [[old]]);
    await list.visit(leads);
  });

  long('finds text at once, and goes back and forward', async () => {
    await list.press('/');
    await list.type('oak');
    await list.press('Enter');
    expect(await rows()).toEqual(['Oak shelf', 'Oak table']);
    expect(param('q')).toBe('oak');
    await list.page.goBack();
    await list.idle();
    expect(await rows()).toHaveLength(3);
    expect(await list.page.getByRole('combobox', { name: 'Search in this screen' }).inputValue()).toBe('');
    await list.page.goForward();
    await list.idle();
    expect(await rows()).toHaveLength(2);
  });

  long('suggests fields and records by name, and Backspace takes the last chip away', async () => {
    await list.press('/');
    await list.type('norr');
    expect(await list.find('option', 'Search Subject for norr').count()).toBe(1);
    const record = list.find('option', 'Customer is Norrland Möbler');
    await record.waitFor();
    await list.checkAccessible();
    await list.click(record);
    expect(await chips()).toContain('Customer: Norrland Möbler');
    expect(await rows()).toEqual(['Oak table']);
    await list.page.reload();
    await list.idle();
    expect(await chips()).toContain('Customer: Norrland Möbler');
    await list.press('/');
    await list.press('Backspace');
    expect(await chips()).toEqual(['Open and won']);
    await list.type('shelf');
    await list.press('ArrowDown');
    await list.press('Enter');
    expect(await chips()).toContain('Subject contains shelf');
    expect(await rows()).toEqual(['Oak shelf']);
  });

  long('puts conditions together without a word of code', async () => {
    await openPanel();
    await list.click(list.find('button', /Custom conditions/));
    const dialog = list.find('dialog', 'Conditions');
    await dialog.getByLabel('Field').selectOption('expected_revenue');
    await dialog.getByLabel('Comparison').selectOption('more');
    await list.click(dialog.getByRole('button', { name: 'Search' }));
    expect(await dialog.getByRole('alert').textContent()).toContain('Expected revenue');
    await dialog.getByLabel('Value of Expected revenue').fill('1000');
    await list.click(dialog.getByRole('button', { name: 'Add a group' }));
    await dialog.getByLabel('Field').nth(1).selectOption('name');
    await dialog.getByLabel('Value of Subject').fill('shelf');
    await list.click(dialog.getByRole('button', { name: 'Add a condition' }).first());
    await dialog.getByLabel('Field').nth(2).selectOption('name');
    await dialog.getByLabel('Value of Subject').nth(1).fill('nothing');
    await list.checkAccessible();
    await list.click(dialog.getByRole('button', { name: 'Search' }));
    expect(JSON.parse(param('domain') ?? '')).toEqual([
      ['expected_revenue', '>', 1000],
      '|',
      ['name', 'ilike', 'shelf'],
      ['name', 'ilike', 'nothing'],
    ]);
    expect(await rows()).toEqual(['Oak shelf']);
    await list.click(list.find('button', 'Expected revenue is more than 1,000').first());
    expect(await list.find('dialog', 'Conditions').getByLabel('Field').count()).toBe(3);
    await list.press('Escape');
  });

  long('saves a search as the default, opens with it, and deletes it', async () => {
    await list.press('/');
    await list.type('pine');
    await list.press('Enter');
    await openPanel();
    await list.click(list.find('button', /Save this search/));
    await list.page.getByLabel('Name of the search').fill('Pine only');
    await list.page.getByLabel('Use as the default of this screen').check();
    await list.click(list.find('button', 'Save'));
    await list.find('button', /^Pine only/).waitFor();
    await list.checkAccessible();
    await list.go(leads);
    expect(await rows()).toEqual(['Pine door']);
    expect(await list.page.getByRole('combobox', { name: 'Search in this screen' }).inputValue()).toBe('pine');
    await openPanel();
    await list.click(list.find('button', 'Delete search Pine only'));
    await list.find('button', /^Pine only/).waitFor({ state: 'detached' });
    await list.go(leads);
    expect(await rows()).toHaveLength(3);
  });

  long('carries the search to the other views', async () => {
    await list.press('/');
    await list.type('oak');
    await list.press('Enter');
    await list.click(list.find('link', 'Kanban'));
    expect(param('q')).toBe('oak');
    expect(await list.page.locator('.kanban-title').allTextContents()).toHaveLength(2);
  });
});
