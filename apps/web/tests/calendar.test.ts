import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { long, openTestApp, type TestApp } from './browser.ts';
import type { TestPage } from './test-page.ts';

const week = '/web?action=project.tasks&view_type=calendar&scale=week&date=2026-11-18';
const month = '/web?action=project.tasks&view_type=calendar&scale=month&date=2026-11-18';

interface Task {
  readonly id: number;
  readonly date_start: string | null;
  readonly date_end: string | null;
}

/** The person's clocks are those of Berlin, an hour ahead in November. */
describe('the calendar', () => {
  let app: TestApp;
  let screen: TestPage;
  let projectId: number;
  let people: number[];
  beforeAll(async () => {
    app = await openTestApp({ apps: ['project', 'crm'], hasBus: true, keepsClient: true });
    const users = await app.rpc<{ id: number }[]>('core.user', 'search_read', [[], ['id']]);
    await app.rpc('core.user', 'write', [users.map(({ id }) => id), { tz: 'Europe/Berlin' }]);
    const lena = { login: 'lena@example.com', name: 'Lena Vogt', password: 'a long enough password' };
    people = [users[0]?.id ?? 0, await app.rpc<number>('core.user', 'create', [lena])];
    projectId = await app.rpc<number>('project.project', 'create', [{ name: 'Harbour hotel' }]);
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    const old = await app.rpc<Task[]>('project.task', 'search_read', [[], ['id']]);
    if (old.length > 0) await app.rpc('project.task', 'unlink', [old.map(({ id }) => id)]);
    await make('Stand-up', '2026-11-16T08:00:00Z', '2026-11-16T09:00:00Z');
    await make('Drawings', '2026-11-17T09:00:00Z', '2026-11-17T10:30:00Z', 1);
    await make('Review', '2026-11-03T09:00:00Z', '2026-11-03T10:00:00Z');
    await make('Trade fair', '2026-11-15T23:00:00Z', '2026-11-18T23:00:00Z');
  });
  afterEach(async () => {
    expect(screen.problems).toEqual([]);
    await screen.close();
  });

  const make = (name: string, start: string, end: string, who = 0) => {
    const assignees = [['set', [people[who]]]];
    const values = { name, project_id: projectId, date_start: start, date_end: end, assignee_ids: assignees };
    return app.rpc<number>('project.task', 'create', [values]);
  };
  const task = async (name: string) => {
    const fields = ['date_start', 'date_end'];
    const [found] = await app.rpc<Task[]>('project.task', 'search_read', [[['name', '=', name]], fields]);
    return found && { start: found.date_start, end: found.date_end };
  };
  const entry = (name: string) => screen.page.locator('.calendar-main [data-entry]', { hasText: name }).first();
  const column = (day: string) => screen.page.locator(`[data-hours="${day}"]`);
  const cell = (day: string) => screen.page.locator(`.calendar-main [data-days="${day}"]`);
  /** A point in a column of hours, on the wall. */
  const spot = async (day: string, hour: number) => {
    const box = await column(day).boundingBox();
    if (!box) throw new Error(`${day} is not on screen.`);
    return { x: box.x + box.width / 2, y: box.y + (box.height * hour) / 24 };
  };
  const middle = async (name: string) => {
    const box = await entry(name).boundingBox();
    if (!box) throw new Error(`${name} is not on screen.`);
    return { x: box.x + box.width / 2, y: box.y + box.height / 2, bottom: box.y + box.height };
  };
  const pull = async (from: { x: number; y: number }, to: { x: number; y: number }) => {
    await screen.page.mouse.move(from.x, from.y);
    await screen.page.mouse.down();
    await screen.page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 4 });
    await screen.page.mouse.move(to.x, to.y, { steps: 4 });
  };

  it('PLN-1 shows a week, a day, a month and an agenda, and the address tells which', async () => {
    screen = await app.open({ path: week });
    expect(await screen.text('.period-title')).toBe('November 15 – 21, 2026');
    expect(await screen.text(entry('Stand-up'))).toContain('9:00 – 10:00 AM');
    await screen.checkAccessible();
    // Where there is room for it, each scale has a button.
    await screen.page.setViewportSize({ width: 1600, height: 900 });
    await screen.press('m');
    expect(new URL(screen.page.url()).searchParams.get('scale')).toBe('month');
    expect(await screen.text('.period-title')).toBe('November 2026');
    // The whole month is loaded, not the week that the view opens with.
    expect(await entry('Review').count()).toBe(1);
    await screen.checkAccessible();
    await screen.press('PageDown');
    expect(await screen.text('.period-title')).toBe('December 2026');
    await screen.page.goBack();
    await screen.idle();
    expect(await screen.text('.period-title')).toBe('November 2026');
    await screen.click(screen.find('button', /^Agenda$/).first());
    expect(await screen.text('[data-agenda="2026-11-18"]')).toContain('Trade fair');
    await screen.checkAccessible();
    await screen.click(screen.find('button', /^Day$/).first());
    expect(await screen.page.locator('[data-hours]').count()).toBe(1);
  });

  long('PLN-2 an entry moves by mouse to another day and hour, and back by one undo', async () => {
    screen = await app.open({ path: week });
    const from = await middle('Stand-up');
    const to = await spot('2026-11-19', 13.5);
    await pull(from, to);
    await expect.poll(() => screen.text(entry('Stand-up'))).toContain('1:00 – 2:00 PM');
    await screen.page.mouse.up();
    await screen.idle();
    expect(await task('Stand-up')).toEqual({ start: '2026-11-19T12:00:00.000Z', end: '2026-11-19T13:00:00.000Z' });
    await screen.click(screen.find('button', 'Undo'));
    expect(await task('Stand-up')).toEqual({ start: '2026-11-16T08:00:00.000Z', end: '2026-11-16T09:00:00.000Z' });
    expect(await screen.text(entry('Stand-up'))).toContain('9:00 – 10:00 AM');
  });

  long('PLN-2 Escape puts back what is held, and a pull at its end makes an entry longer', async () => {
    screen = await app.open({ path: week });
    await pull(await middle('Drawings'), await spot('2026-11-18', 15));
    await screen.page.keyboard.press('Escape');
    await screen.page.mouse.up();
    await screen.idle();
    expect(await task('Drawings')).toEqual({ start: '2026-11-17T09:00:00.000Z', end: '2026-11-17T10:30:00.000Z' });
    const { x, bottom } = await middle('Drawings');
    await pull({ x, y: bottom - 3 }, await spot('2026-11-17', 13));
    await screen.page.mouse.up();
    await screen.idle();
    expect(await task('Drawings')).toEqual({ start: '2026-11-17T09:00:00.000Z', end: '2026-11-17T12:00:00.000Z' });
  });

  it('PLN-2 an entry moves and grows by keys', async () => {
    screen = await app.open({ path: week });
    await entry('Drawings').focus();
    await screen.page.keyboard.down('Shift');
    await screen.page.keyboard.press('ArrowRight');
    await screen.page.keyboard.press('ArrowDown');
    await screen.page.keyboard.up('Shift');
    await screen.idle();
    expect(await task('Drawings')).toEqual({ start: '2026-11-18T09:15:00.000Z', end: '2026-11-18T10:45:00.000Z' });
    await screen.page.keyboard.down('Alt');
    await screen.page.keyboard.press('ArrowDown');
    await screen.page.keyboard.up('Alt');
    await screen.idle();
    expect(await task('Drawings')).toEqual({ start: '2026-11-18T09:15:00.000Z', end: '2026-11-18T11:00:00.000Z' });
    await screen.page.keyboard.press(' ');
    await screen.page.keyboard.press('ArrowLeft');
    await screen.press('Escape');
    expect((await task('Drawings'))?.start).toBe('2026-11-18T09:15:00.000Z');
  });

  long('PLN-2 what the server refuses goes back, with its reason', async () => {
    screen = await app.open({ path: week });
    await screen.page.route('**/api/rpc', (route) => {
      if (!route.request().postData()?.includes('"write"')) return route.continue();
      const error = { code: 'VALIDATION_ERROR', message: 'This week is closed.', details: { fields: {} } };
      return route.fulfill({ status: 422, json: { ok: false, result: null, error } });
    });
    await pull(await middle('Stand-up'), await spot('2026-11-19', 13.5));
    await screen.page.mouse.up();
    await screen.idle();
    screen.forgive(/422/);
    expect(await screen.text('.toast')).toContain('This week is closed.');
    expect(await screen.text(entry('Stand-up'))).toContain('9:00 – 10:00 AM');
  });

  long('PLN-3 a pull over empty time makes an entry there', async () => {
    screen = await app.open({ path: `${week}&context=${encodeURIComponent(`{"default_project_id":${projectId}}`)}` });
    await pull(await spot('2026-11-20', 11.51), await spot('2026-11-20', 13));
    await expect.poll(() => screen.text('.calendar-draft')).toContain('11:30 AM – 1:00 PM');
    await screen.page.mouse.up();
    await screen.idle();
    await screen.type('Fitter interview');
    await screen.checkAccessible();
    await screen.press('Enter');
    expect(await task('Fitter interview')).toEqual({
      start: '2026-11-20T10:30:00.000Z',
      end: '2026-11-20T12:00:00.000Z',
    });
    expect(await screen.text(entry('Fitter interview'))).toContain('11:30');
  });

  it('PLN-3 keys go to a day of the month and make an entry there; Escape makes none', async () => {
    screen = await app.open({ path: `${month}&context=${encodeURIComponent(`{"default_project_id":${projectId}}`)}` });
    await screen.page.locator('[data-cursor][tabindex="0"]').focus();
    const first = await screen.page.evaluate(() => document.activeElement?.getAttribute('data-days'));
    await screen.press('ArrowDown');
    const next = await screen.page.evaluate(() => document.activeElement?.getAttribute('data-days'));
    expect(Date.parse(next ?? '') - Date.parse(first ?? '')).toBe(7 * 86_400_000);
    await screen.press('Enter');
    await screen.press('Escape');
    expect(await screen.page.locator('.calendar-draft').count()).toBe(0);
    await cell(next ?? '').focus();
    await screen.press('Enter');
    await screen.type('Inventory');
    await screen.press('Enter');
    expect((await task('Inventory'))?.start).toBe(new Date(Date.parse(`${next}T00:00:00+01:00`)).toISOString());
  });

  long('PLN-4 the night in which clocks are set back keeps what is on the wall', async () => {
    await make('Night shift', '2026-10-23T22:30:00Z', '2026-10-24T02:30:00Z');
    screen = await app.open({ path: '/web?action=project.tasks&view_type=calendar&scale=day&date=2026-10-25' });
    expect(await screen.text('.calendar-odd-mark')).toBe('25 h');
    await screen.visit('/web?action=project.tasks&view_type=calendar&scale=month&date=2026-10-24');
    await entry('Night shift').focus();
    await screen.page.keyboard.press('Shift+ArrowRight');
    await screen.page.keyboard.up('Shift');
    await screen.idle();
    // Half past midnight again, and four hours that pass.
    expect(await task('Night shift')).toEqual({ start: '2026-10-24T22:30:00.000Z', end: '2026-10-25T02:30:00.000Z' });
  });

  long('PLN-5 a month counts what does not fit and opens it, and an entry goes on over weeks', async () => {
    for (let n = 1; n <= 9; n++) await make(`Call ${n}`, '2026-11-19T08:00:00Z', '2026-11-19T09:00:00Z');
    await make('Build', '2026-11-17T23:00:00Z', '2026-11-27T23:00:00Z');
    screen = await app.open({ path: month });
    expect(await screen.page.locator('.calendar-main [data-entry]', { hasText: 'Build' }).count()).toBe(2);
    const more = cell('2026-11-19').locator('.calendar-more');
    expect(await screen.text(more)).toMatch(/^\+\d more$/);
    await screen.click(more);
    expect(await screen.page.locator('.calendar-all [data-entry]').count()).toBe(10);
    await screen.checkAccessible();
  });

  it('PLN-6 ticks beside it hide people, colours can be by another field, and the address keeps both', async () => {
    screen = await app.open({ path: week });
    const side = screen.page.locator('.calendar-side');
    const amount = (name: string) => side.locator('label', { hasText: name }).locator('.digits').textContent();
    // Two of the three in this week are of one person; the fourth is in another week.
    expect(await amount('Harbour hotel')).toBe('3');
    expect(await amount('Lena Vogt')).toBe('1');
    const drawings = [['name', '=', 'Drawings']];
    const [found] = await app.rpc<Task[]>('project.task', 'search_read', [drawings, ['id']]);
    await app.rpc('project.task', 'write', [[found?.id], { hours_planned: 4.5 }]);
    await side.locator('.digits', { hasText: '4.5 h' }).first().waitFor();
    await side.getByLabel('Lena Vogt').uncheck();
    await screen.idle();
    expect(await entry('Drawings').count()).toBe(0);
    expect(await entry('Stand-up').count()).toBe(1);
    await screen.click(side.getByRole('button', { name: 'Colour by' }));
    await screen.click(screen.find('menuitemcheckbox', 'Stage'));
    expect(new URL(screen.page.url()).searchParams.get('color')).toBe('stage_id');
    await side.locator('legend', { hasText: 'Stage' }).waitFor();
    await screen.page.reload();
    await screen.idle();
    expect(await entry('Drawings').count()).toBe(0);
    expect(await side.locator('legend').first().textContent()).toBe('Stage');
  });

  it('PLN-16 a saved search keeps scale, colour and ticks of a calendar, and paper has it without the bars', async () => {
    const plain = '/web?action=project.tasks&view_type=calendar';
    const kept = { scale: 'month', color: 'stage_id', hide_people: String(people[1]) };
    screen = await app.open({ path: `${plain}&date=2026-11-18&${new URLSearchParams(kept)}` });
    expect(await entry('Stand-up').count()).toBe(1);
    expect(await entry('Drawings').count()).toBe(0);
    await screen.page.setViewportSize({ width: 1024, height: 768 });
    await screen.click(screen.page.getByRole('button', { name: 'Filter', exact: true }));
    await screen.click(screen.page.locator('.menu-item', { hasText: 'Save this search' }));
    await screen.type('Without Lena');
    await screen.press('Enter');
    await screen.go(plain);
    await screen.click(screen.page.getByRole('button', { name: 'Filter', exact: true }));
    await screen.click(screen.page.locator('.menu-item', { hasText: 'Without Lena' }));
    const address = new URL(screen.page.url()).searchParams;
    expect(Object.fromEntries(Object.keys(kept).map((key) => [key, address.get(key)]))).toEqual(kept);
    await screen.press('Escape');

    await screen.visit(month);
    await screen.page.emulateMedia({ media: 'print' });
    const seen = await screen.page
      .locator('.top, .side, .calendar-side, .bar .btn, .period-steps, .calendar-main [data-entry]')
      .evaluateAll((all) => all.filter((one) => one.checkVisibility()).map((one) => one.hasAttribute('data-entry')));
    expect([...new Set(seen)]).toEqual([true]);
    await screen.page.emulateMedia({ media: 'screen' });
  });

  long(
    'SCN-92 the hour it is and the days of a narrow week are whole, and today covers no dots on a phone',
    async () => {
      screen = await app.open({ path: '/web?action=project.tasks&view_type=calendar&scale=week' });
      await screen.page.setViewportSize({ width: 1024, height: 768 });
      const label = screen.page.locator('.calendar-now-label');
      // As wide as it ever gets.
      const room = await label.evaluate((one) => {
        one.textContent = '12:58 PM';
        const [box, week] = [one.getBoundingClientRect(), one.closest('.calendar-week')?.getBoundingClientRect()];
        return box.left - (week?.left ?? 0);
      });
      expect(room).toBeGreaterThanOrEqual(0);
      const cut = await screen.page
        .locator('.calendar-head')
        .evaluateAll((heads) =>
          heads.filter((head) => head.scrollWidth > head.clientWidth).map((head) => head.textContent),
        );
      expect(cut).toEqual([]);
      await screen.visit(month);
      expect(await screen.text(entry('Drawings'))).toContain('10 AM');
      await screen.page.setViewportSize({ width: 390, height: 844 });
      await screen.visit('/web?action=project.tasks&view_type=calendar&scale=month');
      const gap = await screen.page.locator('.is-today .calendar-number').evaluate((number) => {
        const mark = getComputedStyle(number, '::before');
        return Number.parseFloat(mark.bottom) - Number.parseFloat(getComputedStyle(number).paddingBottom);
      });
      expect(gap).toBeGreaterThan(4);
    },
  );

  it('PLN-7 what somebody else plans is there by itself', async () => {
    screen = await app.open({ path: week });
    await make('Surprise', '2026-11-20T08:00:00Z', '2026-11-20T09:00:00Z');
    await entry('Surprise').waitFor();
  });

  long('PLN-1 a phone gets an agenda under its week, and a day between hours', async () => {
    screen = await app.open({ size: 'phone', path: '/web?action=project.tasks&view_type=calendar&date=2026-11-16' });
    expect(new URL(screen.page.url()).searchParams.get('scale')).toBe('agenda');
    expect(await screen.text('[data-agenda="2026-11-16"]')).toContain('Stand-up');
    await screen.checkAccessible();
    const width = await screen.page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBe(390);
    await screen.click(screen.page.locator('.period-foot').getByRole('button', { name: 'Day', exact: true }));
    expect(await screen.text(entry('Stand-up'))).toContain('9:00');
    await screen.checkAccessible();
  });
});
