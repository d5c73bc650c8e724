import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openTestApp, type TestApp } from './browser.ts';
import type { TestPage } from './test-page.ts';

const contacts = '/web?action=contacts.partners&view_type=list';
const csv = [
  'Name;E-mail;country;Customer since;Remark',
  'Nordwind GmbH;post@nordwind.example;Germany;x;old customer',
  'Ada Lovelace;ada@lovelace.example;Atlantis;;',
  ';nobody@example.com;France;;no name',
  'Zeta SARL;zeta@example.com;France;;',
].join('\n');
const file = (name: string, content: string | Buffer) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(content) });

describe('an import', () => {
  let app: TestApp;
  let desk: TestPage;
  beforeAll(async () => {
    app = await openTestApp({ apps: ['contacts'], hasBus: true });
  });
  afterAll(() => app.close());
  afterEach(async () => {
    expect(desk.problems).toEqual([]);
    await desk.close();
  });

  const partners = (fields: readonly string[]) =>
    app.rpc<Record<string, unknown>[]>('core.partner', 'search_read', [[['email', 'ilike', 'example']], fields], {
      order: 'id',
    });
  const shoot = async (name: string) => {
    const folder = process.env.KONTOR_TEST_PICTURES;
    if (folder) await desk.page.screenshot({ path: `${folder}/${name}.png`, fullPage: false });
  };
  const choose = async (name: string, content: string | Buffer) => {
    await desk.page.getByLabel('CSV file').setInputFiles(file(name, content));
    await desk.idle();
  };
  const openDialog = async () => {
    await desk.click(desk.find('button', 'More'));
    await desk.click(desk.find('menuitem', 'Import …'));
  };
  const mapTo = async (column: string, typed: string) => {
    await desk.page.getByLabel(`Field for ${column}`).fill(typed);
    await desk.press('Enter');
  };

  it('IMP-13 goes from the list to a file, its mapping, a check, and the records', async () => {
    desk = await app.open({ path: contacts });
    await openDialog();
    await shoot('dialog');
    await desk.checkAccessible();
    await choose('book.xlsx', Buffer.from([0x50, 0x4b, 3, 4, 1, 2]));
    expect(await desk.text('dialog [role=alert]')).toContain('Save it as "CSV UTF-8"');
    desk.forgive(/422/);
    await choose('customers.csv', csv);
    expect(desk.page.url()).toContain('model=sys.bulk.import&view_type=form');
    await shoot('mapping');
    await desk.checkAccessible();
    const chosen = await desk.page
      .locator('.import-choice')
      .evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value));
    expect(chosen.slice(0, 3)).toEqual(['Name', 'E-mail', 'Country']);
    expect(chosen[4]).toBe('');

    await mapTo('Customer since', 'is a comp');
    await desk.click(desk.find('button', 'Check'));
    desk.forgive(/422/);
    expect(await desk.text('.import-verdict')).toBe('2 rows cannot be imported. Nothing was written.');
    expect(await desk.page.locator('.import-preview .import-bad').allInnerTexts()).toEqual([
      expect.stringContaining('There is no Country "Atlantis"'),
      expect.stringContaining('A value is required.'),
    ]);
    expect(await desk.page.locator('.import-problems tbody tr').allInnerTexts()).toEqual([
      expect.stringMatching(/^3\s+country\s+There is no Country/),
      expect.stringMatching(/^4\s+Name\s+A value is required/),
    ]);
    await shoot('checked');
    await desk.checkAccessible();
    expect(await partners([])).toEqual([]);

    // What was chosen is still there for whoever comes back.
    await desk.page.reload();
    await desk.idle();
    expect(await desk.page.getByLabel('Field for Customer since').inputValue()).toMatch(/company/i);
    await desk.page.getByLabel('Skip bad rows').check();
    await desk.idle();
    await desk.click(desk.find('button', 'Import 4 rows'));
    expect(await desk.page.locator('.import-counts dd').allInnerTexts()).toEqual(['2', '0', '2']);
    await shoot('done');
    await desk.checkAccessible();
    const [rejects] = await Promise.all([
      desk.page.waitForEvent('download'),
      desk.page.getByRole('link', { name: 'Download the rows that were skipped' }).click(),
    ]);
    expect(await readFile(await rejects.path(), 'utf8')).toContain('Ada Lovelace,ada@lovelace.example,Atlantis');
    await desk.click(desk.find('link', 'Show the records'));
    expect(new URL(desk.page.url()).searchParams.get('action')).toBe('contacts.partners');
    expect(await partners(['name', 'is_company', 'country_id.code'])).toMatchObject([
      { name: 'Nordwind GmbH', is_company: true, 'country_id.code': 'DE' },
      { name: 'Zeta SARL', is_company: false, 'country_id.code': 'FR' },
    ]);
  });

  it('IMP-13 updates by keys alone on a phone, tells it in a toast, and is taken back by Undo', async () => {
    desk = await app.open({ path: contacts, size: 'phone' });
    const [known] = (await partners(['name'])) as [{ id: number; name: string }];
    await openDialog();
    await desk.page.getByLabel('Create or update').check();
    await choose('again.csv', `id,name,email\n${known.id},Nordwind AG,\n,Neu KG,neu@example.com\n`);
    await shoot('phone');
    await desk.checkAccessible();
    await desk.find('button', 'Check').focus();
    await desk.press('Enter');
    expect(await desk.text('.import-verdict')).toBe('All good: 1 records would be made and 1 updated.');
    await desk.find('button', 'Import 2 rows').focus();
    await desk.press('Enter');
    expect(desk.page.url()).toContain('action=contacts.partners');
    expect(await desk.text('.toast')).toContain('Imported 1, updated 1');
    expect(await app.rpc('core.partner', 'read', [[known.id], ['name']])).toMatchObject([{ name: 'Nordwind AG' }]);
    await desk.click(desk.find('button', 'Undo'));
    expect(await app.rpc('core.partner', 'read', [[known.id], ['name']])).toMatchObject([{ name: known.name }]);
  });

  it('IMP-13 is cancelled without a trace, in dark as well, and says by address what a plain form did', async () => {
    desk = await app.open({ path: contacts, theme: 'dark' });
    await openDialog();
    await choose('some.csv', 'city\nParis\n');
    expect(await desk.text('.import-need')).toContain('Still needed: Name');
    await shoot('dark');
    await desk.checkAccessible();
    await desk.click(desk.find('button', 'Cancel the import'));
    expect(desk.page.url()).toContain('action=contacts.partners');
    await desk.go(`${contacts}&msg=imported_3_updated_0_skipped_1`);
    expect(await desk.text('.toast')).toContain('Imported 3, updated 0, skipped 1');
    expect(desk.page.url()).not.toContain('msg=');
  });
});
