import { readFile } from 'node:fs/promises';
import { makeWorkbook, workbookRow } from '@kontor/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { long, openTestApp, type TestApp } from './browser.ts';
import type { TestPage } from './test-page.ts';

const contacts = '/web?action=contacts.partners&view_type=list';
const csv = [
  'Name;E-mail;country;Customer since;Whatever',
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
    app = await openTestApp({ apps: ['contacts'], hasBus: true, keepsClient: true });
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
    await desk.page.getByLabel('File to import').setInputFiles(file(name, content));
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
    expect(await desk.text('dialog [role=alert]')).toContain('This workbook cannot be read');
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
    expect(await desk.text('.import-verdict')).toBe('2 rows cannot be imported. Nothing was imported.');
    expect(await desk.page.locator('.import-preview .import-bad').allInnerTexts()).toEqual([
      expect.stringContaining('There is no Country "Atlantis"'),
      expect.stringContaining('A value is required.'),
    ]);
    expect(await desk.page.locator('.import-told').allInnerTexts()).toEqual([
      expect.stringMatching(/country\s+Atlantis\s+1 row\s+There is no Country "Atlantis".\s+Row 3/),
      expect.stringMatching(/Name\s+1 row\s+A value is required.\s+Row 4/),
    ]);
    await shoot('checked');
    await desk.checkAccessible();
    expect(await partners([])).toEqual([]);

    // What was chosen is still there for whoever comes back.
    await desk.page.reload();
    await desk.idle();
    expect(await desk.page.getByLabel('Field for Customer since').inputValue()).toMatch(/company/i);
    await desk.page.getByLabel('Skip invalid rows').check();
    await desk.idle();
    await desk.click(desk.find('button', 'Import 4 rows'));
    // To the stored `next`, with the way back to what was left out.
    expect(new URL(desk.page.url()).searchParams.get('action')).toBe('contacts.partners');
    await shoot('skipped');
    await desk.click(desk.find('button', 'Show skipped rows'));
    expect(await desk.page.locator('.import-counts dd').allInnerTexts()).toEqual(['2', '0', '2']);
    await shoot('done');
    await desk.checkAccessible();
    const [rejects] = await Promise.all([
      desk.page.waitForEvent('download'),
      desk.page.getByRole('link', { name: 'Download skipped rows' }).click(),
    ]);
    expect(await readFile(await rejects.path(), 'utf8')).toContain('Ada Lovelace,ada@lovelace.example,Atlantis');
    await desk.click(desk.find('link', 'Show the records'));
    expect(new URL(desk.page.url()).searchParams.get('action')).toBe('contacts.partners');
    // IMP-21: these two, though there are others.
    expect(await desk.page.locator('.list-row').count()).toBe(2);
    expect(await desk.text('.searchbar')).toContain('Selected records');
    await shoot('records');
    expect(await partners(['name', 'is_company', 'country_id.code'])).toMatchObject([
      { name: 'Nordwind GmbH', is_company: true, 'country_id.code': 'DE' },
      { name: 'Zeta SARL', is_company: false, 'country_id.code': 'FR' },
    ]);
  });

  long('IMP-13 updates by keys alone on a phone, tells it in a toast, and is taken back by Undo', async () => {
    desk = await app.open({ path: contacts, size: 'phone' });
    const [known] = (await partners(['name'])) as [{ id: number; name: string }];
    await openDialog();
    await desk.page.getByLabel('Create or update').check();
    await choose('again.csv', `id,name,email\n${known.id},Nordwind AG,\n,Neu KG,neu@example.com\n`);
    await shoot('phone');
    await desk.checkAccessible();
    await desk.find('button', 'Check').focus();
    await desk.press('Enter');
    expect(await desk.text('.import-verdict')).toBe('No problems found: 1 records will be created and 1 updated.');
    await desk.find('button', 'Import 2 rows').focus();
    await desk.press('Enter');
    expect(desk.page.url()).toContain('action=contacts.partners');
    expect(await desk.text('.toast')).toContain('Imported 1, updated 1');
    expect(await app.rpc('core.partner', 'read', [[known.id], ['name']])).toMatchObject([{ name: 'Nordwind AG' }]);
    await desk.click(desk.find('button', 'Undo'));
    expect(await app.rpc('core.partner', 'read', [[known.id], ['name']])).toMatchObject([{ name: known.name }]);
  });

  long('IMP-13 is cancelled without a trace, in dark as well, and says by address what a plain form did', async () => {
    desk = await app.open({ path: contacts, theme: 'dark' });
    await openDialog();
    await choose('some.csv', 'city\nParis\n');
    expect(await desk.text('.import-need')).toContain('Required: Name');
    await shoot('dark');
    await desk.checkAccessible();
    await desk.click(desk.find('button', 'Cancel the import'));
    expect(desk.page.url()).toContain('action=contacts.partners');
    await desk.go(`${contacts}&msg=imported_3_updated_0_skipped_1`);
    expect(await desk.text('.toast')).toContain('Imported 3, updated 0, skipped 1');
    expect(desk.page.url()).not.toContain('msg=');
  });

  long(
    'IMP-24 a workbook: its sheet is chosen, the same mistakes are settled together, and these records are shown',
    async () => {
      desk = await app.open({ path: contacts });
      const rows = [
        ['Firma', 'Courriel', 'Land', 'Tel.', 'Sprache'],
        ...Array.from({ length: 12 }, (_, n) => [
          `Kunde ${n}`,
          `k${n}@work.example`,
          n % 3 ? 'Deutchland' : 'FR',
          '030',
          'de_DE',
        ]),
        ['Weg', 'weg@work.example', 'Nirgendwo', '', ''],
      ];
      const sheet = rows.map((cells, at) => workbookRow(at + 1, cells)).join('');
      await openDialog();
      await choose(
        'kunden.xlsx',
        makeWorkbook({ sheets: { Info: workbookRow(1, ['Stand', 'x']) + workbookRow(2, ['1', 'y']), Kunden: sheet } }),
      );
      await desk.page.getByLabel('Sheet', { exact: true }).selectOption('Kunden');
      await desk.idle();
      await mapTo('Firma', 'name');
      expect(await desk.page.getByLabel('Field for Courriel').inputValue()).toBe('E-mail');
      expect(await desk.page.getByLabel('Field for Tel.').inputValue()).toBe('Phone');
      await desk.click(desk.find('button', 'Check'));
      desk.forgive(/422/);
      expect(await desk.page.locator('.import-told').allInnerTexts()).toEqual([
        expect.stringMatching(/Land\s+Deutchland\s+8 rows\s+There is no Country "Deutchland".\s+Rows 3, 4, 6, 7, 9 …/),
        expect.stringMatching(/Land\s+Nirgendwo\s+1 row/),
      ]);
      await shoot('problems');
      await desk.checkAccessible();
      await desk.page.getByLabel('Use instead of Deutchland').fill('German');
      await desk.idle();
      await desk.press('Enter');
      await desk.click(desk.page.locator('.import-problem').nth(1).getByRole('button', { name: 'Skip the rows' }));
      expect(await desk.page.locator('.import-settled').allInnerTexts()).toEqual([
        expect.stringContaining('Becomes Germany'),
        expect.stringContaining('These rows will be skipped'),
      ]);
      await shoot('settled');
      await desk.checkAccessible();
      // The choices are kept with the batch.
      await desk.page.reload();
      await desk.idle();
      await desk.click(desk.find('button', 'Check'));
      expect(await desk.text('.import-verdict')).toBe('No problems found: 12 records will be created.');
      await desk.click(desk.find('button', 'Import 13 rows'));
      expect(await desk.page.locator('.import-counts dd').allInnerTexts()).toEqual(['12', '0', '1']);
      await desk.click(desk.find('link', 'Show the records'));
      expect(await desk.page.locator('.list-row').count()).toBe(12);
      const made = await app.rpc<object[]>(
        'core.partner',
        'search_read',
        [[['email', 'like', '@work.example']], ['country_id.code']],
        { order: 'id' },
      );
      expect(made.slice(0, 2)).toMatchObject([{ 'country_id.code': 'FR' }, { 'country_id.code': 'DE' }]);
    },
  );

  long(
    'IMP-27, IMP-28, IMP-30, IMP-31 people with their companies: sure and unsure columns, all created, duplicates decided',
    async () => {
      await app.rpc('core.partner', 'create_many', [
        [
          { name: 'Old Ann', email: 'ann@people.test' },
          { name: 'Old Bob', email: 'bob@people.test' },
        ],
      ]);
      const rows = [
        'Name;Firma;E-Mail;Strase;Umsatz',
        'Änn;Müller AG;ann@people.test;Weg 1;100',
        'Bob;Müller AG;bob@people.test;;',
        'Cid;Zett SA;cid@people.test;;',
        'Cid again;Zett SA;cid@people.test;;',
      ];
      desk = await app.open({ path: contacts });
      await openDialog();
      await choose('people.csv', Buffer.from(rows.join('\n'), 'latin1'));
      expect(await desk.text('.import-need')).toContain('The file was read as Windows-1252');
      expect(await desk.page.locator('.import-guess').allInnerTexts()).toEqual([
        'Same name',
        'Another name for this field',
        'Same name',
        'Similar name: please check',
      ]);
      expect(await desk.page.getByLabel('Field for Umsatz').inputValue()).toBe('');
      await desk.checkAccessible();
      await desk.click(desk.find('button', 'Check'));
      desk.forgive(/422/);
      await desk.click(desk.find('button', 'Create all'));
      await desk.click(desk.find('button', 'Check'));
      desk.forgive(/422/);
      expect(await desk.page.locator('.import-told').allInnerTexts()).toEqual([
        expect.stringMatching(/ann@people.test\s+1 row\s+There is a Contact with this value already: Old Ann./),
        expect.stringMatching(/bob@people.test\s+1 row/),
        expect.stringMatching(/cid@people.test\s+1 row\s+Row 4 has the same value./),
      ]);
      await shoot('duplicates');
      await desk.checkAccessible();
      await desk.click(
        desk.page.locator('.import-problem', { hasText: 'cid@people.test' }).getByText('Only the first row'),
      );
      await desk.click(desk.find('button', 'Update all'));
      await desk.click(desk.find('button', 'Import 4 rows'));
      expect(await desk.page.locator('.import-counts dd').allInnerTexts()).toEqual(['1', '2', '1']);
      const made = () =>
        app.rpc<object[]>(
          'core.partner',
          'search_read',
          [[['email', 'like', '@people.test']], ['name', 'parent_id.name']],
          {
            order: 'id',
          },
        );
      expect(await made()).toMatchObject([
        { name: 'Änn', 'parent_id.name': 'Müller AG' },
        { name: 'Bob', 'parent_id.name': 'Müller AG' },
        { name: 'Cid', 'parent_id.name': 'Zett SA' },
      ]);
      await desk.click(desk.find('button', 'Undo'));
      expect(await made()).toMatchObject([{ name: 'Old Ann', 'parent_id.name': null }, { name: 'Old Bob' }]);
      expect(await app.rpc('core.partner', 'search', [[['name', 'in', ['Müller AG', 'Zett SA']]]])).toEqual([]);
    },
  );

  it('IMP-24 begins from an empty list and from a board as well', async () => {
    desk = await app.open({ path: '/web?model=core.partner.tag&view_type=list' });
    await desk.click(desk.find('button', 'Import …'));
    await choose('tags.csv', 'Name\nred\nblue\n');
    await desk.click(desk.find('button', 'Import 2 rows'));
    expect(await desk.page.locator('.list-row').count()).toBe(2);
    await desk.go('/web?action=contacts.partners&view_type=kanban');
    await openDialog();
    await shoot('board');
    expect(await desk.find('link', 'Download a template with these columns').getAttribute('href')).toContain('name');
    await choose('one.csv', 'Name\nFrom the board\n');
    await desk.click(desk.find('button', 'Import 1 row'));
    // Back to where it began.
    expect(new URL(desk.page.url()).searchParams.get('view_type')).toBe('kanban');
    await desk.click(desk.find('button', 'Undo'));
  });
});
