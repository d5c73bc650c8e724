import { readFile } from 'node:fs/promises';
import { inflateRawSync } from 'node:zlib';
import { pdfPages } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { long } from './browser.ts';
import { type Gallery, openGallery } from './gallery.ts';
import type { TestPage } from './test-page.ts';

const pieces = '/web?action=gallery.pieces&view_type=list';

/** The one sheet of a workbook: its entry is the last before the directory of the ZIP. */
function sheetXml(zip: Buffer): string {
  const name = Buffer.from('xl/worksheets/sheet1.xml');
  const at = zip.indexOf(name);
  return inflateRawSync(zip.subarray(at + name.length)).toString();
}

describe('the export of what is seen', () => {
  let app: Gallery;
  let ids: number[];
  beforeAll(async () => {
    app = await openGallery({ keepsClient: true });
    const artist_id = await app.make('artist', { name: 'Hilma, "the" Painter' });
    const currency_id = await app.currency('EUR');
    ids = await app.rpc<number[]>('gallery.piece', 'create_many', [
      [
        { name: '=Dawn', sequence: 1, price: 100.5, currency_id },
        { name: '夜 Night', sequence: 2, price: 250, currency_id, artist_id },
        { name: 'Dusk', sequence: 3, price: 40, currency_id, artist_id, active: true },
      ],
    ]);
  });
  afterAll(() => app.close());

  const dialog = (page: TestPage) => page.page.locator('dialog[open]');
  const columns = (page: TestPage) => page.page.locator('.export-column-label').allInnerTexts();
  const openFromMenu = async (page: TestPage) => {
    await page.click(page.page.locator('main .bar').getByRole('button', { name: 'More', exact: true }));
    await page.click(page.find('menuitem', 'Export …'));
    await dialog(page).waitFor();
  };
  const save = async (page: TestPage, name: string | RegExp) => {
    const coming = page.page.waitForEvent('download');
    await page.find('button', name).click();
    const file = await coming;
    await page.idle();
    expect(await file.failure()).toBeNull();
    return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
  };

  it('EXP-13 EXP-15 columns are chosen and ordered by keyboard, the file comes as it is named, and the choice is kept', async () => {
    const page = await app.open({ path: pieces });
    await openFromMenu(page);
    await page.checkAccessible();
    const before = await columns(page);
    expect(before[0]).toBe('Title');
    await page.page.getByPlaceholder('Find a field').fill('sequ');
    await page.press('Enter');
    expect(await columns(page)).toEqual([...before, 'Sequence']);
    await page.page.locator('[data-name="name"] button').last().focus();
    await page.press('Alt+ArrowDown');
    expect((await columns(page))[1]).toBe('Title');
    for (const label of (await columns(page)).filter((one) => !['Title', 'Sequence', 'Artist'].includes(one))) {
      await page.click(page.find('button', `Leave ${label} out`));
    }
    const book = await save(page, 'Export 3 records');
    expect(book.name).toMatch(/^.+ \d{4}-\d\d-\d\d\.xlsx$/);
    const cells = sheetXml(book.bytes);
    for (const part of ['>Artist<', '>=Dawn<', '>夜 Night<', '<v>2</v>', '>Hilma, &quot;the&quot; Painter<'])
      expect(cells).toContain(part);
    await openFromMenu(page);
    await page.page.getByLabel('CSV, for a new import').check();
    const { name, bytes } = await save(page, 'Export 3 records');
    expect(name).toMatch(/^.+ \d{4}-\d\d-\d\d\.csv$/);
    const [header, first] = bytes.toString().split('\r\n');
    expect(header?.split(',')).toHaveLength(4);
    expect(header).toMatch(/^\ufeffid,/);
    expect(first).toContain(`'=Dawn`);
    expect(await dialog(page).count()).toBe(0);
    await openFromMenu(page);
    expect(new Set(await columns(page))).toEqual(new Set(['Artist', 'Title', 'Sequence']));
    await page.click(page.find('button', 'As shown'));
    expect(await columns(page)).toEqual(before);
    await page.press('Escape');
    expect(await dialog(page).count()).toBe(0);
    expect(page.problems).toEqual([]);
  });

  long(
    'EXP-13 EXP-15 rows that are chosen alone, with names, or as a PDF that a thread of the server draws',
    async () => {
      const page = await app.open({ path: pieces });
      await page.click(page.page.locator('tr[data-row]', { hasText: 'Night' }).getByRole('checkbox'));
      await page.click(page.find('button', 'Export'));
      await page.click(page.find('button', 'As shown'));
      await page.page.getByLabel('CSV, with names and labels').check();
      const csv = await save(page, 'Export 1 record');
      expect(csv.bytes.toString()).toMatch(/^\ufeffTitle,/);
      expect(csv.bytes.toString()).toContain('"Hilma, ""the"" Painter"');
      expect(csv.bytes.toString().trim().split('\r\n')).toHaveLength(2);
      await page.click(page.find('button', 'Export'));
      await page.page.getByLabel('PDF, for printing').check();
      await page.page.getByLabel('Paper size').selectOption('letter');
      const pdf = await save(page, 'Export 1 record');
      expect(pdf.name).toMatch(/\.pdf$/);
      const [sheet] = pdfPages(pdf.bytes);
      for (const words of ['夜 Night', 'Hilma, "the" Painter', '€250.00', 'Page 1 of 1'])
        expect(sheet).toContain(words);
      expect(page.problems).toEqual([]);
    },
  );

  long('EXP-13 on a phone, by the palette, from a form; what is wrong is said in the dialog', async () => {
    const phone = await app.open({ path: pieces, size: 'phone' });
    await openFromMenu(phone);
    await phone.checkAccessible();
    await phone.press('Escape');
    const page = await app.open({ path: `/web?action=gallery.pieces&view_type=form&id=${ids[2]}` });
    await page.press('Control+k');
    await page.type('export');
    await page.press('Enter');
    await dialog(page).waitFor();
    await app.rpc('gallery.piece', 'unlink', [[ids[2]]]);
    await page.click(page.find('button', 'Export 1 record'));
    expect(await page.text(dialog(page).getByRole('alert'))).not.toBe('');
    page.forgive(/404/);
    expect(page.problems).toEqual([]);
    expect(phone.problems).toEqual([]);
  });
});
