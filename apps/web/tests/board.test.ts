import { sql } from '@kontor/database';
import { long } from '@kontor/testing/long';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Gallery, openGallery } from './gallery.ts';
import { rendersOf, watchRenders } from './renders.ts';
import type { TestPage } from './test-page.ts';

const year = new Date().getUTCFullYear();
const thisYear = encodeURIComponent('[["due",">=","$year"],["due","<","$year+1"]]');
const byMonth = `domain=${thisYear}&group_by=due:month&measure=price&kind=bar&compare=year`;
const money = (value: unknown) =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency: 'EUR' }).format(Number(value));

describe('a board', () => {
  let app: Gallery;
  let currency_id: number;
  beforeAll(async () => {
    app = await openGallery({ hasBus: true, keepsClient: true });
    currency_id = await app.currency('EUR');
    const [ada, bo] = await app.rpc<number[]>('gallery.artist', 'create_many', [[{ name: 'Ada' }, { name: 'Bo' }]]);
    const pieces = Array.from({ length: 60 }, (_, n) => ({
      name: `Piece ${n}`,
      due: `${n % 3 === 0 ? year - 1 : year}-${String((n % 12) + 1).padStart(2, '0')}-${String((n % 27) + 1).padStart(2, '0')}`,
      price: ((n * 37) % 900) + (n % 10) / 10,
      currency_id,
      artist_id: n % 4 === 0 ? bo : ada,
    }));
    await app.rpc('gallery.piece', 'create_many', [pieces]);
  });
  afterAll(() => app.close());

  const make = (tiles: readonly object[], values: object = {}) =>
    app.rpc<number>('sys.board', 'create', [
      { name: 'Pieces', tile_ids: tiles.map((tile) => ['create', { action: 'gallery.figures', ...tile }]), ...values },
    ]);
  const path = (board: number) => `/web?model=sys.board&view_type=form&id=${board}`;
  const tile = ({ page }: TestPage, name: string) => page.getByRole('article', { name });
  const names = ({ page }: TestPage) => page.locator('.board-tile h2').allTextContents();
  const total = async (domain = sql`true`) => {
    const [row] = await app.database.query<{ total: string }>(
      sql`select sum(price) as total from gallery_piece where ${domain}`,
    );
    return money(row?.total);
  };

  long(
    'BRD-1 BRD-2 BRD-10 SCN-66 shows what SQL adds up, in one request, and what others change within a second',
    async () => {
      const board = await make([
        { name: 'Turnover', kind: 'figure', query: byMonth, width: 3, height: 1 },
        { name: 'By month', kind: 'graph', query: byMonth },
        { name: 'By artist', kind: 'graph', query: 'group_by=artist_id&measure=price&kind=bar' },
        { name: 'Pivot', kind: 'pivot', query: 'group_by=artist_id&columns=due:year&measure=price' },
        { name: 'Pieces', kind: 'list', query: 'sort=-name' },
        { name: 'Broken', kind: 'list', query: 'filter=nothing' },
        { name: 'Artists', kind: 'list', action: null, model: 'gallery.artist' },
      ]);
      const page = await app.open({ path: '/web/apps' });
      await watchRenders(page);
      await page.go('/web/apps');
      // The same again is no other request: the page may hear only now that the board was made.
      const asked: string[] = [];
      page.page.on('request', (request) => request.url().match(/\/(rpc|workspace)/) && asked.push(request.url()));
      await page.page.evaluate((href) => {
        const link = Object.assign(document.createElement('a'), { href });
        document.body.append(link);
        link.click();
        link.remove();
      }, path(board));
      await tile(page, 'Turnover').waitFor();
      await page.idle();
      expect(new Set(asked).size).toBe(1);
      const ofYear = sql`extract(year from due) = ${year}`;
      expect(await page.text(tile(page, 'Turnover').locator('.tile-whole button.strong'))).toBe(await total(ofYear));
      const [ada] = await app.database.query<{ total: string }>(sql`
      select sum(p.price) as total from gallery_piece p join gallery_artist a on a.id = p.artist_id where a.name = 'Ada'`);
      const bar = tile(page, 'By artist').getByRole('button', { name: /^Ada/ });
      expect(await bar.textContent()).toContain(money(ada?.total));
      const whole = await tile(page, 'Pivot').locator('.is-total td').last().textContent();
      expect(Number(whole?.replaceAll(',', ''))).toBeCloseTo(Number((await total()).replace(/[^\d.]/g, '')), 0);
      expect(await tile(page, 'Pieces').locator('li').count()).toBe(8);
      expect(await tile(page, 'Broken').getByRole('button', { name: 'Try again' }).count()).toBe(1);
      expect(await tile(page, 'By month').locator('.graph-svg').count()).toBe(1);
      await page.checkAccessible();
      // Somebody else sells one more: without a word from this page the figure is the new one.
      const drawn = await rendersOf(page, '.board-tile', async () => {
        await app.rpc('gallery.piece', 'create', [
          { name: 'One more', due: `${year}-01-15`, price: 1234.5, currency_id },
        ]);
        await tile(page, 'Turnover')
          .getByRole('button', { name: await total(ofYear) })
          .waitFor();
      });
      // SCN-66: tiles that show the same as before are left alone.
      expect(drawn).not.toContain('Artists');
      expect(drawn).toContain('Turnover');
      // Only what shows pieces was asked for again.
      const shown = await app.rpc<{ id: number }[]>('sys.board.tile', 'search_read', [
        [
          ['board_id', '=', board],
          ['name', 'not in', ['Artists', 'Broken']],
        ],
        ['id'],
      ]);
      const again = new URL(asked.at(-1) ?? '').searchParams.get('tiles');
      expect(again?.split(',').map(Number).sort()).toEqual(shown.map(({ id }) => id).sort());
      expect(await tile(page, 'Artists').locator('li').count()).toBe(2);
      await tile(page, 'By artist').getByRole('button', { name: /^Ada/ }).click();
      await page.idle();
      expect(new URL(page.page.url()).searchParams.get('view_type')).toBe('list');
      await page.close();
    },
  );

  it('BRD-7 takes a screen with its search from the … menu, as it is or as one figure', async () => {
    const page = await app.open({ path: `/web?action=gallery.figures&view_type=graph&${byMonth}` });
    await page.click(page.find('button', 'More'));
    await page.click(page.find('menuitem', 'Add to a board …'));
    await page.find('dialog').getByLabel('Name', { exact: true }).fill('Sold');
    await page.find('dialog').getByLabel('Show as').selectOption('figure');
    await page.click(page.find('dialog').getByRole('button', { name: 'Add' }));
    await page.click(page.find('button', 'Open'));
    await tile(page, 'Sold').waitFor();
    const [kept] = await app.rpc<{ query: string; kind: string }[]>('sys.board.tile', 'search_read', [
      [['name', '=', 'Sold']],
      ['query', 'kind'],
    ]);
    const query = new URLSearchParams(kept?.query);
    expect(kept?.kind).toBe('figure');
    expect([query.get('compare'), query.get('group_by'), query.get('measure')]).toEqual(['year', 'due:month', 'price']);
    expect(await page.text(tile(page, 'Sold').locator('.tile-whole button.strong'))).toBe(
      await total(sql`extract(year from due) = ${year}`),
    );
    await page.close();
  });

  it('BRD-8 is arranged by mouse and keyboard: order, size, names, and tiles taken away with a way back', async () => {
    const board = await make(
      ['One', 'Two', 'Three'].map((name, at) => ({ name, kind: 'list', sequence: at, height: 1 })),
    );
    const page = await app.open({ path: path(board) });
    await page.click(page.find('button', 'Edit board'));
    await page.find('button', 'Move One').focus();
    await page.press('Space');
    await page.press('ArrowRight');
    await page.press('Space');
    expect(await names(page)).toEqual(['Two', 'One', 'Three']);
    await page.idle();
    const three = await page.find('button', 'Move Three').boundingBox();
    const two = await tile(page, 'Two').boundingBox();
    if (!three || !two) throw new Error('There is nothing to drag.');
    await page.page.mouse.move(three.x + 8, three.y + 8);
    await page.page.mouse.down();
    await page.page.mouse.move(two.x + 40, two.y + 40, { steps: 8 });
    await page.page.mouse.up();
    await page.idle();
    expect(await names(page)).toEqual(['Three', 'Two', 'One']);
    await page.click(tile(page, 'Two').getByRole('button', { name: 'Tile options' }));
    await page.click(page.find('menuitem', 'Wider'));
    await page.press('Escape');
    await tile(page, 'One').getByLabel('Name of the tile').fill('Last');
    await page.press('Enter');
    await page.idle();
    await page.click(tile(page, 'Three').getByRole('button', { name: 'Tile options' }));
    await page.click(page.find('menuitem', 'Remove'));
    const kept = () =>
      app.rpc<object[]>('sys.board.tile', 'search_read', [[['board_id', '=', board]], ['name', 'width']]);
    expect(await kept()).toMatchObject([
      { name: 'Two', width: 5 },
      { name: 'Last', width: 4 },
    ]);
    await page.click(page.find('button', 'Undo').last());
    expect(await kept()).toHaveLength(3);
    await page.checkAccessible();
    await page.close();
    const phone = await app.open({ path: path(board), size: 'phone', theme: 'dark' });
    await phone.checkAccessible();
    expect(await phone.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await phone.close();
  });
});
