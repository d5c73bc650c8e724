import { isLong } from '@kontor/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { long } from './browser.ts';
import { type Gallery, openGallery } from './gallery.ts';
import { rendersOf, watchRenders } from './renders.ts';
import { holdAnswers, watchChanges } from './rpc-calls.ts';
import type { TestPage } from './test-page.ts';

interface Part {
  readonly id: number;
  readonly name: string;
  readonly quantity: number;
  readonly price: number;
}

/** The lines of a record as a sheet. */
describe('the grid of a form', () => {
  let app: Gallery;
  let page: TestPage;
  let hilma: number;
  beforeAll(async () => {
    app = await openGallery();
    hilma = await app.make('artist', { name: 'Hilma', fee: 50 });
  });
  afterAll(() => app.close());
  afterEach(async () => {
    expect(page.problems).toEqual([]);
    await page.close();
  });

  const open = async (values: object) => {
    const id = await app.make('piece', values);
    page = await app.open({ path: `/web?action=gallery.pieces&view_type=form&id=${id}` });
    return id;
  };
  const parts = async (id: number) => {
    const found = await app.look<{ part_ids: Part[] }>('piece', id, [{ part_ids: ['name', 'quantity', 'price'] }]);
    return found.part_ids;
  };
  const cell = (row: number, label: string) => ({
    async find() {
      // The form may be there before its lines are.
      await page.find('columnheader').filter({ hasText: label }).first().waitFor();
      const heads = await page.find('columnheader').allInnerTexts();
      const at = heads.findIndex((head) => head.trim() === label);
      return page.find('row').nth(row).getByRole('gridcell').nth(at);
    },
  });
  const enter = async (row: number, label: string) => page.click(await cell(row, label).find());
  const shown = async (row: number, label: string) => page.text(await cell(row, label).find());
  const column = async (label: string) => {
    const rows = (await page.find('row').count()) - 1;
    return Promise.all(Array.from({ length: rows }, (_, at) => shown(at + 1, label)));
  };

  long('SCN-66 draws one cell for what is typed into one of a thousand lines', async () => {
    const lines = Array.from({ length: 1000 }, (_, n) => ['create', { name: `Part ${n}`, sequence: n, price: 1 }]);
    const id = await open({ name: 'Many', part_ids: lines });
    await watchRenders(page);
    await page.go(`/web?action=gallery.pieces&view_type=form&id=${id}`);
    await enter(3, 'Quantity');
    const drawn = await rendersOf(page, '.grid-row .grid-cell', () => page.type('5'));
    // Its subtotal follows.
    expect(drawn).toEqual(['2', '2 5.00']);
    // Few rows are there, wherever one scrolls to.
    await page.page.locator('.grid-scroll').evaluate((one) => one.scrollTo(0, one.scrollHeight));
    await page.page.getByText('Part 999').waitFor();
    expect(await page.page.locator('.grid-row').count()).toBeLessThan(60);
    await page.press('Control+s');
  });

  long(
    'SCN-68 saves behind the person who left; what is refused says so, and is there again with its lines',
    async () => {
      const id = await app.make('piece', { name: 'Noon', part_ids: [['create', { name: 'Canvas', quantity: 1 }]] });
      page = await app.open({ path: '/web?action=gallery.pieces&view_type=list' });
      const link = (name: string) => page.page.locator('.list-link', { hasText: name });
      const title = page.page.getByLabel('Title', { exact: true });
      const changed = () =>
        page.page
          .locator('.grid-changed')
          .evaluateAll((cells) =>
            cells
              .filter((one) => getComputedStyle(one, '::after').display !== 'none')
              .map(({ textContent }) => textContent),
          );
      const answer = await holdAnswers(page);
      await page.click(link('Noon'));
      await title.fill('Untitled');
      await enter(1, 'Quantity');
      await page.page.keyboard.press('Control+a');
      await page.type('3');
      await page.click(page.find('button', /Add a line/));
      await page.type('Frame');
      expect(await changed()).toEqual(['3']);
      await page.page.keyboard.press('Control+s');
      await page.page.getByText('Saving …').waitFor();
      expect(await changed()).toEqual([]);
      await page.page.goBack();
      await link('Untitled').waitFor();
      await answer();
      const toast = page.page.locator('.toast', { hasText: 'Untitled was not saved.' });
      await toast.getByText('Give it a title of its own.').waitFor();
      await page.click(link('Noon'));
      expect([await title.inputValue(), await changed()]).toEqual(['Untitled', ['3']]);
      await title.fill('Noon again');
      await page.press('Control+s');
      expect(await parts(id)).toMatchObject([{ name: 'Canvas', quantity: 3 }, { name: 'Frame' }]);
      page.forgive(/422/);
    },
  );

  long('asks the line what follows, with what is typed around it and not saved', async () => {
    const id = await open({ name: 'Rated', rate: 1 });
    await page.page.getByLabel('Rate', { exact: true }).fill('3');
    await page.click(page.find('button', /Add a line/));
    await page.type('Canvas');
    await page.press('Tab');
    await page.type('Hil');
    await page.press('Enter');
    expect(await shown(1, 'Price')).toContain('150');
    expect(await shown(1, 'Subtotal')).toContain('150');
    await page.press('Control+s');
    expect(await parts(id)).toMatchObject([{ name: 'Canvas', price: 150, quantity: 1 }]);
  });

  long('does so in the panel of a line as well, and keeps a price that was set there', async () => {
    const id = await open({ name: 'Panelled', rate: 1, part_ids: [['create', { name: 'Frame', price: 1 }]] });
    await page.page.getByLabel('Rate', { exact: true }).fill('2');
    await page.find('row').nth(1).hover();
    await page.click(page.find('button', 'Open line 1'));
    const panel = page.find('dialog', 'Parts');
    await panel.getByRole('combobox', { name: 'Artist' }).fill('Hil');
    await page.idle();
    await page.click(page.find('option', 'Hilma'));
    expect(await panel.getByLabel('Price').inputValue()).toContain('100');
    await panel.getByLabel('Price').fill('88');
    await page.checkAccessible();
    await page.click(panel.getByRole('button', { name: 'Done' }));
    expect(await shown(1, 'Price')).toContain('88');
    await page.press('Control+s');
    expect(await parts(id)).toMatchObject([{ name: 'Frame', price: 88 }]);
  });

  long('puts new lines on top where the view says so', async () => {
    const id = await open({ name: 'Visited', visit_ids: [['create', { name: 'First' }]] });
    await page.click(page.find('tab', 'Visits'));
    await page.click(page.find('button', /Add a line/));
    await page.type('Second');
    await page.press('Enter');
    await page.press('Enter');
    await page.type('Third');
    expect((await column('Visitor')).slice(1)).toEqual(['Second', 'First']);
    expect(await page.page.locator('.grid-edit input').inputValue()).toBe('Third');
    await page.press('Control+s');
    const saved = await app.look<{ visit_ids: unknown[] }>('piece', id, ['visit_ids']);
    expect(saved.visit_ids).toHaveLength(3);
  });

  long('WSP-23 shows optional columns when asked, and keeps that on the server', async () => {
    await open({ name: 'Wide', part_ids: [['create', { name: 'Frame', note: 'Handle with care' }]] });
    const heads = () => page.find('columnheader').allInnerTexts();
    expect(await heads()).not.toContain('Note');
    await page.click(page.page.locator('.grid-head').getByRole('button', { name: 'Columns' }));
    await page.click(page.find('menuitemcheckbox', 'Note'));
    await page.click(page.find('menuitemcheckbox', 'Day'));
    await page.press('Escape');
    expect(await shown(1, 'Note')).toBe('Handle with care');
    await page.page.reload();
    await page.idle();
    expect(await heads()).toContain('Note');
    expect(await heads()).not.toContain('Day');
    await page.checkAccessible();
  });

  it('cuts long texts with an ellipsis instead of letting them run on', async () => {
    await open({
      name: 'Long',
      part_ids: [['create', { name: 'A very long name that no column could ever hold '.repeat(4) }]],
    });
    const value = (await cell(1, 'Part').find()).locator('.grid-value');
    const style = await value.evaluate((one) => {
      const { textOverflow, overflow } = getComputedStyle(one);
      return { textOverflow, overflow, isCut: one.scrollWidth > one.clientWidth };
    });
    expect(style).toEqual({ textOverflow: 'ellipsis', overflow: 'hidden', isCut: true });
  });

  long('takes very many lines: typed, doubled, moved, deleted and pasted by keyboard, saved in one call', async () => {
    const many = isLong ? 1000 : 200;
    const lines = Array.from({ length: many }, (_, at) => ['create', { name: `Line ${at + 1}`, sequence: at + 1 }]);
    const id = await open({ name: 'Many', part_ids: lines });
    const calls = watchChanges(page);
    expect(await page.find('grid').getAttribute('aria-rowcount')).toBe(String(many + 1));
    expect(await page.find('row').count()).toBeLessThan(60);
    await enter(1, 'Part');
    await page.page.keyboard.press('Control+a');
    await page.type('First');
    await page.press('Control+d');
    await page.press('Control+Delete');
    await page.press('Control+d');
    await page.press('Alt+ArrowDown');
    await page.page.keyboard.press('Control+a');
    await page.type('Double');
    await page.press('ArrowDown');
    await page.press('Control+Delete');
    await page.page.evaluate(() => {
      const data = new DataTransfer();
      data.setData('text/plain', 'Pasted one\tHilma\t7\t1.50\r\nPasted two\tNobody\t8\t2.50\r\n');
      document.activeElement?.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
    });
    await page.page.getByText('1 cell was not understood').waitFor();
    const wrong = page.page.locator('.grid-wrong');
    expect([await wrong.count(), await wrong.getAttribute('title')]).toEqual([1, expect.stringContaining('“Nobody”')]);
    await wrong.click();
    await page.page.keyboard.press('Control+a');
    await page.type('Hilma');
    await page.press('Enter');
    expect(await wrong.count()).toBe(0);
    await page.page.locator('.grid-windowed').evaluate((one) => one.scrollTo(0, one.scrollHeight));
    await page.click(page.find('button', /Add a line/));
    await page.type('Last');
    await page.idle();
    await page.press('Control+s');
    expect(calls.map(({ method }) => method)).toEqual(['write']);
    const [, sent] = (calls[0]?.args ?? []) as [number[], { part_ids: [string][] }];
    const commands = sent.part_ids.map(([verb]) => verb);
    expect(commands.filter((verb) => verb === 'delete')).toHaveLength(1);
    expect(commands.filter((verb) => verb === 'create')).toHaveLength(2);
    const after = await parts(id);
    const first = ['First', 'Line 2', 'Line 3', 'Double', 'Pasted one', 'Pasted two', 'Line 7'];
    expect(after.slice(0, 7).map(({ name }) => name)).toEqual(first);
    expect(after[4]).toMatchObject({ quantity: 7, price: 1.5, name: 'Pasted one' });
    expect(after.at(-1)?.name).toBe('Last');
    expect(after).toHaveLength(many + 1);
    const [pasted] = await app.rpc<{ artist_id: number }[]>('gallery.part', 'read', [[after[4]?.id], ['artist_id']]);
    expect(pasted?.artist_id).toBe(hilma);
  });

  long('drags a line by its grip', async () => {
    const id = await open({
      name: 'Dragged',
      part_ids: ['a', 'b', 'c'].map((name, at) => ['create', { name, sequence: at + 1 }]),
    });
    const grip = page.page.locator('.grid-grip').nth(3);
    const box = await grip.boundingBox();
    if (!box) throw new Error('There is no grip.');
    await page.page.mouse.move(box.x + 8, box.y + 12);
    await page.page.mouse.down();
    await page.page.mouse.move(box.x + 8, box.y - 50, { steps: 5 });
    await page.page.mouse.up();
    await page.idle();
    expect(await column('Part')).toEqual(['c', 'a', 'b']);
    await page.press('Control+s');
    expect((await parts(id)).map(({ name }) => name)).toEqual(['c', 'a', 'b']);
  });
});
