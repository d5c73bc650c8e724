import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestApp, type TestApp } from './browser.ts';
import type { TestPage } from './test-page.ts';

const path = '/web?action=project.tasks&view_type=gantt&scale=month&date=2026-11-18';

describe('the load under a gantt', () => {
  let app: TestApp;
  let screen: TestPage;
  beforeAll(async () => {
    app = await openTestApp({ apps: ['project'] });
    const project = await app.rpc<number>('project.project', 'create', [{ name: 'Harbour' }]);
    const span = { date_start: '2026-11-18T08:00:00Z', date_end: '2026-11-19T16:00:00Z' };
    await app.rpc('project.task', 'create', [
      { name: 'Rush', project_id: project, hours_planned: 38, assignee_ids: [['set', [1]]], ...span },
    ]);
    screen = await app.open({ path });
  });
  afterAll(() => app.close());

  it('SCN-92 has figures that are whole or not there, and in Arabic the head of the names stands over them', async () => {
    const figures = async () => {
      const all = await screen.page.locator('.gantt-load-cell.is-over').evaluateAll((cells) =>
        cells.map((cell) => {
          const range = document.createRange();
          range.selectNodeContents(cell);
          const { width } = range.getBoundingClientRect();
          return width === 0 ? 'none' : width <= cell.clientWidth ? 'whole' : 'cut';
        }),
      );
      return [...new Set(all)];
    };
    await screen.page.setViewportSize({ width: 1440, height: 900 });
    await expect.poll(figures).toEqual(['whole']);
    await screen.page.setViewportSize({ width: 1024, height: 768 });
    await expect.poll(figures).toEqual(['none']);
    await app.rpc('core.user', 'write', [[1], { lang: 'ar_AE' }]);
    await screen.go(path);
    const startOf = (place: string) =>
      screen.page
        .locator(place)
        .first()
        .evaluate((one) => getComputedStyle(one).paddingRight);
    expect(await startOf('.gantt-corner')).toBe(await startOf('.gantt-group > .gantt-name'));
    expect(screen.problems).toEqual([]);
  });
});
