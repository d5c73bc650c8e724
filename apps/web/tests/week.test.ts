import { afterAll, beforeAll, describe, expect } from 'vitest';
import { long, openTestApp, type TestApp } from './browser.ts';

describe('the week of a person', () => {
  let app: TestApp;
  let project: number;
  beforeAll(async () => {
    app = await openTestApp({ apps: ['project'] });
    project = await app.rpc<number>('project.project', 'create', [{ name: 'Aalto House' }]);
  });
  afterAll(() => app.close());

  const logged = async () => {
    const rows = await app.rpc<{ hours: number }[]>(
      'project.time',
      'search_read',
      [[['project_id', '=', project]], ['hours']],
      { order: 'date, id' },
    );
    return rows.map(({ hours }) => Number(hours));
  };

  long(
    'PRJ-9 is typed into a grid with the keyboard, is undone, and is entered a day at a time on a phone',
    async () => {
      const open = await app.open({ path: '/web?action=project.my_time' });
      const { page } = open;
      await open.click(open.find('button', 'Add a row'));
      await open.type('Aalto');
      await page.getByRole('option', { name: 'Aalto House' }).waitFor();
      await open.press('Enter');
      const cells = page.locator('.project-week-cell');
      await expect.poll(() => cells.count()).toBe(7);
      await cells.first().focus();
      await open.type('1:30');
      await open.press('ArrowRight');
      await open.type('nonsense');
      await open.press('ArrowRight');
      await expect.poll(() => cells.nth(1).getAttribute('aria-invalid')).toBe('true');
      await open.press('Escape');
      await expect.poll(logged).toEqual([1.5]);
      await expect.poll(() => cells.first().inputValue()).toBe('1:30');
      await expect.poll(() => open.text('tfoot')).toContain('1:30');
      await open.checkAccessible();
      await cells.first().focus();
      await open.type('2');
      await open.press('Enter');
      await expect.poll(logged).toEqual([2]);
      await cells.first().fill('');
      await open.press('Enter');
      await expect.poll(logged).toEqual([]);
      await open.click(page.getByRole('button', { name: 'Undo' }).last());
      await expect.poll(logged).toEqual([2]);
      await expect.poll(() => cells.first().inputValue()).toBe('2:00');

      await page.setViewportSize({ width: 390, height: 844 });
      await expect.poll(() => cells.count()).toBe(1);
      await open.click(page.locator('.project-week-day').last());
      await cells.first().fill('0:45');
      await open.press('Enter');
      await expect.poll(logged).toEqual([2, 0.75]);
      await open.checkAccessible();
      expect(open.problems).toEqual([]);
    },
    120_000,
  );
});
