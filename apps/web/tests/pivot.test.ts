import { sql } from '@kontor/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { long, openTestApp, type TestApp } from './browser.ts';
import type { TestPage } from './test-page.ts';

let app: TestApp;
let page: TestPage;

beforeAll(async () => {
  app = await openTestApp({ apps: ['crm'], hasBus: true, keepsClient: true });
  const teams = await app.rpc<number[]>('sale.team', 'create_many', [[{ name: 'Export' }, { name: 'Direct' }]]);
  const tags = ['one', 'two', 'three'];
  // Ninety leads whose figures are all different, spread over teams, months and priorities.
  const leads = Array.from({ length: 90 }, (_, n) => ({
    name: `Lead ${tags[n % 3]} ${n}`,
    type: 'opportunity',
    team_id: n % 7 === 0 ? null : teams[n % 2],
    priority: String(n % 3),
    expected_revenue: 1000 + n * n,
    date_deadline: `2026-${String(1 + (n % 8)).padStart(2, '0')}-15`,
  }));
  await app.rpc('crm.lead', 'create_many', [leads]);
  page = await app.open();
});
afterAll(() => app.close());

const address = (extra = '') =>
  `/web?action=crm.pipeline_analysis&view_type=pivot&filter=&group_by=priority,team_id&columns=${encodeURIComponent('date_deadline:quarter,date_deadline:month')}&measure=${encodeURIComponent('expected_revenue:sum,__count')}${extra}`;

/** Every row on screen: its name and its figures in the order of the columns. */
const shown = async () => {
  const rows = await page.page.locator('.pivot-row').evaluateAll((elements) =>
    elements.map((row) => {
      const cells = [...row.querySelectorAll<HTMLElement>('.pivot-figure')];
      const at = (cell: HTMLElement) => Number(cell.getAttribute('aria-colindex'));
      cells.sort((a, b) => at(a) - at(b));
      return [row.querySelector('bdi')?.textContent ?? '', ...cells.map((cell) => cell.textContent ?? '')];
    }),
  );
  return rows;
};
const columnNames = () => page.page.locator('.pivot-group bdi').allInnerTexts();
const money = (value: unknown) => Math.round(Number(value)).toLocaleString('en-US');

/** The same figures, counted and added up without the client and without `read_group`. */
const bySql = async (levels: 1 | 2) => {
  const found = await app.database.arrays(sql`
    select l.priority, t.name, extract(quarter from l.date_deadline)::int4, sum(l.expected_revenue), count(*),
      grouping(l.priority), grouping(t.name), grouping(extract(quarter from l.date_deadline)::int4)
    from crm_lead l left join sale_team t on t.id = l.team_id where l.type = 'opportunity'
    group by rollup (l.priority, t.name), rollup (extract(quarter from l.date_deadline)::int4)`);
  const figure = (priority: string | null, team: string | null | undefined, quarter: number | null) => {
    const row = found.find(
      ([p, t, q, , , noPriority, noTeam, noQuarter]) =>
        (noPriority === 1 ? null : p) === priority &&
        (noTeam === 1 ? undefined : t) === team &&
        (noQuarter === 1 ? null : q) === quarter,
    );
    return row ? [money(row[3]), String(row[4])] : ['', ''];
  };
  const line = (priority: string | null, team?: string | null) =>
    [1, 2, 3, null].flatMap((quarter) => figure(priority, team, quarter));
  const labels = ['Low', 'Medium', 'High'];
  const priorities = ['0', '1', '2'];
  const rows = priorities.flatMap((priority, at) => [
    [labels[at] as string, ...line(priority)],
    ...(levels === 1 ? [] : ['Export', 'Direct', null].map((team) => [team ?? 'None', ...line(priority, team)])),
  ]);
  return [...rows, ['Total', ...line(null)]];
};

describe('a pivot table', () => {
  long('FIG-5 has the figures of the database at every level', async () => {
    await page.visit(address());
    const labels = await page.page.locator('.pivot-name bdi').allInnerTexts();
    const expected = await bySql(2);
    expect(await shown()).toEqual(expected.map(([, ...figures], at) => [labels[at], ...figures]));
    // Teams in the order that they have among themselves, priorities as they are listed.
    expect(labels.slice(0, 4)).toEqual(['Low', 'Export', 'Direct', 'None']);
    expect(labels.filter((label) => ['Direct', 'Export', 'None'].includes(label))).toHaveLength(9);
    expect(await columnNames()).toEqual(['Q1 2026', 'Q2 2026', 'Q3 2026', 'Total']);
    await page.checkAccessible();
  });

  long('FIG-5 folds and unfolds rows and columns, swaps and sorts by a figure', async () => {
    await page.visit(address());
    const before = await shown();
    await page.click(page.page.locator('.pivot-name').first());
    expect(await shown()).toHaveLength(before.length - 3);
    await page.click(page.page.locator('.pivot-group', { hasText: 'Q3 2026' }));
    expect(await columnNames()).toEqual(expect.arrayContaining(['July', 'August', 'Q3 2026 total']));
    const july = await app.database.arrays(
      sql`select sum(expected_revenue) from crm_lead where type = 'opportunity' and date_trunc('month', date_deadline) = '2026-07-01'`,
    );
    expect((await shown()).at(-1)).toContain(money(july[0]?.[0]));

    await page.go(address());
    const totals = page.page.locator('.pivot-measure[aria-colindex="8"]');
    await page.click(totals);
    expect(await totals.getAttribute('aria-sort')).toBe('descending');
    const sums = (await shown()).filter(([, ...cells], at, rows) => at < rows.length - 1 && cells.length > 0);
    const outer = before.filter(
      ([name]) => sums[0]?.[0] === name || ['Low', 'Medium', 'High'].includes(name as string),
    );
    const highest = outer.map(([, ...cells]) => Number(cells[6]?.replaceAll(',', '')));
    expect(Number((await shown())[0]?.[7]?.replaceAll(',', ''))).toBe(Math.max(...highest));

    await page.click(page.find('button', 'Swap'));
    expect(new URL(page.page.url()).searchParams.get('group_by')).toBe('date_deadline:quarter,date_deadline:month');
    expect(new URL(page.page.url()).searchParams.get('columns')).toBe('priority,team_id');
    expect((await shown()).at(-1)?.[0]).toBe('Total');
  });

  long('FIG-6 a figure opens exactly its records', async () => {
    await page.go(address());
    const cell = page.page.locator('.pivot-row').nth(1).locator('.pivot-figure[aria-colindex="5"]');
    const count = Number(await page.text(cell));
    await page.click(cell);
    await page.click(page.find('menuitem', new RegExp(`Open ${count} records?`)));
    expect(new URL(page.page.url()).searchParams.get('view_type')).toBe('list');
    expect(await page.page.locator('.list-row').count()).toBe(count);
  });

  long('FIG-5 shows parts of row, column and whole, by keyboard alone', async () => {
    await page.go(address());
    await page.page.locator('.pivot').focus();
    const value = (await shown())[0]?.[1];
    await page.press('Shift+F10');
    await page.click(page.find('menuitemcheckbox', /Percent of column/));
    const [first] = await shown();
    const total = (await bySql(2)).at(-1)?.[1];
    const share = Number(value?.replaceAll(',', '')) / Number(total?.replaceAll(',', ''));
    expect(first?.[1]).toBe(`${(share * 100).toFixed(1).replace(/\.0$/, '')}%`);
    expect(new URL(page.page.url()).searchParams.get('show')).toBe('column');
    await page.page.locator('.pivot').focus();
    await page.press('ArrowUp');
    await page.press('ArrowUp');
    await page.press('Space');
    expect(await columnNames()).toContain('Q1 2026 total');
    await page.press('Enter');
    expect(new URL(page.page.url()).searchParams.get('view_type')).toBe('list');
  });

  it('FIG-7 ten thousand figures are drawn as they come into sight', async () => {
    const many = Array.from({ length: 400 }, (_, n) => ({
      name: `Bulk ${n}`,
      type: 'opportunity',
      contact_name: `Row ${String(n % 100).padStart(3, '0')}`,
      city: `City ${String(Math.floor(n / 4)).padStart(3, '0')}`,
      expected_revenue: n,
    }));
    const ids = await app.rpc<number[]>('crm.lead', 'create_many', [many]);
    const calls: string[] = [];
    page.page.on('request', (request) => calls.push(request.postData() ?? ''));
    await page.visit(
      '/web?action=crm.pipeline_analysis&view_type=pivot&filter=&domain=%5B%5B%22name%22%2C%22ilike%22%2C%22Bulk%22%5D%5D&group_by=contact_name&columns=city&measure=expected_revenue:sum',
    );
    const grid = page.page.locator('.pivot');
    expect(await grid.getAttribute('aria-rowcount')).toBe('103');
    expect(await grid.getAttribute('aria-colcount')).toBe('102');
    expect(await page.page.locator('.pivot-figure').count()).toBeLessThan(1_500);
    await grid.evaluate((element) => element.scrollTo(99_999, 99_999));
    // Scrolling is told with the next frame, which nobody is busy with before.
    await page.page.locator('.pivot-name bdi', { hasText: 'Row 099' }).waitFor();
    await page.idle();
    const last = await page.page.locator('.pivot-total .pivot-figure').last().textContent();
    expect(last).toBe((399 * 200).toLocaleString('en-US'));
    // One question brings them all; it may be asked again once the page has its connection to the bus.
    expect(new Set(calls.filter((body) => body.includes('subtotals'))).size).toBe(1);
    await app.rpc('crm.lead', 'unlink_many', [ids]);
  });

  long('FIG-5 a level with very many groups is asked for when it is opened, in one call', async () => {
    const many = Array.from({ length: 2_100 }, (_, n) => ({
      name: `Wide ${n}`,
      type: 'opportunity',
      priority: String(n % 3),
      contact_name: `Contact ${String(n).padStart(4, '0')}`,
      expected_revenue: n,
    }));
    const ids = await app.rpc<number[]>('crm.lead', 'create_many', [many]);
    await page.visit(
      `/web?action=crm.pipeline_analysis&view_type=pivot&filter=&domain=${encodeURIComponent('[["name","ilike","Wide"]]')}&group_by=priority,contact_name&columns=-`,
    );
    expect((await shown()).map(([name]) => name)).toHaveLength(4);
    const calls: string[] = [];
    page.page.on('request', (request) => calls.push(request.postData() ?? ''));
    await page.click(page.page.locator('.pivot-name').nth(1));
    const questions = calls.filter((body) => body.includes('read_group') && body.includes('contact_name'));
    expect(new Set(questions).size).toBe(1);
    expect(await page.page.locator('.pivot').getAttribute('aria-rowcount')).toBe(String(2 + 4 + 700));
    const [total] = await app.database.arrays(
      sql`select sum(expected_revenue) from crm_lead where priority = '1' and name like 'Wide %'`,
    );
    expect((await shown())[1]).toContain(money(total?.[0]));
    await app.rpc('crm.lead', 'unlink_many', [ids]);
  });

  long('FIG-5 is downloaded with the figures to the digit', async () => {
    await page.go(address());
    await page.click(page.find('button', 'More'));
    const [download] = await Promise.all([
      page.page.waitForEvent('download'),
      page.page.getByRole('menuitem', { name: 'Figures as CSV' }).click(),
    ]);
    const chunks: Buffer[] = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
    const lines = Buffer.concat(chunks).toString('utf8').trim().split('\r\n');
    const [sum] = await app.database.arrays(
      sql`select sum(expected_revenue), count(*) from crm_lead where type = 'opportunity'`,
    );
    expect(lines).toHaveLength(14);
    const last = (lines.at(-1) ?? '').split(',');
    expect([last[0], Number(last.at(-2)), Number(last.at(-1))]).toEqual(['Total', Number(sum?.[0]), Number(sum?.[1])]);
  });

  it('FIG-12 pivot and cohort show by themselves what somebody else changes', async () => {
    await page.go(address());
    const total = page.page.locator('.pivot-total .pivot-figure').last();
    const before = Number(await page.text(total));
    const id = await app.rpc<number>('crm.lead', 'create', [{ name: 'Late', type: 'opportunity', priority: '0' }]);
    await page.page
      .locator('.pivot-total .pivot-figure', { hasText: new RegExp(`^${before + 1}$`) })
      .last()
      .waitFor();
    await page.visit('/web?action=crm.pipeline_analysis&view_type=cohort&filter=&start=create_date&stop=date_closed');
    await page.page.locator('.cohort-all td', { hasText: new RegExp(`^${before + 1}$`) }).waitFor();
    await app.rpc('crm.lead', 'unlink', [[id]]);
    await page.page.locator('.cohort-all td', { hasText: new RegExp(`^${before}$`) }).waitFor();
  });

  it('FIG-13 paper has the figures without what only a screen needs', async () => {
    for (const [view, figures] of [
      ['pivot', '.pivot-figure'],
      ['cohort', '.cohort-cell'],
      ['graph', '.graph-svg'],
    ] as const) {
      await page.visit(`/web?action=crm.pipeline_analysis&view_type=${view}&filter=`);
      await page.page.emulateMedia({ media: 'print' });
      const visible = (selector: string) => page.page.locator(selector).filter({ visible: true }).count();
      expect([view, await visible('.top, .side, .bar2, .bar .btn')]).toEqual([view, 0]);
      expect(await visible(figures)).toBeGreaterThan(0);
      const box = await page.page.locator(figures).first().boundingBox();
      expect(box?.x ?? -1).toBeGreaterThanOrEqual(0);
      expect(box?.y ?? 9_999).toBeLessThan(400);
      await page.page.emulateMedia({ media: 'screen' });
    }
  });

  long('FIG-5 reads from right to left where people do', async () => {
    const groups = await app.rpc<{ id: number }[]>('core.group', 'search_read', [[], ['id']]);
    const group_ids = [['set', groups.map(({ id }) => id)]];
    const amal = { login: 'amal@example.com', password: 'a long enough password' };
    await app.rpc('core.user', 'create', [{ name: 'Amal Arab', ...amal, group_ids, lang: 'ar_EG' }]);
    await page.close();
    page = await app.open({ as: amal, path: address() });
    expect(await page.page.evaluate(() => document.dir)).toBe('rtl');
    const left = async (column: number) =>
      (await page.page.locator(`.pivot-total .pivot-figure[aria-colindex="${column}"]`).boundingBox())?.x ?? 0;
    // Names stand at the right, and each column to the left of the one before it.
    const name = (await page.page.locator('.pivot-name').first().boundingBox())?.x ?? 0;
    expect(name).toBeGreaterThan(await left(2));
    expect(await left(2)).toBeGreaterThan(await left(3));
    expect(await page.page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
    await page.page.locator('.pivot').focus();
    await page.press('ArrowLeft');
    const active = page.page.locator('.pivot [aria-selected="true"], .pivot .is-active').first();
    expect(await active.count()).toBe(1);
    await page.checkAccessible();
    await page.close();
    page = await app.open();
  });

  long('FIG-14 a saved search keeps measure, axes, periods and order of a pivot and a cohort', async () => {
    const order = JSON.stringify([['-expected_revenue:sum', '[]'], null]);
    const kept = {
      pivot: { measure: '__count,expected_revenue:avg', columns: 'priority', order, show: 'row' },
      cohort: { start: 'create_date', stop: 'date_closed', interval: 'quarter', mode: 'left' },
    };
    for (const [view, options] of Object.entries(kept)) {
      const plain = `/web?action=crm.pipeline_analysis&view_type=${view}`;
      await page.visit(`${plain}&filter=&group_by=team_id&${new URLSearchParams(options)}`);
      await page.click(page.page.getByRole('button', { name: 'Filter', exact: true }));
      await page.click(page.page.locator('.menu-item', { hasText: 'Save this search' }));
      await page.type(`My ${view}`);
      await page.press('Enter');
      await page.go(plain);
      await page.click(page.page.getByRole('button', { name: 'Filter', exact: true }));
      await page.click(page.page.locator('.menu-item', { hasText: `My ${view}` }));
      const address = new URL(page.page.url()).searchParams;
      expect(Object.fromEntries(Object.keys(options).map((key) => [key, address.get(key)]))).toEqual(options);
      expect(address.get('group_by')).toBe('team_id');
    }
  });

  long('FIG-11 opens with a period that can be taken away', async () => {
    await page.visit('/web?action=crm.pipeline_analysis');
    expect(await page.text('.searchbar')).toContain('Created: Last 12 months');
    await page.click(page.find('button', /Created: Last 12 months/).last());
    await page.click(page.find('menuitemcheckbox', 'All time'));
    expect(await page.text('.searchbar')).not.toContain('Last 12 months');
    expect(new URL(page.page.url()).searchParams.get('domain')).toBeNull();
  });

  long('FIG-5 fits a phone and the dark', async () => {
    await page.page.setViewportSize({ width: 390, height: 844 });
    await page.page.emulateMedia({ colorScheme: 'dark' });
    await page.go(address());
    expect(await page.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await page.checkAccessible();
  });
});
