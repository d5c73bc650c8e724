import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { admin, long, openTestApp, type TestApp } from './browser.ts';
import type { TestPage } from './test-page.ts';

describe('home', () => {
  let app: TestApp;
  let home: TestPage;
  beforeAll(async () => {
    app = await openTestApp({ apps: ['contacts', 'product', 'project'], keepsClient: true });
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    home = await app.open({ path: '/web/home' });
  });
  afterEach(async () => {
    expect(home.problems).toEqual([]);
    const pinned = await pinnedIn(home);
    if (pinned.length > 0) await showAll(home);
    for (const name of pinned) await home.click(home.find('button', `Unpin ${name}`));
    await home.close();
  });

  function pinnedIn({ page }: TestPage): Promise<readonly string[]> {
    return page.locator('.home-app[data-drag-item] .home-app-name').allTextContents();
  }

  /** All apps are one click away. */
  async function showAll(shown: TestPage): Promise<void> {
    const button = shown.find('button', 'All apps');
    if ((await button.getAttribute('aria-expanded')) === 'false') await shown.click(button);
  }

  async function pin(...names: readonly string[]): Promise<void> {
    await showAll(home);
    for (const name of names) {
      await home.page.locator('.home-tile', { hasText: name }).hover();
      await home.click(home.find('button', `Pin ${name}`));
    }
  }

  long('SCN-3 pins apps, which come first everywhere and are still there after a reload', async () => {
    await pin('Project', 'Contacts');
    expect(await pinnedIn(home)).toEqual(['Project', 'Contacts']);
    await home.checkAccessible();
    await home.click(home.find('button', /^Apps$/));
    const launcher = await home.page.locator('.launcher li').allInnerTexts();
    expect(launcher.map((text) => text.trim())).toEqual(['Project', 'Contacts', 'Mail', 'Products']);
    await home.press('Escape');
    await home.page.reload();
    await home.idle();
    expect(await pinnedIn(home)).toEqual(['Project', 'Contacts']);
  });

  long('SCN-3 orders pins with the mouse, and the order survives a reload', async () => {
    await pin('Contacts', 'Products', 'Project');
    const [first, last] = ['contacts', 'project'].map((app) => home.page.locator(`.home-app[data-app=${app}]`));
    if (!first || !last) throw new Error('There is nothing to drag.');
    const [from, to] = [await first.boundingBox(), await last.boundingBox()];
    if (!from || !to) throw new Error('The tiles are not on screen.');
    await home.page.mouse.move(from.x + 40, from.y + 18);
    await home.page.mouse.down();
    await home.page.mouse.move(to.x + to.width - 10, to.y + 18, { steps: 6 });
    await home.page.mouse.up();
    await home.idle();
    expect(new URL(home.page.url()).pathname).toBe('/web/home');
    expect(await pinnedIn(home)).toEqual(['Products', 'Project', 'Contacts']);
    await home.page.reload();
    await home.idle();
    expect(await pinnedIn(home)).toEqual(['Products', 'Project', 'Contacts']);
  });

  long('SCN-3 orders pins with the keyboard alone', async () => {
    await pin('Contacts', 'Products', 'Project');
    await home.page.locator('.home-app[data-app=project] a').focus();
    await home.press('Alt+ArrowLeft');
    await home.press('Alt+ArrowLeft');
    expect(await pinnedIn(home)).toEqual(['Project', 'Contacts', 'Products']);
    expect(await home.page.evaluate(() => document.activeElement?.textContent)).toBe('Project');
    await home.page.reload();
    await home.idle();
    expect(await pinnedIn(home)).toEqual(['Project', 'Contacts', 'Products']);
  });

  long('SCN-3 orders pins with a finger that rests first', async () => {
    await pin('Contacts', 'Products', 'Project');
    const phone = await app.open({ path: '/web/home', size: 'phone' });
    const boxes = await phone.page.locator('.home-app[data-app=contacts], .home-app[data-app=product]').all();
    const [from, to] = await Promise.all(boxes.map((tile) => tile.boundingBox()));
    if (!from || !to) throw new Error('The tiles are not on screen.');
    const touch = await phone.page.context().newCDPSession(phone.page);
    const at = (x: number, y: number) => ({ touchPoints: [{ x, y }] });
    await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', ...at(from.x + 30, from.y + 20) });
    await phone.page.locator('.home-app.is-lifted').waitFor();
    await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', ...at(to.x + to.width - 6, to.y + 24) });
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await phone.idle();
    expect(await pinnedIn(phone)).toEqual(['Products', 'Contacts', 'Project']);
    await phone.close();
    await home.page.reload();
    await home.idle();
  });

  it('SCN-3 takes a pin back where the server cannot be reached', async () => {
    await home.page.context().setOffline(true);
    await pin('Products');
    await home.page.getByText(/server cannot be reached/).waitFor();
    expect(await pinnedIn(home)).toEqual([]);
    await home.page.context().setOffline(false);
    home.forgive(/ERR_INTERNET_DISCONNECTED/);
  });

  long('SCN-4 shows an administrator the first steps until they are put away', async () => {
    const steps = home.find('region', 'First steps');
    expect(await steps.textContent()).toContain('Install an app');
    expect(await steps.locator('.is-next').textContent()).toContain('Add your company details');
    await home.click(home.find('button', 'Hide the first steps'));
    await home.page.reload();
    await home.idle();
    expect(await steps.count()).toBe(0);
  });

  it('SCN-4 tells people without any app whom to ask', async () => {
    const password = admin.password;
    await app.rpc('core.user', 'create', [{ name: 'Nobody', login: 'nobody@example.com', password }]);
    const theirs = await app.open({ as: { login: 'nobody@example.com', password }, path: '/web/home' });
    await theirs.page.getByText('Ask your administrator for access to an app.').waitFor();
    await theirs.checkAccessible();
  });
});
