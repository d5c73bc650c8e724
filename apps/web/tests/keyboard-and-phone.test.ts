import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { admin, long } from './browser.ts';
import { type Gallery, openGallery } from './gallery.ts';
import type { TestPage } from './test-page.ts';

const action = '/web?action=gallery.pieces';

describe('list, form and kanban', () => {
  let app: Gallery;
  let page: TestPage;
  let room: number;
  beforeAll(async () => {
    app = await openGallery();
    room = await app.make('room', { name: 'Hall', sequence: 1 });
    for (const name of ['Dawn', 'Noon', 'Dusk']) {
      const part_ids = [['create', { name: 'Frame', quantity: 2, price: 3 }]];
      await app.make('piece', { name, room_id: room, price: 10, currency_id: await app.currency('EUR'), part_ids });
    }
  });
  afterAll(() => app.close());
  afterEach(async () => {
    expect(page.problems).toEqual([]);
    await page.close();
  });

  /** The focus goes on by Tab until it is on what is looked for. */
  const tabTo = async (name: string | RegExp) => {
    for (let step = 0; step < 60; step++) {
      const text = await page.page.evaluate(() => {
        const one = document.activeElement;
        const label = one instanceof HTMLInputElement ? (one.labels?.[0]?.textContent ?? '') : '';
        return one?.getAttribute('aria-label') ?? (label || (one?.textContent ?? ''));
      });
      const isThere = typeof name === 'string' ? text.trim().startsWith(name) : name.test(text);
      if (isThere) return;
      await page.press('Tab');
    }
    throw new Error(`Tab never comes to ${String(name)}.`);
  };

  long('lead from the sign-in to a saved record without a mouse', async () => {
    page = await app.open({ as: null });
    await page.page.goto('/web');
    await page.page.locator('input:focus').waitFor();
    await page.page.keyboard.type(admin.login);
    await page.page.keyboard.press('Tab');
    await page.page.keyboard.type(admin.password);
    await Promise.all([page.page.waitForURL(/\/web\/home|\/web$/), page.page.keyboard.press('Enter')]);
    await page.idle();
    await page.press('Control+k');
    await page.type('Gallery');
    await page
      .find('option', /Gallery/)
      .first()
      .waitFor();
    await page.press('Enter');
    expect(await page.find('grid').count()).toBe(1);
    await page.press('n');
    await page.type('By keys alone');
    await page.press('Enter');
    await page.press('Escape');
    await page.press('Control+End');
    await page.press('Home');
    await page.press('Enter');
    expect(await page.page.getByLabel('Title', { exact: true }).inputValue()).toBe('By keys alone');
    await tabTo('Artist');
    await page.type('Ester');
    await page.press('Enter');
    await page.find('dialog').waitFor();
    await tabTo('Save');
    await page.press('Enter');
    await page.find('dialog').waitFor({ state: 'detached' });
    await tabTo(/Add a line/);
    await page.press('Enter');
    await page.type('Frame');
    await page.press('Tab');
    await page.press('Tab');
    await page.page.keyboard.press('Control+a');
    await page.type('4');
    await page.press('Enter');
    await page.type('Glass');
    await page.press('Control+s');
    expect(page.page.url()).toMatch(/id=\d+/);
    const [made] = await app.rpc<
      { 'artist_id.display_name': string; part_ids: { name: string; quantity: number }[] }[]
    >('gallery.piece', 'search_read', [
      [['name', '=', 'By keys alone']],
      ['artist_id.display_name', { part_ids: ['name', 'quantity'] }],
    ]);
    expect(made?.['artist_id.display_name']).toBe('Ester');
    expect(made?.part_ids).toMatchObject([
      { name: 'Frame', quantity: 4 },
      { name: 'Glass', quantity: 1 },
    ]);
  });

  long('have their whole state in the address, so that back and forward work', async () => {
    page = await app.open({ path: `${action}&view_type=list` });
    const names = async () => (await page.page.locator('tr[data-row] [data-col="0"]').allInnerTexts()).sort();
    await page.press('/');
    await page.type('Dusk');
    await page.press('Enter');
    await page.click(page.find('button', 'Title'));
    await page.click(page.find('link', 'Kanban'));
    expect(await page.page.locator('.kanban-title').allTextContents()).toEqual(['Dusk']);
    await page.click(page.page.locator('.kanban-title', { hasText: 'Dusk' }));
    const address = page.page.url();
    expect(await page.page.getByLabel('Title', { exact: true }).inputValue()).toBe('Dusk');
    await page.page.goBack();
    await page.idle();
    expect(await page.page.locator('.kanban-title').count()).toBe(1);
    await page.page.goBack();
    await page.idle();
    expect(await names()).toEqual(['Dusk']);
    expect(await page.page.locator('th[aria-sort=ascending]').count()).toBe(1);
    await page.page.goForward();
    await page.page.goForward();
    await page.idle();
    expect(page.page.url()).toBe(address);
    expect(await page.page.getByLabel('Title', { exact: true }).inputValue()).toBe('Dusk');
  });

  long('have the buttons of a form that a phone has no room for in a menu, as long as they are there', async () => {
    const part_ids = [['create', { name: 'Frame' }]];
    const id = await app.make('piece', { name: 'Midnight', notes: 'dark', part_ids });
    page = await app.open({ path: `${action}&view_type=form&id=${id}`, size: 'phone' });
    const bar = page.page.locator('.form-bar');
    const atFoot = () => page.page.locator('.form-foot .btn').allInnerTexts();
    const inMenu = () => page.find('menuitem').allInnerTexts();
    expect(await atFoot()).toEqual(['Put on show']);
    const rows = await bar.evaluate((one) => one.getBoundingClientRect().height);
    expect(rows).toBeLessThan(130);
    await page.click(bar.getByRole('button', { name: 'More' }));
    expect(await inMenu()).toEqual([
      'Copy this',
      'New',
      'Duplicate',
      'Archive',
      'Export …',
      'History',
      'Edit this screen …',
      'States and moves …',
      'Rights …',
      'Customise …',
      'Delete',
    ]);
    const heights = await page
      .find('menuitem')
      .evaluateAll((items) => items.map((item) => item.getBoundingClientRect().height));
    expect(Math.min(...heights)).toBeGreaterThanOrEqual(44);
    await page.checkAccessible();
    await page.press('Escape');
    await page.click(page.find('button', 'Put on show'));
    expect(await atFoot()).toEqual(['Copy this']);
    await page.page.locator('.form-bar').getByRole('button', { name: 'More' }).focus();
    await page.press('ArrowDown');
    expect((await inMenu())[0]).toBe('Take down');
    await page.press('Enter');
    await page.find('dialog', 'Take down').getByRole('button', { name: 'Take down' }).waitFor();
    await page.checkAccessible();
    await page.click(page.find('dialog', 'Take down').getByRole('button', { name: 'Take down' }));
    expect(await app.look('piece', id, ['is_open'])).toMatchObject({ is_open: false });
    expect(await atFoot()).toEqual(['Put on show']);
    await page.page.getByLabel('Notes').fill('darker');
    await page.idle();
    expect(await atFoot()).toEqual(['Put on show']);
    expect(await page.page.locator('.form-foot .btn-primary').count()).toBe(0);
    await page.click(bar.getByRole('button', { name: 'More' }));
    expect((await inMenu())[0]).toBe('Copy this');
    await page.press('Escape');
    await page.click(page.find('button', 'Discard'));
  });

  for (const theme of ['light', 'dark'] as const) {
    (theme === 'dark' ? it : long)(`are right on a phone, ${theme}`, async () => {
      page = await app.open({ path: `${action}&view_type=list`, size: 'phone', theme });
      const fits = async () => {
        expect(await page.page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(
          0,
        );
        const small = await page.page.evaluate(() =>
          [...document.querySelectorAll('.bar button, .bar a, .list-card a, .form-bar button')]
            .map((one) => ({ name: one.textContent ?? '', box: one.getBoundingClientRect() }))
            .filter(({ box }) => box.width > 1 && box.height > 0 && box.height < 44)
            .map(({ name, box }) => `${name} ${Math.round(box.height)}`),
        );
        expect(small).toEqual([]);
        await page.checkAccessible();
      };
      await fits();
      await page.click(page.find('article').first().getByRole('link'));
      await page.page.getByLabel('Title', { exact: true }).waitFor();
      await fits();
      await page.page.getByLabel('Notes').fill(`written on a phone, ${theme}`);
      await page.click(page.find('button', 'Save'));
      await page.go(`${action}&view_type=kanban`);
      await fits();
      const [found] = await app.rpc<unknown[]>('gallery.piece', 'search_read', [
        [['notes', '=', `written on a phone, ${theme}`]],
        ['id'],
      ]);
      expect(found).toBeDefined();
    });
  }
});
