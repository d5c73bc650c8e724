import { isLong, pdfSizes } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestApp, type TestApp } from './browser.ts';
import type { TestPage } from './test-page.ts';

const pivot = `group_by=name&columns=${encodeURIComponent('date_deadline:month,team_id')}&measure=expected_revenue:sum,__count`;
const leads = '/web?action=crm.pipeline_analysis&filter=&view_type=';
const tasks = '/web?action=project.tasks&scale=month&date=2026-11-18&view_type=';

describe('on paper', () => {
  let app: TestApp;
  let screen: TestPage;
  let board: number;
  beforeAll(async () => {
    app = await openTestApp({ apps: ['crm', 'project'], keepsClient: true });
    const teams = await app.rpc<number[]>('sale.team', 'create_many', [[{ name: 'Export' }, { name: 'Direct' }]]);
    const month = (n: number) => String(1 + (n % 12)).padStart(2, '0');
    const many = Array.from({ length: 80 }, (_, n) => ({
      ...{ name: `Lead ${n}`, type: 'opportunity', team_id: teams[n % 2], expected_revenue: 1000 + n * n },
      date_deadline: `2026-${month(n)}-15`,
    }));
    await app.rpc('crm.lead', 'create_many', [many]);
    const [project] = await app.rpc<number[]>('project.project', 'create_many', [[{ name: 'Harbour' }]]);
    const day = (n: number) => String(1 + (n % 28)).padStart(2, '0');
    const work = Array.from({ length: 60 }, (_, n) => ({
      ...{ name: `Task ${n}`, project_id: project },
      ...{ date_start: `2026-11-${day(n)}T08:00:00Z`, date_end: `2026-11-${day(n)}T16:00:00Z` },
    }));
    await app.rpc('project.task', 'create_many', [work]);
    const tile = { action: 'crm.pipeline_analysis' };
    const tiles = [
      { ...tile, name: 'Pivot', kind: 'pivot', query: pivot },
      { ...tile, name: 'Leads', kind: 'list', query: 'sort=name' },
      { ...tile, name: 'By team', kind: 'graph', query: 'group_by=team_id&measure=expected_revenue&kind=bar' },
    ];
    board = await app.rpc<number>('sys.board', 'create', [
      { name: 'Paper', tile_ids: tiles.map((one) => ['create', one]) },
    ]);
    screen = await app.open();
  });
  afterAll(() => app.close());

  /** Texts of the screen that a sheet of this width would not have: cut off, or behind something that scrolls. */
  const lost = () =>
    screen.page.evaluate(() => {
      const main = document.getElementById('main') as HTMLElement;
      const right = document.documentElement.clientWidth + 1;
      const isShortened = (one: Element) => getComputedStyle(one).textOverflow === 'ellipsis';
      const isCut = (one: Element): boolean => {
        const box = one.getBoundingClientRect();
        if (box.right > right || box.left < -1) return true;
        for (let at = one.parentElement; at && at !== main; at = at.parentElement) {
          const { overflowX, overflowY } = getComputedStyle(at);
          const around = at.getBoundingClientRect();
          if (isShortened(at) || around.width < 2) return false;
          if (overflowX !== 'visible' && (box.right > around.right + 1 || box.left < around.left - 1)) return true;
          if (overflowY !== 'visible' && (box.bottom > around.bottom + 1 || box.top < around.top - 1)) return true;
        }
        return false;
      };
      const texts = [...main.querySelectorAll('*')].filter(
        (one) => one.children.length === 0 && one.textContent?.trim() && one.checkVisibility() && !isShortened(one),
      );
      return { count: texts.length, cut: texts.filter(isCut).map((one) => one.textContent) };
    });

  const screens: readonly (readonly [name: string, address: () => string, drawn: string, atLeast: number])[] = [
    ['a pivot', () => `${leads}pivot&${pivot}`, '.pivot-figure', 80],
    ['a graph', () => `${leads}graph&group_by=date_deadline:month`, '.graph-svg', 1],
    ['a cohort', () => `${leads}cohort&start=create_date&stop=date_closed`, '.cohort-cell', 1],
    ['a gantt', () => `${tasks}gantt`, '.gantt-bar', 60],
    ['a calendar', () => `${tasks}calendar`, '[data-entry]', 1],
    ['a board', () => `/web?model=sys.board&view_type=form&id=${board}`, '.board-tile', 3],
  ];

  it.each(screens.filter((_, at) => isLong || at % 2 === 0))(
    'FIG-24 %s is whole on A4 sheets',
    async (_, address, drawn, atLeast) => {
      await screen.visit(address());
      await screen.page.locator(drawn).first().waitFor();
      const pdf = await screen.page.pdf({ preferCSSPageSize: true });
      for (const [width, height] of pdfSizes(pdf)) expect([Math.round(width), Math.round(height)]).toEqual([842, 595]);

      const before = screen.page.viewportSize();
      await screen.page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
      await screen.page.emulateMedia({ media: 'print' });
      await screen.page.setViewportSize({ width: 1047, height: 717 });
      expect(await screen.page.locator(drawn).count()).toBeGreaterThanOrEqual(atLeast);
      const { count, cut } = await lost();
      expect([count > 5, cut]).toEqual([true, []]);
      await screen.page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
      await screen.page.emulateMedia({ media: null });
      if (before) await screen.page.setViewportSize(before);
      expect(await screen.page.locator('[data-unrolled]').count()).toBe(0);
      expect(screen.problems).toEqual([]);
    },
  );
});
