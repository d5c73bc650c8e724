import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { long, openTestApp, type TestApp } from './browser.ts';
import type { TestPage } from './test-page.ts';

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe('the files of a record', () => {
  let app: TestApp;
  let desk: TestPage;
  let path: string;
  beforeAll(async () => {
    app = await openTestApp({ apps: ['contacts'], keepsClient: true });
    const id = await app.rpc<number>('core.partner', 'create', [{ name: 'Fjordkontoret AS', is_company: true }]);
    path = `/web?action=contacts.partners&view_type=form&id=${id}`;
    desk = await app.open({ path });
  });
  afterAll(() => app.close());

  const tab = (page: TestPage) => page.find('tab', /^Files/);
  const names = (page: TestPage) => page.page.locator('.files-open b').allInnerTexts();

  it('SCN-48 are a tab with their number; several are dropped in at once', async () => {
    expect(await desk.text(tab(desk))).toBe('Files');
    await desk.click(tab(desk));
    const given = await desk.page.evaluateHandle(() => {
      const data = new DataTransfer();
      data.items.add(new File(['Dear all'], 'letter.txt', { type: 'text/plain' }));
      data.items.add(new File(['a,b'], 'table.csv', { type: 'text/csv' }));
      return data;
    });
    await desk.page.dispatchEvent('.files', 'drop', { dataTransfer: given });
    await expect.poll(() => names(desk)).toEqual(['table.csv', 'letter.txt']);
    await desk.page.locator('.files input[type=file]').setInputFiles([
      { name: 'plan.png', mimeType: 'image/png', buffer: pixel },
      { name: 'huge.bin', mimeType: 'application/zip', buffer: Buffer.alloc(3_000_000, 1) },
    ]);
    await expect.poll(() => names(desk)).toEqual(['plan.png', 'table.csv', 'letter.txt']);
    expect(await desk.text('.toast-error')).toContain('huge.bin');
    await desk.click(desk.page.locator('.toast-error').getByRole('button', { name: 'Close' }));
    await expect.poll(() => desk.text(tab(desk))).toMatch(/Files\s+3/);
    await desk.checkAccessible();
  });

  it('SCN-48 are looked at in place', async () => {
    await desk.click(desk.page.locator('.files-open').first());
    const dialog = desk.find('dialog');
    expect(
      await dialog.locator('img').evaluate((img: HTMLImageElement) => img.decode().then(() => img.naturalWidth)),
    ).toBe(1);
    await desk.click(dialog.getByRole('button', { name: 'Next' }));
    await desk.click(dialog.getByRole('button', { name: 'Next' }));
    expect(await desk.text(dialog.locator('pre'))).toBe('Dear all');
    await desk.checkAccessible();
    await desk.press('Escape');
    expect(await dialog.count()).toBe(0);
    expect(desk.page.url()).toContain('view_type=form');
  });

  long('SCN-48 a PDF is shown by the viewer of the browser, and no page of ours', async () => {
    const pdf = Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>');
    await desk.page
      .locator('.files input[type=file]')
      .setInputFiles({ name: 'offer.pdf', mimeType: 'application/pdf', buffer: pdf });
    await expect.poll(() => names(desk)).toContain('offer.pdf');
    await desk.click(desk.page.locator('.files-open').first());
    const frame = desk.find('dialog').locator('iframe, p');
    await frame.first().waitFor();
    const source = await desk.page.evaluate(() => document.querySelector('iframe')?.src ?? 'none');
    expect(source).toMatch(/^(blob:http:\/\/127|none)/);
    // The viewer has the keys.
    await desk.click(desk.find('dialog').getByRole('button', { name: 'Close' }));
  });

  long('SCN-48 several are downloaded as one ZIP, and removed with Undo', async () => {
    for (const name of ['letter.txt', 'table.csv']) await desk.page.getByLabel(`Select ${name}`).check();
    const head = desk.page.locator('.files-head');
    const [file] = await Promise.all([
      desk.page.waitForEvent('download'),
      head.getByRole('button', { name: 'Download' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('Files.zip');
    const bytes = readFileSync(await file.path()).toString('latin1');
    expect([bytes.slice(0, 2), bytes.includes('letter.txt'), bytes.includes('table.csv')]).toEqual(['PK', true, true]);
    await desk.click(head.getByRole('button', { name: 'Remove' }));
    await expect.poll(() => names(desk)).toEqual(['offer.pdf', 'plan.png']);
    await desk.click(desk.find('button', 'Undo'));
    await expect.poll(() => names(desk)).toEqual(['offer.pdf', 'plan.png', 'table.csv', 'letter.txt']);
    expect(desk.problems).toEqual([]);
  });

  long('PRS-7 those that may be a person’s are looked at and ticked by who is in charge of personal data', async () => {
    const person = await app.rpc<number>('core.partner', 'create', [{ name: 'Mia Lund' }]);
    await desk.page
      .locator('.files input[type=file]')
      .setInputFiles({ name: 'CV_Lund-Mia.txt', mimeType: 'text/plain', buffer: Buffer.from('Born in May') });
    await expect.poll(() => names(desk)).toContain('CV_Lund-Mia.txt');
    const office = await app.open({ path: `/web?action=contacts.partners&view_type=form&id=${person}` });
    const downloaded = async (click: () => Promise<unknown>) => {
      const [file] = await Promise.all([office.page.waitForEvent('download'), click()]);
      return readFileSync(await file.path()).toString('utf8');
    };
    await office.click(office.find('button', 'More'));
    await office.click(office.find('menuitem', 'Personal data'));
    await office.page.getByText('CV_Lund-Mia.txt').waitFor();
    await office.checkAccessible();
    await office.click(office.find('button', 'Open line 1'));
    const line = office.find('dialog');
    expect(await downloaded(() => line.getByRole('button', { name: 'Review' }).click())).toBe('Born in May');
    await office.click(line.getByRole('checkbox', { name: 'Theirs' }));
    await office.click(line.getByRole('button', { name: 'Done' }));
    expect(await downloaded(() => office.find('button', 'Export').click())).toContain('Born in May');
    expect(office.problems).toEqual([]);
  });

  long('SCN-48 are there on a phone too', async () => {
    const phone = await app.open({ path, size: 'phone' });
    await phone.click(tab(phone));
    expect((await names(phone)).length).toBe(5);
    await phone.checkAccessible();
    expect(await phone.page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  });
});
