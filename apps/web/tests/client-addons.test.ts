import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { long, openTestApp, type TestApp } from './browser.ts';
import type { TestPage } from './test-page.ts';

let app: TestApp;

beforeAll(async () => {
  app = await openTestApp({ apps: ['project', 'gauges'], demo: true, hasBus: true });
  for (const [name, value] of [
    ['Boiler', 7],
    ['Cellar', 12],
  ])
    await app.rpc('gauges.reading', 'create', [{ name, value }]);
});
afterAll(() => app?.close());

const readings = '/web?action=gauges.readings';

describe('browser code of addons', () => {
  long('BRO-4 a widget of an addon draws its field in a list and edits it in a form', async () => {
    const test = await app.open({ path: readings });
    await expect.poll(() => test.page.getByRole('img', { name: 'Value: 7' }).count()).toBe(1);
    await test.checkAccessible();
    await test.click(test.page.getByText('Boiler'));
    const slider = test.find('slider', 'Value');
    await slider.fill('9');
    await test.press('Control+s');
    expect(await app.rpc('gauges.reading', 'search_read', [[['name', '=', 'Boiler']], ['value']])).toMatchObject([
      { value: 9 },
    ]);
    await test.checkAccessible();
    await test.page.close();
  });

  long('BRO-5 a view type of an addon is a tab, and does by the door alone what views of the client do', async () => {
    const more = Array.from({ length: 90 }, (_, at) => ({ name: `Gauge ${at}`, value: at }));
    const made = await app.rpc<number[]>('gauges.reading', 'create_many', [more]);
    const [cellar] = await app.rpc<{ id: number }[]>('gauges.reading', 'search_read', [[['name', '=', 'Cellar']], []]);
    const test = await app.open({ path: readings });
    await test.click(test.find('link', 'Tiles'));
    await test.checkAccessible();
    const tiles = test.page.locator('.gauges-tiles li');
    expect([await tiles.count(), await test.text('.bar')]).toEqual([80, expect.stringContaining('92 gauges')]);
    await test.click(test.find('button', '12 more'));
    expect(await tiles.count()).toBe(92);
    await test.click(test.find('button', 'Count Cellar'));
    await test.find('link', 'Cellar: 13').waitFor();
    await test.click(test.find('button', 'Undo'));
    await test.find('link', 'Cellar: 12').waitFor();
    await app.rpc('gauges.reading', 'write', [[cellar?.id], { value: 40 }]);
    await test.find('link', 'Cellar: 40').waitFor();
    expect(await tiles.count()).toBe(92);
    await test.click(test.find('link', 'Cellar: 40'));
    expect(await test.find('dialog', 'Cellar').getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Cellar');
    await test.press('Escape');
    await test.click(test.find('button', 'More'));
    await test.find('menuitem', 'Export …').waitFor();
    await test.press('Escape');
    await test.visit(`${readings}&view_type=tiles&q=nothing`);
    await test.page.getByText('Nothing matches').waitFor();
    await test.page.close();
    await app.rpc('gauges.reading', 'unlink', [made]);
    await app.rpc('gauges.reading', 'write', [[cellar?.id], { value: 12 }]);
  });

  it('BRO-4 code is shared and loaded once: there is one React in the page', async () => {
    const test = await app.open({ path: readings });
    await expect.poll(() => test.page.locator('.gauges-dial').count()).toBe(2);
    const scripts = await test.page.evaluate(() =>
      performance.getEntriesByType('resource').map(({ name }) => name.split('/').at(-1) ?? ''),
    );
    const own = scripts.filter((name) => name.startsWith('addon-gauges') && name.endsWith('.js'));
    expect(own).toHaveLength(1);
    expect(scripts.filter((name) => name.startsWith('door-')).length).toBeGreaterThan(0);
    await test.page.close();
  });

  long('BRO-4 code that does not come leaves the plain field, says so once, and the form can be used', async () => {
    const test = await app.open();
    await test.page.route('**/addon-gauges-*.js', (route) => route.abort());
    await test.go(readings);
    await expect.poll(() => test.find('alert').getByText('“dial” of Gauges cannot be shown').count()).toBe(1);
    expect(await test.page.locator('.gauges-dial').count()).toBe(0);
    await test.click(test.page.getByText('Cellar'));
    await test.find('textbox', 'Value').fill('13');
    await test.press('Control+s');
    expect(await app.rpc('gauges.reading', 'search_read', [[['name', '=', 'Cellar']], ['value']])).toMatchObject([
      { value: 13 },
    ]);
    await test.page.close();
    test.forgive(/ERR_FAILED|Failed to load resource|dynamically imported module/);
  });

  long('BRO-4 code that breaks leaves the plain field too', async () => {
    const id = await app.rpc<number>('gauges.reading', 'create', [{ name: 'Frost', value: -4 }]);
    const test = await app.open({ path: readings });
    await expect.poll(() => test.find('alert').getByText('A dial has no negative numbers.').count()).toBe(1);
    const row = test.find('row', /Frost/);
    expect(await test.text(row)).toContain('-4');
    await test.page.close();
    await app.rpc('gauges.reading', 'unlink', [[id]]);
    test.forgive(/negative numbers/);
  });

  long('BRO-4 the hours bar of project says planned and spent, light and dark', async () => {
    for (const theme of ['light', 'dark'] as const) {
      const test = await app.open({ theme, path: '/web?action=project.tasks&view_type=kanban' });
      await barsOf(test);
      await test.checkAccessible();
    }
    const test = await app.open({ path: '/web?action=project.tasks&view_type=list' });
    const [task] = await app.rpc<{ id: number }[]>('project.task', 'search_read', [
      [
        ['hours_spent', '>', 0],
        ['hours_planned', '>', 0],
        ['state', '=', 'open'],
      ],
      ['id'],
    ]);
    await test.go(`/web?action=project.tasks&view_type=form&id=${task?.id}`);
    const bar = test.find('img', /of 99:00 hours/);
    await test.find('textbox', 'Planned hours').fill('99');
    await expect.poll(() => bar.count(), { message: 'the bar follows what is typed' }).toBe(1);
    await test.checkAccessible();
    await test.page.evaluate(() =>
      window.addEventListener('beforeunload', (event) => event.stopImmediatePropagation()),
    );
  });

  long('BRO-6 a module that goes takes its widgets and views out of open pages', async () => {
    const test = await app.open({ path: '/web?action=project.tasks&view_type=kanban' });
    await barsOf(test);
    await post('uninstall', 'gauges');
    await expect
      .poll(() => test.page.evaluate(async () => (await fetch('/web/addon/clients')).text()))
      .not.toContain('gauges');
    await barsOf(test);
  });
});

async function barsOf(test: TestPage): Promise<void> {
  await expect.poll(() => test.find('img', /of .* hours/).count()).toBeGreaterThan(3);
}

async function post(what: string, module: string): Promise<void> {
  const test = await app.open({ path: '/web/home' });
  await test.page.evaluate(
    async ([action, name]) => {
      const body = JSON.stringify({ do: action, module: name });
      const headers = { 'content-type': 'application/json', 'x-csrf-token': window.__WC_BOOTSTRAP__?.csrfToken ?? '' };
      const answer = await fetch('/web/module/action', { method: 'POST', headers, body });
      if (!answer.ok) throw new Error(await answer.text());
    },
    [what, module],
  );
}
