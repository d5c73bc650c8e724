import { sql } from '@kontor/database';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { long } from './browser.ts';
import { type Gallery, openGallery } from './gallery.ts';

const figures = '/web?action=gallery.figures';
const days = 5_000;

describe('a graph for every eye and hand', () => {
  let app: Gallery;
  beforeAll(async () => {
    app = await openGallery();
    const currency_id = await app.currency('EUR');
    await app.rpc('gallery.artist', 'create_many', [[{ name: 'Ada' }, { name: 'Bo' }, { name: 'Cy' }]]);
    await app.database.execute(sql`
      insert into gallery_piece (name, state, sequence, active, is_open, price, currency_id, artist_id, due, create_date, write_date)
      select 'Piece ' || n, (array['draft', 'shown', 'sold'])[1 + n % 3], 10, true, false, 10 + (n * 7919) % 500, ${currency_id},
        (select min(id) from gallery_artist) + n % 3, date '2026-11-14' - n, now(), now()
      from generate_series(1, ${days}) n`);
  });
  afterAll(() => app.close());

  long('GRA-7 is found in order by axe, in light and dark, as bars, lines and a pie, and on a phone', async () => {
    const page = await app.open({ path: `${figures}&group_by=due:year,artist_id` });
    await page.page.locator('.graph-canvas').focus();
    await page.press('ArrowRight');
    await page.checkAccessible();
    for (const kind of ['line', 'pie']) {
      await page.go(`${figures}&group_by=due:year,state&kind=${kind}`);
      await page.checkAccessible();
    }
    await page.close();
    const dark = await app.open({ path: `${figures}&group_by=due:year,artist_id`, theme: 'dark', size: 'phone' });
    await dark.page.locator('.graph-canvas').tap({ position: { x: 150, y: 120 } });
    await dark.idle();
    await dark.page.locator('.graph-tip').waitFor();
    await dark.checkAccessible();
    const width = await dark.page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(390);
    await dark.close();
  });

  long('GRA-7 draws five thousand points in a few shapes, and none of them again while the pointer moves', async () => {
    const page = await app.open({ path: `${figures}&group_by=due:day` });
    expect(await page.page.locator('.graph-svg').count()).toBe(1);
    const box = await page.page.locator('.graph-canvas').boundingBox();
    if (!box) throw new Error('The chart has no box.');
    await page.page.evaluate(() => {
      const drawing = document.querySelector('.graph-base') as Element;
      const seen = { changes: 0 };
      Object.assign(window, { seen });
      const watch = { attributes: true, childList: true, subtree: true, characterData: true };
      new MutationObserver((changes) => {
        seen.changes += changes.length;
      }).observe(drawing, watch);
    });
    for (let at = 0; at < 60; at++) {
      await page.page.mouse.move(box.x + 60 + (at * (box.width - 90)) / 60, box.y + box.height / 2);
    }
    await page.page.locator('.graph-pointed').waitFor();
    const seen = await page.page.evaluate(() => (window as Window & { seen?: { changes: number } }).seen);
    expect(seen).toEqual({ changes: 0 });
    expect(await page.page.locator('.graph-base path, .graph-base text').count()).toBeLessThan(100);
    const shown = await page.text('.graph-tip-total dd');
    const label = await page.text('.graph-tip-head b');
    const [found] = await app.database.query<{ total: string }>(sql`
      select sum(price) as total from gallery_piece where due = ${new Date(`${label} UTC`).toISOString().slice(0, 10)}`);
    expect(Number(shown.replace(/[^\d.]/g, ''))).toBe(Number(found?.total));
    await page.close();
  });
});
