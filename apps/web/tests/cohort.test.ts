import { sql } from '@kontor/database';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { long, openTestApp, type TestApp } from './browser.ts';
import type { TestPage } from './test-page.ts';

let app: TestApp;
let page: TestPage;

const dayOf = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString();

beforeAll(async () => {
  app = await openTestApp({ apps: ['crm'], keepsClient: true });
  const ids = await app.rpc<number[]>('crm.lead', 'create_many', [
    Array.from({ length: 60 }, (_, n) => ({ name: `Lead ${n}`, type: 'opportunity', expected_revenue: 100 + n })),
  ]);
  // Dates that the program sets by itself.
  for (const [n, id] of ids.entries()) {
    const [opened, closed] = [dayOf(10 + n * 3), n % 3 === 0 ? null : dayOf(Math.max(0, 10 + n * 3 - (n % 5) * 25))];
    await app.database.execute(
      sql`update crm_lead set date_open = ${opened}, date_closed = ${closed} where id = ${id}`,
    );
  }
});
afterAll(() => app.close());
beforeEach(async () => {
  await page?.close();
  page = await app.open();
});

const address = (extra = '') =>
  `/web?action=crm.pipeline_analysis&view_type=cohort&filter=&interval=month&start=date_open&stop=date_closed${extra}`;

/** Share and number of each cell, line by line; nothing where a period is still to come. */
const shown = () =>
  page.page
    .locator('.cohort tbody tr')
    .evaluateAll((rows) =>
      rows.map((row) =>
        [...row.querySelectorAll('.cohort-cell')].map((cell) => [...cell.children].map((part) => part.textContent)),
      ),
    );

/** Every lead is asked for every month after the one that it came in. */
const bySql = async () => {
  const rows = await app.database.arrays(sql`
    with l as (select date_trunc('month', date_open at time zone 'UTC') as b, date_trunc('month', date_closed at time zone 'UTC') as e
      from crm_lead where type = 'opportunity' and active and date_open is not null)
    select c.b::text, k, count(*), count(*) filter (where l.e is null or k = 0 or l.e >= c.b + k * interval '1 month')
    from (select distinct b from l) c, generate_series(0, 24) k, l
    where l.b = c.b and c.b + k * interval '1 month' <= date_trunc('month', now() at time zone 'UTC')
    group by c.b, k order by c.b, k`);
  return rows.map(([start, age, began, stayed]) => ({
    start: String(start),
    age: Number(age),
    began: Number(began),
    stayed: Number(stayed),
  }));
};
const percent = (part: number, whole: number) => `${Math.round((part / whole) * 100)}%`;

describe('a cohort', () => {
  long('FIG-8 shows who stayed, as SQL finds it, and what is still to come as neither', async () => {
    await page.visit(address());
    const cells = await bySql();
    const starts = [...new Set(cells.map(({ start }) => start))];
    const lines = starts.map((start) =>
      cells.filter((cell) => cell.start === start).map(({ began, stayed }) => [percent(stayed, began), String(stayed)]),
    );
    const ages = [...new Set(cells.map(({ age }) => age))];
    const all = ages.map((age) => {
      const same = cells.filter((cell) => cell.age === age);
      const [stayed, began] = [same.reduce((n, c) => n + c.stayed, 0), same.reduce((n, c) => n + c.began, 0)];
      return [percent(stayed, began), `${stayed} of ${began}`];
    });
    expect(await shown()).toEqual([...lines, all]);
    const later = await page.page.locator('.cohort-later').count();
    expect(later).toBe(starts.length * ages.length - cells.length);
    await page.checkAccessible();
  });

  it('FIG-8 shows who left, by other periods', async () => {
    await page.visit(address());
    await page.click(page.find('button', 'Left'));
    const cells = await bySql();
    const [first] = await shown();
    const { start } = cells[0] as (typeof cells)[number];
    const own = cells.filter((cell) => cell.start === start);
    expect(first).toEqual(own.map(({ began, stayed }) => [percent(began - stayed, began), String(began - stayed)]));
    await page.click(page.find('button', 'Quarter'));
    expect(new URL(page.page.url()).searchParams.get('interval')).toBe('quarter');
    expect(await page.page.locator('.cohort thead').textContent()).toContain('Quarter 0');
  });

  it('FIG-6 a cell opens those who stayed and those who left', async () => {
    await page.visit(address());
    const cells = (await bySql()).filter(({ age, stayed, began }) => age > 0 && stayed > 0 && stayed < began);
    const wanted = cells[0] as (typeof cells)[number];
    const starts = [...new Set((await bySql()).map(({ start }) => start))];
    const place = page.page.locator(`[data-place="${starts.indexOf(wanted.start)} ${wanted.age}"]`);
    await page.click(place);
    await page.click(page.find('menuitem', /who left/));
    expect(await page.page.locator('.list-row').count()).toBe(wanted.began - wanted.stayed);
    await page.page.goBack();
    await page.idle();
    await page.page.locator(`[data-place="${starts.indexOf(wanted.start)} 0"]`).focus();
    await page.press('Enter');
    expect(await page.page.locator('.list-row').count()).toBe(wanted.began);
  });

  long('FIG-8 fits a phone and the dark', async () => {
    await page.page.setViewportSize({ width: 390, height: 844 });
    await page.page.emulateMedia({ colorScheme: 'dark' });
    await page.go(address());
    expect(await page.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await page.checkAccessible();
  });
});
