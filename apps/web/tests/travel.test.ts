import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { long, openTestApp, type TestApp } from './browser.ts';
import type { TestPage } from './test-page.ts';

describe('getting about', () => {
  let app: TestApp;
  let shell: TestPage;
  beforeAll(async () => {
    app = await openTestApp({ apps: ['contacts', 'product'], keepsClient: true });
    await app.rpc('core.partner', 'create', [{ name: 'Brightwater Logistics', is_company: true }]);
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    shell = await app.open({ path: '/web/home' });
  });
  afterEach(async () => {
    expect(shell.problems).toEqual([]);
    await shell.close();
  });

  const focused = () => shell.page.evaluate(() => document.activeElement?.textContent?.trim() ?? '');

  long('SCN-9 goes home, into an app, through the palette and back with the keyboard alone', async () => {
    for (let step = 0; step < 30 && (await focused()) !== 'Contacts'; step++) await shell.press('Tab');
    await shell.press('Enter');
    expect(await shell.text('.brand-app')).toBe('Contacts');
    await shell.press('Control+k');
    await shell.type('price lists');
    await shell.press('Enter');
    expect(await shell.text('.crumbs')).toContain('Price lists');
    await shell.press('Control+k');
    await shell.type('brightw');
    await shell.page.getByRole('option', { name: 'Brightwater Logistics' }).waitFor();
    await shell.press('Enter');
    expect(await shell.text('.crumbs')).toContain('Brightwater Logistics');
    await shell.press('Alt+ArrowLeft');
    expect(await shell.text('.crumbs')).toContain('Price lists');
    await shell.press('g');
    await shell.press('h');
    expect(new URL(shell.page.url()).pathname).toBe('/web/home');
    await shell.press('g');
    await shell.press('s');
    await shell.page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
  });

  long(
    'SCN-9 offers what the screen offers in the palette: buttons, views, what can be done with the record',
    async () => {
      await shell.visit('/web?action=contacts.partners&view_type=list');
      await shell.press('Control+k');
      await shell.type('kanban');
      await shell.press('Enter');
      expect(new URL(shell.page.url()).searchParams.get('view_type')).toBe('kanban');
      const [partner] = await app.rpc<{ id: number }[]>('core.partner', 'search', [
        [['name', '=', 'Brightwater Logistics']],
      ]);
      await shell.visit(`/web?action=contacts.partners&view_type=form&id=${partner?.id}`);
      await shell.press('Control+k');
      await shell.type('duplicate');
      await shell.checkAccessible();
      await shell.press('Enter');
      await shell.page.waitForURL((url) => url.searchParams.get('id') !== String(partner?.id));
      await shell.idle();
      expect(await shell.text('.crumbs')).toContain('Brightwater Logistics');
    },
  );

  long('SCN-9 goes back to where one was on a screen, and begins others at their top', async () => {
    await shell.visit('/web/settings');
    await shell.page.setViewportSize({ width: 1000, height: 500 });
    await shell.page.locator('#main').evaluate((main) => main.scrollTo(0, 400));
    await shell.idle();
    await shell.page.locator('.settings-card a', { hasText: /^Groups/ }).click();
    await shell.idle();
    expect(await shell.text('.crumbs')).toMatch(/Settings[\s\S]*Groups/);
    await shell.page.goBack();
    await shell.idle();
    expect(await shell.page.locator('#main').evaluate((main) => main.scrollTop)).toBe(400);
    await shell.press('g');
    await shell.press('p');
    expect(await shell.page.locator('#main').evaluate((main) => main.scrollTop)).toBe(0);
  });

  it('SCN-9 a list is as it was left: where it was scrolled to, and what was chosen', async () => {
    await shell.visit('/web?action=base.countries&view_type=list');
    const scroll = shell.page.locator('.list-scroll');
    await scroll.evaluate((list) => list.scrollTo(0, 1500));
    await shell.idle();
    const [before, top] = await scroll.evaluate((list) => [list.scrollTop, list.getBoundingClientRect().top]);
    // Rows come into sight a few in a frame.
    const names = shell.page.waitForFunction((edge) => {
      const links = [...document.querySelectorAll('.list-row a')];
      const below = links.filter((link) => link.getBoundingClientRect().top > edge + 80);
      return below.length > 3 && below.map((link) => link.textContent ?? '');
    }, top);
    const name = ((await (await names).jsonValue()) as string[])[3] ?? '';
    await shell.click(shell.find('checkbox', `Select ${name}`));
    await shell.click(shell.find('link', name));
    await shell.click(shell.page.locator('.crumbs a').last());
    await shell.find('toolbar', 'Selection').waitFor();
    expect(await shell.text('.list-selected')).toContain('1 selected');
    expect(await scroll.evaluate((list) => list.scrollTop)).toBe(before);
  });

  long('SCN-9 another company shows its own records', async () => {
    const [currency] = await app.rpc<{ id: number }[]>('core.currency', 'search', [[['name', '=', 'EUR']]]);
    await app.rpc('core.company', 'create', [{ name: 'Südlicht', currency_id: currency?.id }]);
    await app.rpc('core.partner', 'create', [{ name: 'Only in the north', company_id: 1 }]);
    await shell.go('/web?action=contacts.partners&view_type=list&q=only+in');
    await shell.page.getByText('Only in the north').waitFor();
    await shell.click(shell.find('button', 'Nordlicht Trading'));
    await shell.checkAccessible();
    await Promise.all([shell.page.waitForNavigation(), shell.find('menuitemcheckbox', 'Südlicht').first().click()]);
    await shell.idle();
    await shell.find('button', 'Südlicht').waitFor();
    expect(await shell.page.getByText('Only in the north').count()).toBe(0);
  });

  it('ADM-1 ADM-4 ADM-9 the maker of a company switches to it by the palette, and a draft stays where it was begun', async () => {
    const newContact = '/web?action=contacts.partners&view_type=form';
    const name = shell.page.getByRole('textbox', { name: 'Name' }).first();
    const switchTo = async (company: string) => {
      await shell.press('Control+k');
      await shell.page.getByRole('combobox', { name: 'Search and commands' }).fill('switch company');
      await shell.page.getByRole('option', { name: `Switch company: ${company}` }).waitFor();
      shell.page.once('dialog', (dialog) => void dialog.accept());
      await Promise.all([
        shell.page.waitForNavigation(),
        shell.page.getByRole('option', { name: `Switch company: ${company}` }).click(),
      ]);
      await shell.idle();
    };
    const [currency] = await app.rpc<{ id: number }[]>('core.currency', 'search', [[['name', '=', 'EUR']]]);
    await app.rpc('core.company', 'create', [{ name: 'Westlicht', currency_id: currency?.id }]);
    await shell.go(newContact);
    const first = await shell.text('.company');
    await name.fill('Begun in the north');
    await switchTo('Westlicht');
    await name.waitFor();
    expect(await name.inputValue()).toBe('');
    await switchTo(first);
    await expect.poll(() => name.inputValue()).toBe('Begun in the north');
    await shell.click(shell.find('button', 'Discard').first());
  });

  long('ADM-9 the palette knows what administrators do', async () => {
    const palette = shell.page.getByRole('combobox', { name: 'Search and commands' });
    await shell.press('Control+k');
    await palette.fill('install app');
    await shell.page.getByRole('option', { name: 'Install app' }).click();
    await shell.page.getByRole('heading', { name: 'Apps', exact: true }).waitFor();
    await shell.press('Control+k');
    await palette.fill('invite');
    await shell.page.getByRole('option', { name: 'Invite a user' }).click();
    await shell.page.getByRole('textbox', { name: 'Login' }).waitFor();
  });
});
