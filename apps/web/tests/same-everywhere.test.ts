import { addDays } from '@kontor/protocol';
import { noon } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { long, openTestApp, type TestApp } from './browser.ts';
import type { TestPage } from './test-page.ts';

const { tz, today } = noon();
const soon = addDays(today, 3);

describe('tasks and projects', () => {
  let app: TestApp;
  let page: TestPage;
  let project: number;
  let task: number;
  beforeAll(async () => {
    app = await openTestApp({ apps: ['project'] });
    const { rpc } = app;
    await rpc('core.user', 'write', [[1], { tz }]);
    project = await rpc('project.project', 'create', [{ name: 'New roof', user_id: 1, date_end: soon }]);
    const values = { project_id: project, name: 'Order tiles', assignee_ids: [['set', [1]]], date_deadline: soon };
    task = await rpc('project.task', 'create', [values]);
    await rpc('mail.activity', 'create', [
      { model: 'project.task', res_id: task, name: 'Ring the yard', due_date: soon, user_id: 1, type_id: 1 },
    ]);
    page = await app.open({ path: '/web/home' });
  });
  afterAll(() => app.close());

  const avatars = (within: string) =>
    page.page
      .locator(`${within} .avatar:visible`)
      .evaluateAll((all) => [
        ...new Set(all.map((one) => `${one.textContent} ${getComputedStyle(one).backgroundColor}`)),
      ]);
  const dates = (within: string) => page.page.locator(`${within} time.remaining`).allTextContents();

  it('SCN-53 a person and a day that something is due look the same on every screen', async () => {
    const screens = {
      list: ['/web?model=project.task&view_type=list', '.list-table tbody'],
      kanban: ['/web?model=project.task&view_type=kanban', '.kanban-card'],
      form: [`/web?model=project.task&view_type=form&id=${task}`, '.form-main'],
      projects: [`/web?model=project.project&view_type=form&id=${project}`, '.form-main'],
    } as const;
    const seen: Record<string, unknown> = {};
    for (const [name, [path, within]] of Object.entries(screens)) {
      await page.visit(path);
      seen[name] = { people: await avatars(within), due: [...new Set(await dates(within))] };
    }
    await page.visit(`/web?model=project.task&view_type=form&id=${task}`);
    await page.click(page.find('tab', /^Activities/));
    await page.page.locator('.activity-meta .avatar').waitFor();
    seen.activities = { people: await avatars('.activity-meta'), due: await dates('.activity-meta') };
    const me = await avatars('.who');
    const same = { people: me, due: ['in 3 days'] };
    expect(seen).toEqual({ list: same, kanban: same, form: same, projects: same, activities: same });
    await page.visit('/web/home');
    expect(await dates('.day-row')).toEqual(['in 3 days', 'in 3 days']);
    await page.checkAccessible();
  });

  it('SCN-34 the card of a project opens its board, and a button its form', async () => {
    await page.visit('/web?action=project.projects&view_type=kanban');
    await page.click(page.page.locator('.kanban-card', { hasText: 'New roof' }).getByRole('link').first());
    expect(await page.page.locator('.kanban-title').allTextContents()).toEqual(['Order tiles']);
    expect(page.page.url()).toContain('project_tasks');
    await page.page.goBack();
    await page.idle();
    expect(await page.page.locator('.kanban-title').allTextContents()).toEqual(['New roof']);
  });

  long('SCN-37 a task has a checklist, and a clock that books the time', async () => {
    await page.visit(`/web?model=project.task&view_type=form&id=${task}`);
    await page.click(page.find('tab', 'Checklist'));
    for (const words of ['Count the roof', 'Ask for a price']) {
      await page.click(page.find('button', /Add a line/));
      // After its handle and its box.
      await page.click(page.page.locator('.grid-row').last().getByRole('gridcell').nth(2));
      await page.page.keyboard.insertText(words);
    }
    await page.press('Control+s');
    const items = await app.rpc<object[]>('project.task', 'read', [[task], [{ item_ids: ['name'] }]]);
    expect(JSON.stringify(items)).toMatch(/Count the roof.*Ask for a price/);
    const press = async (name: string) => {
      const inBar = page.page.locator('.form-bar').getByRole('button', { name });
      if ((await inBar.count()) === 1) return page.click(inBar);
      await page.click(page.page.locator('.form-bar').getByRole('button', { name: 'More' }));
      return page.click(page.find('menuitem', name));
    };
    await press('Start timer');
    await press('Stop timer');
    const [after] = await app.rpc<{ is_timed: boolean }[]>('project.task', 'read', [[task], ['is_timed']]);
    expect(after?.is_timed).toBe(false);
    expect(page.problems).toEqual([]);
  });

  long('SCN-35 a refusal speaks of things, and in the words of the reader', async () => {
    const reader = { login: 'rolf@example.com', password: 'a quiet harbour' };
    const group = await app.rpc<{ id: number }[]>('core.group', 'search_read', [
      [['key', '=', 'project.group_user']],
      ['id'],
    ]);
    await app.rpc('core.user', 'create', [
      { name: 'Rolf', lang: 'de_DE', group_ids: [['set', group.map(({ id }) => id)]], ...reader },
    ]);
    const rolf = await app.open({ as: reader, path: '/web?model=sys.cron&view_type=list' });
    const said = await rolf.text('.main');
    expect(said).not.toMatch(/sys\.|project\.|core\./);
    expect(said).not.toMatch(/may not|access/i);
    rolf.forgive(/403/);
    await rolf.close();
  });

  it.each([
    ['de_DE', 'Neue Aufgabe', 'Einstellungen'],
    ['fr_FR', 'Nouvelle tâche', 'Paramètres'],
  ])(
    'SCN-56 the palette makes records and finds screens in the words of the reader (%s)',
    async (lang, make, place) => {
      await app.rpc('core.user', 'write', [[1], { lang }]);
      await page.go('/web/home');
      for (const words of [make, place]) {
        await page.press('Control+k');
        await page.page.keyboard.insertText(words);
        await page.page.getByRole('option', { name: words }).first().waitFor();
        await page.press('Escape');
      }
      await app.rpc('core.user', 'write', [[1], { lang: 'en_US' }]);
      expect(page.problems).toEqual([]);
    },
  );
});
