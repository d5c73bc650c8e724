import { isLong } from '@kontor/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { long, openTestApp, type TestApp } from './browser.ts';
import type { TestPage } from './test-page.ts';

const path = '/web?action=project.tasks&view_type=gantt&scale=month&date=2026-11-18';

interface Task {
  readonly id: number;
  readonly name: string;
  readonly date_start: string;
  readonly date_end: string;
  readonly depends_on_ids: readonly number[];
}

describe('the gantt', () => {
  let app: TestApp;
  let screen: TestPage;
  let projects: number[];
  let people: number[];
  let ids: Map<string, number>;
  beforeAll(async () => {
    app = await openTestApp({ apps: ['project'], hasBus: true, keepsClient: true });
    const users = await app.rpc<{ id: number }[]>('core.user', 'search_read', [[], ['id']]);
    const lena = { login: 'lena@example.com', name: 'Lena Vogt', password: 'a long enough password' };
    people = [users[0]?.id ?? 0, await app.rpc<number>('core.user', 'create', [lena])];
    projects = await app.rpc<number[]>('project.project', 'create_many', [[{ name: 'Harbour' }, { name: 'Roastery' }]]);
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    const old = await app.rpc<Task[]>('project.task', 'search_read', [[], ['id']]);
    if (old.length > 0) await app.rpc('project.task', 'unlink', [old.map(({ id }) => id)]);
    ids = new Map();
    await make('Survey', '2026-11-09T08:00:00Z', '2026-11-12T16:00:00Z');
    await make('Plan', '2026-11-13T08:00:00Z', '2026-11-17T16:00:00Z', { waits: 'Survey' });
    await make('Install', '2026-11-18T08:00:00Z', '2026-11-20T16:00:00Z', { waits: 'Plan' });
    await make('Paint', '2026-11-16T08:00:00Z', '2026-11-17T16:00:00Z', { project: 1, hours: 20, who: 1 });
  });
  afterEach(async () => {
    expect(screen.problems).toEqual([]);
    await screen.close();
  });

  interface More {
    readonly waits?: string;
    readonly project?: number;
    readonly hours?: number;
    readonly who?: number;
  }
  const make = async (name: string, start: string, end: string, more: More = {}) => {
    const { waits, project = 0, hours = null, who = 0 } = more;
    const id = await app.rpc<number>('project.task', 'create', [
      {
        ...{ name, project_id: projects[project], date_start: start, date_end: end, hours_planned: hours },
        assignee_ids: [['set', [people[who]]]],
        depends_on_ids: waits ? [['link', ids.get(waits)]] : [],
      },
    ]);
    ids.set(name, id);
  };
  const task = async (name: string) => {
    const fields = ['name', 'date_start', 'date_end', 'depends_on_ids'];
    const [found] = await app.rpc<Task[]>('project.task', 'search_read', [[['name', '=', name]], fields]);
    if (!found) throw new Error(`There is no task ${name}.`);
    return { start: found.date_start.slice(0, 10), end: found.date_end.slice(0, 10), waits: found.depends_on_ids };
  };
  const bar = (name: string) => screen.page.locator(`[data-bar="${ids.get(name)}"]`);
  const middle = async (name: string) => {
    const box = await bar(name).boundingBox();
    if (!box) throw new Error(`${name} is not on screen.`);
    return { x: box.x + box.width / 2, y: box.y + box.height / 2, right: box.x + box.width };
  };
  /** The width of some days on the screen. */
  const days = async (count: number) => {
    const box = await screen.page.locator('[data-track]').boundingBox();
    return ((box?.width ?? 0) / 42) * count;
  };
  const pull = async (from: { x: number; y: number }, to: { x: number; y: number }) => {
    await screen.page.mouse.move(from.x, from.y);
    await screen.page.mouse.down();
    await screen.page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 4 });
    await screen.page.mouse.move(to.x, to.y, { steps: 4 });
  };

  /** The screen follows the mouse in its next frame. */
  const held = (text: string) => screen.page.locator('.gantt-held', { hasText: text }).waitFor();

  it('PLN-8 shows bars in rows by project, from a day to a year, and groups fold', async () => {
    screen = await app.open({ path });
    expect(await screen.page.locator('.gantt-group b').allTextContents()).toEqual(['Harbour', 'Roastery']);
    expect(await screen.text(bar('Plan'))).toContain('waits for Survey');
    await screen.checkAccessible();
    await screen.click(screen.find('button', /Harbour/));
    expect(await bar('Plan').count()).toBe(0);
    expect(await bar('Paint').count()).toBe(1);
    await screen.press('q');
    expect(new URL(screen.page.url()).searchParams.get('scale')).toBe('quarter');
    expect(await screen.text('.period-title')).toBe('Oct – December 2026');
    await screen.press('y');
    expect(await screen.text('.period-title')).toBe('2026');
    await screen.go(`${path}&group_by=stage_id,project_id`);
    expect(await screen.page.locator('.gantt-group').count()).toBeGreaterThanOrEqual(3);
  });

  long('PLN-2 a bar moves by mouse and by keys, and its end can be pulled', async () => {
    screen = await app.open({ path });
    const from = await middle('Paint');
    await pull(from, { x: from.x + (await days(2)), y: from.y });
    await held('2 days later');
    await screen.page.mouse.up();
    await screen.idle();
    expect(await task('Paint')).toMatchObject({ start: '2026-11-18', end: '2026-11-19' });
    await screen.click(screen.find('button', 'Undo'));
    expect(await task('Paint')).toMatchObject({ start: '2026-11-16', end: '2026-11-17' });
    const { right, y } = await middle('Paint');
    await pull({ x: right - 3, y }, { x: right - 3 + (await days(3)), y });
    await screen.page.mouse.up();
    await screen.idle();
    expect(await task('Paint')).toMatchObject({ start: '2026-11-16', end: '2026-11-20' });
    await bar('Paint').focus();
    await screen.page.keyboard.press('Shift+ArrowRight');
    await screen.page.keyboard.up('Shift');
    await screen.idle();
    // Its end would be on a Saturday.
    expect(await task('Paint')).toMatchObject({ start: '2026-11-17', end: '2026-11-23' });
  });

  it('PLN-13 a bar goes to another group by mouse and by keys, which changes its value and can be undone', async () => {
    const where = async (name: string) => {
      const asked = [[['name', '=', name]], ['project_id', 'assignee_ids', 'date_start']];
      const [found] = await app.rpc<{ project_id: number; assignee_ids: number[]; date_start: string }[]>(
        'project.task',
        'search_read',
        asked,
      );
      return found;
    };
    screen = await app.open({ path });
    const [from, to] = [await middle('Paint'), await middle('Survey')];
    await screen.page.evaluate((x) => {
      const track = document.querySelector('[data-track]') as HTMLElement;
      const present = document.createElement('span');
      present.className = 'gantt-now';
      present.style.insetInlineStart = `${x - track.getBoundingClientRect().left - 1}px`;
      track.append(present);
    }, from.x);
    await pull(from, { x: from.x, y: to.y });
    await held('To Harbour');
    expect(await screen.page.locator('.gantt-group.is-target b').allTextContents()).toEqual(['Harbour']);
    await screen.page.mouse.up();
    await screen.idle();
    expect(await where('Paint')).toMatchObject({ project_id: projects[0], date_start: '2026-11-16T08:00:00.000Z' });
    expect(await screen.page.locator('.gantt-group b').allTextContents()).toEqual(['Harbour']);
    await screen.click(screen.find('button', 'Undo'));
    expect(await where('Paint')).toMatchObject({ project_id: projects[1] });
    // The one whose group it leaves no longer works on it; by keys a person in place of another.
    await screen.visit(`${path}&group_by=assignee_ids`);
    const groups = await screen.page.locator('.gantt-group b').allTextContents();
    await bar('Paint').focus();
    await screen.page.keyboard.press('Space');
    await screen.page.keyboard.press(groups[0] === 'Lena Vogt' ? 'ArrowDown' : 'ArrowUp');
    await screen.page.keyboard.press('Space');
    await screen.idle();
    expect((await where('Paint'))?.assignee_ids).toEqual([people[0]]);
    await screen.click(screen.find('button', 'Undo'));
    expect((await where('Paint'))?.assignee_ids).toEqual([people[1]]);
  });

  long('PLN-9 what waits for a bar moves along when asked, all of it undone in one step', async () => {
    screen = await app.open({ path });
    await bar('Survey').focus();
    await screen.page.keyboard.press('Shift+ArrowRight');
    await screen.page.keyboard.up('Shift');
    await screen.idle();
    expect(await screen.text('dialog')).toContain('2 entries depend on it');
    await screen.checkAccessible();
    await screen.click(screen.find('button', 'Move along'));
    expect(await task('Survey')).toMatchObject({ start: '2026-11-10', end: '2026-11-13' });
    // They begin when the one before is done, on Friday at four, and keep their working time.
    expect(await task('Plan')).toMatchObject({ start: '2026-11-13', end: '2026-11-18' });
    expect(await task('Install')).toMatchObject({ start: '2026-11-18', end: '2026-11-23' });
    await screen.click(screen.find('button', 'Undo'));
    expect(await task('Survey')).toMatchObject({ start: '2026-11-09' });
    expect(await task('Install')).toMatchObject({ start: '2026-11-18', end: '2026-11-20' });
  });

  long('PLN-9 a bar moves alone, or not at all', async () => {
    screen = await app.open({ path });
    const move = async () => {
      await bar('Plan').focus();
      await screen.page.keyboard.press('Shift+ArrowRight');
      await screen.page.keyboard.up('Shift');
      await screen.idle();
    };
    await move();
    await screen.click(screen.find('button', 'Cancel'));
    expect(await task('Plan')).toMatchObject({ start: '2026-11-13' });
    await move();
    await screen.click(screen.find('button', 'Only this one'));
    // A day later is a Saturday: it lands on Monday.
    expect(await task('Plan')).toMatchObject({ start: '2026-11-16', end: '2026-11-18' });
    expect(await task('Install')).toMatchObject({ start: '2026-11-18' });
    expect(await screen.page.locator('.gantt-line.is-broken').count()).toBe(1);
  });

  it('PLN-10 dependencies are drawn, made by a pull, and removed by a click; a circle is refused', async () => {
    screen = await app.open({ path });
    expect(await screen.page.locator('.gantt-line').count()).toBe(2);
    await bar('Install').hover();
    const dot = await bar('Install').locator('[data-part="link"]').boundingBox();
    const from = { x: (dot?.x ?? 0) + 5, y: (dot?.y ?? 0) + 5 };
    await pull(from, await middle('Paint'));
    await screen.page.mouse.up();
    await screen.idle();
    expect((await task('Paint')).waits).toEqual([ids.get('Install')]);
    expect(await screen.page.locator('.gantt-line').count()).toBe(3);
    const line = screen.page.locator(`[data-link="${ids.get('Install')}-${ids.get('Paint')}"] .gantt-line-hit`);
    await line.dispatchEvent('click');
    await screen.click(screen.find('button', 'Remove the dependency'));
    expect((await task('Paint')).waits).toEqual([]);
    await bar('Survey').focus();
    await screen.press('l');
    await screen.page.getByLabel('Wait for').selectOption({ label: 'Install' });
    await screen.idle();
    screen.forgive(/422/);
    expect(await screen.text('.toast-error')).toContain('A task cannot depend on itself');
    expect((await task('Survey')).waits).toEqual([]);
  });

  long('PLN-11 the load tells hours against those available, and what must not be late is marked', async () => {
    screen = await app.open({ path });
    const row = screen.page.locator('.gantt-load-row', { hasText: 'Lena Vogt' });
    // Twenty hours on a day of eight and on seven hours of the next.
    expect(await row.locator('.gantt-load-cell.is-over').allTextContents()).toEqual(['11', '9']);
    expect(await screen.text(row)).toContain('20 of 240 h');
    await screen.click(screen.find('button', 'Critical path'));
    expect(await screen.page.locator('.gantt-bar.is-critical').count()).toBe(3);
    expect(await screen.text(bar('Plan'))).toContain('critical');
    expect(await bar('Paint').getAttribute('class')).not.toContain('is-critical');
    await screen.checkAccessible();
  });

  it('PLN-14 the head of a group tells what the database counts on the days in sight, for each who works on it', async () => {
    const both = [['set', people]];
    await make('Wire', '2026-11-19T08:00:00Z', '2026-11-20T16:00:00Z', { project: 1, hours: 12.5, who: 1 });
    await app.rpc('project.task', 'write', [[ids.get('Wire')], { assignee_ids: both }]);
    await make('Later', '2027-01-19T08:00:00Z', '2027-01-20T16:00:00Z', { project: 1, hours: 100, who: 1 });
    const heads = () => screen.page.locator('.gantt-group .gantt-name').allInnerTexts();
    const words = (text: string) => text.replaceAll(/\s+/g, ' ').trim();
    const totals = async (by: string) => {
      const domain = [
        ['date_start', '<', '2026-12-13'],
        ['date_end', '>', '2026-11-01'],
      ];
      const fields = [{ name: 'hours', field: 'hours_planned', measure: 'sum' }];
      const spec = { domain, groupby: [by], fields };
      const rows = await app.rpc<Record<string, unknown>[]>('project.task', 'read_group', [spec]);
      return new Map(rows.map((row) => [String(row[`${by}.display_name`]), row]));
    };
    screen = await app.open({ path });
    const projectTotals = await totals('project_id');
    expect(Number(projectTotals.get('Roastery')?.hours)).toBe(32.5);
    expect((await heads()).map(words)).toEqual([expect.stringMatching(/^Harbour 3 /), 'Roastery 2 33 h']);
    expect(await screen.text('.gantt-total')).toBe('5 entries');
    await screen.visit(`${path}&group_by=assignee_ids`);
    const lena = (await totals('assignee_ids')).get('Lena Vogt');
    expect([Number(lena?.__count), Number(lena?.hours)]).toEqual([2, 32.5]);
    expect((await heads()).map(words)).toContain('Lena Vogt 2 33 h');
    expect(await bar('Wire').count()).toBe(2);
    // What somebody else plans is in the heads by itself.
    await app.rpc('project.task', 'write', [[ids.get('Paint')], { hours_planned: 30 }]);
    await screen.page.locator('.gantt-group', { hasText: '43 h' }).waitFor();
  });

  long(
    'PLN-16 the address and a saved search keep scale, groups and the critical path, and paper has every row',
    async () => {
      const plain = '/web?action=project.tasks&view_type=gantt';
      const kept = { scale: 'quarter', group_by: 'stage_id', critical: '1', load: '0' };
      for (let n = 1; n <= 40; n++) await make(`Step ${n}`, '2026-11-16T08:00:00Z', '2026-11-17T16:00:00Z');
      screen = await app.open({ path: `${plain}&date=2026-11-18&${new URLSearchParams(kept)}` });
      expect(await screen.text('.period-title')).toBe('Oct – December 2026');
      expect(await screen.page.locator('.gantt-load-row').count()).toBe(0);
      // A narrow window gives the end of the bar a line of its own: every button can be pressed.
      await screen.page.setViewportSize({ width: 1024, height: 768 });
      await screen.click(screen.page.getByRole('button', { name: 'Filter', exact: true }));
      await screen.click(screen.page.locator('.menu-item', { hasText: 'Save this search' }));
      await screen.type('The quarter');
      await screen.press('Enter');
      await screen.go(plain);
      await screen.click(screen.page.getByRole('button', { name: 'Filter', exact: true }));
      await screen.click(screen.page.locator('.menu-item', { hasText: 'The quarter' }));
      const address = new URL(screen.page.url()).searchParams;
      expect(Object.fromEntries(Object.keys(kept).map((key) => [key, address.get(key)]))).toEqual(kept);
      await screen.press('Escape');

      await screen.visit(`${plain}&date=2026-11-18&scale=month`);
      expect(await screen.page.locator('[data-bar]').count()).toBeLessThan(44);
      await screen.page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
      expect(await screen.page.locator('[data-bar]').count()).toBe(44);
      await screen.page.emulateMedia({ media: 'print' });
      const visible = (selector: string) => screen.page.locator(selector).filter({ visible: true }).count();
      expect(await visible('.top, .side, .bar .btn, .period-steps')).toBe(0);
      expect(await visible('.gantt-bar')).toBeGreaterThan(0);
      await screen.page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
      await screen.page.emulateMedia({ media: 'screen' });
    },
  );

  long('PLN-7 what somebody else moves is moved here', async () => {
    screen = await app.open({ path });
    const before = await middle('Paint');
    const later = { date_start: '2026-11-23T08:00:00Z', date_end: '2026-11-24T16:00:00Z' };
    await app.rpc('project.task', 'write', [[ids.get('Paint')], later]);
    await screen.page.waitForFunction(
      ([id, x]) => (document.querySelector(`[data-bar="${id}"]`)?.getBoundingClientRect().left ?? 0) > Number(x),
      [ids.get('Paint') ?? 0, before.x] as const,
    );
    await app.rpc('project.task', 'write', [[ids.get('Paint')], { hours_planned: 30 }]);
    await screen.page.locator('.gantt-load-cell.is-over', { hasText: '16' }).first().waitFor();
  });

  long('PLN-8 a phone gives each task its own track', async () => {
    screen = await app.open({ size: 'phone', path });
    expect(await screen.page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    expect(await screen.page.locator('.gantt-row .gantt-name').first().isVisible()).toBe(true);
    await screen.checkAccessible();
  });

  it('SCN-83 the scales are a menu where they would take a second line of the bar', async () => {
    screen = await app.open({ path });
    const scales = screen.page.locator('.bar').getByRole('group', { name: 'Scale' });
    const heightOf = () => screen.page.locator('.bar').evaluate(({ clientHeight }) => clientHeight);
    await screen.page.setViewportSize({ width: 1600, height: 900 });
    await expect.poll(() => scales.getByRole('button').count()).toBe(5);
    const height = await heightOf();
    await screen.page.setViewportSize({ width: 1360, height: 900 });
    await expect.poll(() => scales.getByRole('button').allInnerTexts()).toEqual(['Month']);
    expect(await heightOf()).toBe(height);
    await screen.checkAccessible();
    await screen.click(scales.getByRole('button'));
    await screen.click(screen.find('menuitemcheckbox', /^Week/));
    expect(new URL(screen.page.url()).searchParams.get('scale')).toBe('week');
    expect(await scales.getByRole('button').textContent()).toBe('Week');
    await screen.page.setViewportSize({ width: 1600, height: 900 });
    await expect.poll(() => scales.getByRole('button').count()).toBe(5);
    // Here a menu saves nothing: the bar has two lines with it as well.
    await screen.page.setViewportSize({ width: 1024, height: 768 });
    await expect.poll(heightOf).toBeGreaterThan(height * 1.5);
    await expect.poll(() => scales.getByRole('button').count()).toBe(5);
  });

  it('PLN-12 of many bars only those in sight are drawn, and arrows go on to the last', async () => {
    const total = isLong ? 5000 : 1200;
    const values = Array.from({ length: total - 4 }, (_, index) => ({
      ...{ name: `Step ${index}`, project_id: projects[1] },
      ...{ date_start: '2026-11-16T08:00:00Z', date_end: '2026-11-20T16:00:00Z' },
    }));
    await app.rpc('project.task', 'create_many', [values]);
    screen = await app.open({ path });
    expect(await screen.text('.gantt-total')).toContain(total.toLocaleString('en-US'));
    expect(await screen.page.locator('[data-bar]').count()).toBeLessThan(60);
    for (const part of [0.2, 0.5, 0.9]) {
      const drawn = await screen.page.locator('.gantt-scroll').evaluate(async (element, share) => {
        element.scrollTop = element.scrollHeight * share;
        await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
        return element.querySelectorAll('[data-bar]').length;
      }, part);
      expect(drawn).toBeGreaterThan(5);
      expect(drawn).toBeLessThan(60);
    }
    await screen.page.locator('.gantt-list [tabindex="0"]').focus();
    await screen.press('End');
    const name = await screen.page.evaluate(() => document.activeElement?.textContent ?? '');
    expect(name).toContain('Step');
    expect(await screen.page.locator('[data-bar]').count()).toBeLessThan(60);
  });
});
