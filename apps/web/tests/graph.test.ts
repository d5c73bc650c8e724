import { readFile } from 'node:fs/promises';
import { inflateRawSync } from 'node:zlib';
import { sql } from '@kontor/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { long } from './browser.ts';
import { type Gallery, openGallery } from './gallery.ts';
import type { TestPage } from './test-page.ts';

const year = new Date().getUTCFullYear();
const figures = '/web?action=gallery.figures';
const thisYear = encodeURIComponent(
  JSON.stringify([
    ['due', '>=', '$year'],
    ['due', '<', '$year+1'],
  ]),
);
const artists = ['Ada', 'Bo', 'Cy', 'Di', 'Ed', 'Flo', 'Gus', 'Hal'];

/** What the page shows as a number. */
const number = (text: string) => Number(text.replace(/[^\d.-]/g, ''));
const money = (value: unknown) =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency: 'EUR' }).format(Number(value));

describe('the graph', () => {
  let app: Gallery;
  beforeAll(async () => {
    app = await openGallery({ hasBus: true, keepsClient: true });
    const currency_id = await app.currency('EUR');
    const ids = await app.rpc<number[]>('gallery.artist', 'create_many', [artists.map((name) => ({ name }))]);
    const pieces = Array.from({ length: 480 }, (_, n) => {
      const month = String((n % 12) + 1).padStart(2, '0');
      const due = `${n % 7 < 2 ? year - 1 : year}-${month}-${String((n % 27) + 1).padStart(2, '0')}`;
      const price = ((n * 37) % 900) + (n % 10) / 10;
      return {
        name: `Piece ${n}`,
        due,
        price,
        currency_id,
        artist_id: n % 41 === 0 ? null : ids[(n * 5 + Math.floor(n / 7)) % 8],
      };
    });
    await app.rpc('gallery.piece', 'create_many', [pieces]);
  });
  afterAll(() => app.close());

  const table = async (page: TestPage) =>
    (await page.page.locator('.figures tr').all()).length === 0
      ? []
      : page.page
          .locator('.figures tr')
          .evaluateAll((rows) =>
            rows.map((row) => [...row.querySelectorAll('th, td')].map((cell) => (cell.textContent ?? '').trim())),
          );

  long('GRA-1 shows months by artist as the database has them: the largest, the rest and every total', async () => {
    const page = await app.open({ path: `${figures}&show=table&domain=${thisYear}` });
    const [head = [], ...rows] = await table(page);
    const parts = await app.database.query<{ name: string | null; total: string }>(sql`
      select a.name, sum(p.price) as total from gallery_piece p left join gallery_artist a on a.id = p.artist_id
      where extract(year from p.due) = ${year} group by 1 order by 2 desc`);
    const leaders = parts.slice(0, 5).map(({ name }) => name ?? 'None');
    expect(head).toEqual(['Due: month', ...leaders, `${parts.length - 5} others`, 'Total']);
    const cells = await app.database.query<{ month: number; name: string; total: string }>(sql`
      select extract(month from p.due)::int as month, coalesce(a.name, 'None') as name, sum(p.price)::text as total
      from gallery_piece p left join gallery_artist a on a.id = p.artist_id
      where extract(year from p.due) = ${year} group by 1, 2`);
    const sum = (found: typeof cells) =>
      found.reduce((all, { total }) => all + Math.round(Number(total) * 100), 0) / 100;
    expect(rows).toHaveLength(13);
    for (const [at, row] of rows.entries()) {
      const month = cells.filter((cell) => at === 12 || cell.month === at + 1);
      const of = (name: string) => sum(month.filter((cell) => cell.name === name));
      const others = sum(month.filter((cell) => !leaders.includes(cell.name)));
      expect(row.slice(1).map(number)).toEqual([...leaders.map(of), others, sum(month)]);
    }
    expect(await page.text('.graph-head dd >> nth=0')).toBe(money(sum(cells)));
    await page.checkAccessible();
    await page.close();
  });

  long('GRA-1 compares with the year before, place by place and up to the same day', async () => {
    const page = await app.open({
      path: `${figures}&show=table&compare=year&target=3000&group_by=due:month&domain=${thisYear}`,
    });
    const [head, ...rows] = await table(page);
    expect(head).toEqual(['Due: month', 'Price (EUR)', 'Before']);
    const months = await app.database.query<{ now: string; before: string }>(sql`
      select sum(price) filter (where extract(year from due) = ${year}) as now,
             sum(price) filter (where extract(year from due) = ${year - 1}) as before
      from gallery_piece group by extract(month from due) order by extract(month from due)`);
    expect(rows.slice(0, 12).map((row) => row.slice(1).map(number))).toEqual(
      months.map(({ now, before }) => [Number(now ?? 0), Number(before ?? 0)]),
    );
    const [same] = await app.database.query<{ total: string | null }>(sql`
      select sum(price) as total from gallery_piece
      where due >= make_date(${year - 1}, 1, 1) and due <= (current_date - interval '1 year')::date`);
    const today = new Date();
    const before = (at: Date) => new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' }).format(at);
    const last = before(new Date(Date.UTC(year - 1, today.getUTCMonth(), today.getUTCDate())));
    const caption = `Previous year, ${before(new Date(Date.UTC(year - 1, 0, 1)))} – ${last}`;
    const shown = page.page.locator('.graph-head div', { hasText: caption }).locator('dd');
    expect(number(await page.text(shown))).toBe(Number(same?.total ?? 0));
    const [soFar] = await app.database.query<{ total: string | null }>(sql`
      select sum(price) as total from gallery_piece where due >= make_date(${year}, 1, 1) and due <= current_date`);
    const change = (Number(soFar?.total ?? 0) - Number(same?.total ?? 0)) / Number(same?.total ?? 0);
    const share = new Intl.NumberFormat('en-US', {
      style: 'percent',
      maximumFractionDigits: 1,
      signDisplay: 'exceptZero',
    });
    const told = page.page.locator('.graph-head div', { has: page.page.locator('dt', { hasText: /^Difference$/ }) });
    expect(await page.text(told.locator('dd'))).toContain(share.format(change));
    const over = new Date().getUTCMonth();
    const met = months.slice(0, over).filter(({ now }) => Number(now) >= 3000).length;
    expect(await page.text(page.page.locator('.graph-head div', { hasText: 'Target met' }).locator('dd'))).toBe(
      `${met} of ${over}`,
    );
    await page.close();
  });

  long('FIG-16 a measure that is gone is said to be gone, and another can be chosen', async () => {
    for (const type of ['graph', 'pivot']) {
      const page = await app.open({ path: `${figures}&view_type=${type}&measure=weight` });
      page.forgive(/400/);
      expect(await page.text(page.find('alert'))).toBe('This figure no longer exists.');
      await page.click(page.find('button', /^Measure/));
      await page.click(page.page.locator('.menu-item', { hasText: /^Number of records/ }).first());
      await page.press('Escape');
      await page.page.locator('[role=alert]', { hasText: 'no longer exists' }).waitFor({ state: 'detached' });
      await page.close();
    }
  });

  long('GRA-1 adds up over time, to the cent', async () => {
    const page = await app.open({ path: `${figures}&show=table&running=1&group_by=due:quarter` });
    const [, ...rows] = await table(page);
    const quarters = await app.database.query<{ total: string }>(sql`
      select sum(sum(price)) over (order by date_trunc('quarter', due)) as total from gallery_piece
      group by date_trunc('quarter', due) order by date_trunc('quarter', due)`);
    const shown = rows.map((row) => number(row[1] ?? '')).filter((value) => value > 0);
    expect(shown).toEqual(quarters.slice(0, shown.length).map(({ total }) => Number(total)));
    expect(shown.length).toBeGreaterThan(4);
    await page.close();
  });

  it('GRA-8 shows several measures side by side, each in its unit, and refuses a third unit', async () => {
    const page = await app.open({ path: `${figures}&kind=bar&group_by=due:quarter,artist_id` });
    await page.click(page.find('button', /^Measure/));
    const beside = page.page.locator('.menu-item', { hasText: /^Number of records/ }).last();
    await page.click(beside);
    await page.press('Escape');
    const address = new URL(page.page.url()).searchParams;
    expect([address.get('measure'), address.get('group_by')]).toEqual(['price:sum,__count', 'due:quarter']);
    expect(await page.page.locator('.graph-legend button').allTextContents()).toEqual(['Price', 'Number of records']);
    // The same lines mean money on the one side and pieces on the other, and both begin at zero.
    const aside = await page.page.locator('.graph-aside').allTextContents();
    expect(aside[0]).toBe('0');
    expect(aside.length).toBe(await page.page.locator('.graph-base g:has(> line) > text').count());
    const quarters = await app.database.query<{ total: string; n: number }>(sql`
      select sum(price) as total, count(*)::int as n from gallery_piece group by date_trunc('quarter', due)
      order by date_trunc('quarter', due)`);
    await page.click(page.find('button', 'Table'));
    const [head, ...rows] = await table(page);
    expect(head).toEqual(['Due: quarter', 'Price (EUR)', 'Number of records']);
    expect(rows.slice(0, -1).map((row) => row.slice(1).map(number))).toEqual(
      quarters.map(({ total, n }) => [Number(total), n]),
    );
    expect(rows.at(-1)?.[2]).toBe('480');
    await page.click(page.find('button', 'Chart'));
    await page.click(page.find('button', /^Measure/));
    const third = page.page.locator('.menu-item', { hasText: 'A graph has only two axes' });
    expect(await third.first().isDisabled()).toBe(true);
    await page.press('Escape');
    await page.checkAccessible();
    await page.close();
  });

  it('GRA-2 GRA-10 opens the records of a part by keyboard and by click, and the breadcrumbs lead back', async () => {
    const page = await app.open({ path: `${figures}&domain=${thisYear}` });
    const chart = page.page.locator('.graph-canvas');
    await chart.focus();
    await page.press('ArrowRight');
    await page.press('ArrowRight');
    await page.press('ArrowUp');
    const part = await page.text('.graph-tip li.is-active');
    const [name = ''] = part.split('\n');
    await page.press('Enter');
    const [found] = await app.database.query<{ n: number }>(sql`
      select count(*)::int as n from gallery_piece p join gallery_artist a on a.id = p.artist_id
      where a.name = ${name.trim()} and extract(year from due) = ${year} and extract(month from due) = 2`);
    expect(await page.text('.pager')).toContain(`of ${found?.n}`);
    expect(new URL(page.page.url()).searchParams.get('view_type')).toBe('list');
    // GRA-10: the list adds up to the part.
    expect(await page.text('tfoot')).toContain(/€[\d,.]+/.exec(part)?.[0]);
    await page.click(page.page.locator('.crumbs a', { hasText: 'Pieces in figures' }).last());
    expect(await page.page.locator('.graph-svg').count()).toBe(1);
    await chart.hover({ position: { x: 300, y: 250 } });
    await page.page.locator('.graph-tip').waitFor();
    const all = await page.text('.graph-tip-foot button >> nth=0');
    await page.click('.graph-tip-foot button >> nth=0');
    expect(await page.text('.pager')).toContain(`of ${/\d+/.exec(all)?.[0]}`);
    await page.close();
  });

  it('GRA-3 keeps measure, groups, kind and order in the address and in saved searches', async () => {
    const page = await app.open({ path: figures });
    const choose = async (button: RegExp, entry: string) => {
      await page.click(page.find('button', button));
      await page.click(page.page.locator('.menu-item', { hasText: new RegExp(`^${entry}$`) }));
    };
    await page.click(page.find('button', 'Lines'));
    await choose(/^Measure/, 'Average');
    await choose(/^By: Due/, 'Quarter');
    await choose(/^By: Artist/, 'Move to the front');
    const address = new URL(page.page.url()).searchParams;
    expect(address.get('kind')).toBe('line');
    expect(address.get('measure')).toBe('price:avg');
    expect(address.get('group_by')).toBe('artist_id,due:quarter');
    await choose(/^By: Due/, 'State');
    expect(new URL(page.page.url()).searchParams.get('group_by')).toBe('artist_id,state');
    await page.page.goBack();
    await page.idle();
    await page.click(page.find('button', 'Filter'));
    await page.click(page.page.locator('.menu-item', { hasText: 'Save this search' }));
    await page.type('Averages');
    await page.press('Enter');
    await page.go(figures);
    await page.click(page.find('button', 'Filter'));
    await page.click(page.page.locator('.menu-item', { hasText: 'Averages' }));
    const again = new URL(page.page.url()).searchParams;
    expect(['kind', 'measure', 'group_by'].map((name) => again.get(name))).toEqual([
      'line',
      'price:avg',
      'artist_id,due:quarter',
    ]);
    expect(await page.page.locator('.graph-line').count()).toBeGreaterThan(0);
    await page.close();
  });

  it('GRA-5 gives its figures as CSV and Excel, and itself as a picture and a drawing', async () => {
    const page = await app.open({ path: `${figures}&group_by=due:month&domain=${thisYear}` });
    const save = async (entry: string) => {
      await page.click(page.page.locator('main .bar').getByRole('button', { name: 'More', exact: true }));
      const coming = page.page.waitForEvent('download');
      await page.find('menuitem', entry).click();
      const file = await coming;
      await page.idle();
      return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
    };
    const months = await app.database.query<{ total: string }>(sql`
      select sum(price) as total from gallery_piece where extract(year from due) = ${year}
      group by extract(month from due) order by extract(month from due)`);
    const csv = await save('Figures as CSV');
    expect(csv.name).toBe('Pieces in figures Price (EUR) by Due month.csv');
    const lines = csv.bytes.toString().replace('\ufeff', '').trim().split('\r\n');
    expect(lines).toHaveLength(14);
    expect(lines.slice(1, 13).map((line) => Number(line.split(',').at(-1)))).toEqual(
      months.map(({ total }) => Number(total)),
    );
    const xlsx = await save('Figures as Excel');
    const sheet = zipEntry(xlsx.bytes, 'xl/worksheets/sheet1.xml');
    expect(
      [...sheet.matchAll(/<c r="B\d+" s="\d"><v>([\d.]+)<\/v>/g)].slice(0, 12).map(([, value]) => Number(value)),
    ).toEqual(months.map(({ total }) => Number(total)));
    const png = await save('Image (PNG)');
    expect(png.bytes.subarray(1, 4).toString()).toBe('PNG');
    expect(png.bytes.length).toBeGreaterThan(5_000);
    const svg = (await save('Vector image (SVG)')).bytes.toString();
    expect(svg).toContain('<path');
    expect(svg).not.toContain('var(--');
    await page.close();
  });

  it('GRA-6 shows a change by someone else within a second, and nothing where nothing matches', async () => {
    const page = await app.open({ path: `${figures}&group_by=state` });
    const before = await page.text('.graph-head dd >> nth=0');
    const [first] = await app.rpc<{ id: number; price: number }[]>('gallery.piece', 'search_read', [[], ['price']], {
      limit: 1,
    });
    await app.rpc('gallery.piece', 'write', [[first?.id], { price: (first?.price ?? 0) + 1_000_000 }]);
    await page.page.locator('.graph-head dd', { hasText: /1,\d{3},\d{3}/ }).waitFor();
    await app.rpc('gallery.piece', 'write', [[first?.id], { price: first?.price }]);
    await page.page.locator('.graph-head dd', { hasText: before }).waitFor();
    await page.visit(`${figures}&q=nothing+has+this+name`);
    expect(await page.text('main')).toContain('Nothing matches');
    expect(await page.page.locator('.graph-svg').count()).toBe(0);
    await page.close();
  });
});

describe('amounts in several currencies', () => {
  let app: Gallery;
  beforeAll(async () => {
    app = await openGallery();
    const [euro, dollar] = [await app.currency('EUR'), await app.currency('USD')];
    await app.rpc('gallery.piece', 'create_many', [
      [
        { name: 'One', state: 'draft', price: 100, currency_id: euro },
        { name: 'Two', state: 'shown', price: 250.5, currency_id: euro },
        { name: 'Three', state: 'shown', price: 40, currency_id: dollar },
      ],
    ]);
  });
  afterAll(() => app.close());

  it('GRA-4 are never added: each is looked at for itself, and so are its records', async () => {
    const page = await app.open({ path: `${figures}&group_by=state` });
    expect(await page.text('.graph-head dd >> nth=0')).toBe('€350.50');
    await page.click(page.find('button', 'USD'));
    expect(await page.text('.graph-head dd >> nth=0')).toBe('$40.00');
    expect(await page.page.locator('.graph-top').allTextContents()).toEqual(['40']);
    await page.click('.graph-head button');
    expect(await page.text('.pager')).toContain('of 1');
    expect(await page.text('main')).toContain('Three');
    // A pivot has a column for each, or the chosen one.
    await page.visit(`${figures}&view_type=pivot&group_by=state`);
    const cells = () => page.page.locator('.pivot-figure').allTextContents();
    const heads = () => page.page.locator('.pivot-measure').allTextContents();
    expect([await heads(), await cells()]).toEqual([
      ['Price (EUR)', 'Price (USD)'],
      ['100.00', '', '250.50', '40.00', '350.50', '40.00'],
    ]);
    await page.click(page.find('button', 'USD'));
    expect([await heads(), await cells()]).toEqual([['Price (USD)'], ['', '40.00', '40.00']]);
    await page.close();
  });

  long('FIG-25 are converted into one currency by choice, which the address, favourites and files keep', async () => {
    await app.setRates();
    const page = await app.open({ path: `${figures}&group_by=state` });
    await page.click(page.find('button', /^Convert/));
    await page.click(page.find('menuitemcheckbox', 'Company currency'));
    expect(await page.text('.graph-head dd >> nth=0')).toBe('$478.13');
    expect(await page.text('main')).toContain('Amounts are converted to USD at the stored rates.');
    expect(page.page.url()).toContain('convert=company');
    await page.visit(`${figures}&view_type=pivot&group_by=state&convert=EUR`);
    expect(await page.page.locator('.pivot-figure').allTextContents()).toEqual(['100.00', '282.50', '382.50']);
    expect(await page.text('main')).toContain('Amounts are converted to EUR at the stored rates.');
    const [file] = await Promise.all([
      page.page.waitForEvent('download'),
      page.click(page.find('button', 'More')).then(() => page.click(page.find('menuitem', 'Figures as CSV'))),
    ]);
    expect(await readFile(await file.path(), 'utf8')).toContain('Price (EUR, converted)');
    await page.checkAccessible();
    await page.close();
  });
});

/** One part of a ZIP, found by its name in the directory at the end. */
function zipEntry(file: Buffer, name: string): string {
  const at = file.lastIndexOf(name) - 46;
  const [size, offset] = [file.readUInt32LE(at + 20), file.readUInt32LE(at + 42)];
  const start = offset + 30 + file.readUInt16LE(offset + 26) + file.readUInt16LE(offset + 28);
  return inflateRawSync(file.subarray(start, start + size)).toString();
}
