import { isLong } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestApp, type TestApp } from './browser.ts';
import type { TestPage } from './test-page.ts';

type Prepare = (page: TestPage) => Promise<void>;

const command: Prepare = async (page) => {
  await page.click(page.find('button', 'New API key').first());
  await page.page.getByLabel(/Some models/).check();
};
const asked = (name: string | RegExp): Prepare => {
  return async (page) => page.click(page.find('button', name));
};
const tab = (name: string): Prepare => {
  return async (page) => page.click(page.find('tab', name));
};

/** Every screen that is no view of an app, with what can be open on it. */
interface Screen {
  readonly name: string;
  readonly path: string;
  readonly prepare?: Prepare;
  /** What it opens lies over the screen. */
  readonly isOver?: boolean;
}
const screens: readonly Screen[] = [
  { name: 'home', path: '/web/home' },
  { name: 'catalogue', path: '/web/apps' },
  { name: 'settings', path: '/web/settings' },
  { name: 'log', path: '/web/settings/app-logs' },
  { name: 'profile', path: '/web/profile' },
  { name: 'rights', path: '/web/settings/rights?model=core.partner&user=1' },
  { name: 'reference', path: '/web/reference?model=core.partner' },
  { name: 'users', path: '/web?action=base.users&view_type=list' },
  { name: 'rights of a user', path: '/web?action=base.users&view_type=form&id=1' },
  { name: 'devices of a user', path: '/web?action=base.users&view_type=form&id=1', prepare: tab('Devices') },
  { name: 'keys of a user', path: '/web?action=base.users&view_type=form&id=1', prepare: tab('API keys') },
  { name: 'API keys', path: '/web?action=base.apikeys&view_type=list' },
  { name: 'groups', path: '/web?action=base.groups&view_type=list' },
  { name: 'a group', path: '/web?action=base.groups&view_type=form&id=1', prepare: tab('Access rights') },
  { name: 'access rights', path: '/web?action=base.access_rights&view_type=list' },
  { name: 'record rules', path: '/web?action=base.rules&view_type=list' },
  { name: 'a record rule', path: '/web?action=base.rules&view_type=form&id=1' },
  { name: 'scheduled jobs', path: '/web?action=base.crons&view_type=list' },
  { name: 'a scheduled job', path: '/web?action=base.crons&view_type=form&id=1' },
  {
    name: 'reset of a password',
    path: '/web?action=base.users&view_type=form&id=1',
    isOver: true,
    prepare: asked('Reset password'),
  },
  { name: 'new API key', path: '/web?action=base.apikeys&view_type=list', isOver: true, prepare: command },
  { name: 'launcher', path: '/web/home', isOver: true, prepare: asked(/^Apps$/) },
  { name: 'palette', path: '/web/home', isOver: true, prepare: async (page) => page.press('Control+k') },
  { name: 'keys', path: '/web/home', isOver: true, prepare: async (page) => page.press('?') },
  {
    name: 'user menu',
    path: '/web/home',
    isOver: true,
    prepare: async (page) => page.click(page.page.locator('.who-me')),
  },
];

/** Screens are made of the same parts: the short run looks at every third one. */
const some = <T>(all: readonly T[]) => all.filter((_, at) => isLong || at % 3 === 0);

/** The client stays, but where something lies over the screen before. */
async function show(page: TestPage, screen: Screen): Promise<void> {
  const before = screens[screens.indexOf(screen) - 1];
  if (before && !before.isOver) await page.visit(screen.path);
  else await page.go(screen.path);
  await screen.prepare?.(page);
}

const pages = ['/web/login', '/web/reset-password?token=gone', '/web/nothing-here'] as const;

describe('every screen', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await openTestApp({ apps: ['contacts', 'product'] });
  });
  afterAll(() => app.close());

  describe('at a desk', () => {
    let desk: TestPage;
    let guest: TestPage;
    beforeAll(async () => {
      [desk, guest] = await Promise.all([app.open(), app.open({ as: null })]);
    });

    it.each(some(screens))('SCN-10 $name has nothing that axe objects to, light and dark', async (screen) => {
      await show(desk, screen);
      await desk.checkAccessible();
      await checkDark(desk);
      expect(desk.problems).toEqual([]);
    });

    it('SCN-32 a row with the choice of a colour has one line, as every row', async () => {
      await app.rpc('core.partner.tag', 'create', [{ name: 'Regular' }]);
      await desk.go('/web?model=core.partner.tag&view_type=list');
      const heights = await desk.page.evaluate(() =>
        [...document.querySelectorAll('tr[data-row]')].map((row) => row.getBoundingClientRect().height),
      );
      expect([...new Set(heights)]).toEqual([36]);
    });

    it.each(pages)(
      'SCN-10 the page %s has nothing that axe objects to, light and dark, and no script but that of passkeys',
      async (path) => {
        await guest.page.goto(path);
        await guest.checkAccessible();
        await checkDark(guest);
        expect(await guest.page.locator('script:not([src="/web/static/page-passkey.js"])').count()).toBe(0);
        guest.forgive(/404/);
      },
    );
  });

  describe('on a phone', () => {
    let phone: TestPage;
    beforeAll(async () => {
      phone = await app.open({ size: 'phone' });
    });

    it.each(some(screens.slice(0, 9)))('SCN-10 $name fits', async (screen) => {
      await show(phone, screen);
      // The same elements as at a desk: the short run measures them.
      if (isLong) await phone.checkAccessible();
      const wide = await phone.page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(wide).toBeLessThanOrEqual(0);
      expect(await smallTargets(phone)).toEqual([]);
    });
  });
});

/** Of what axe looks at, the theme changes the colours alone. */
async function checkDark(open: TestPage): Promise<void> {
  const background = () => open.page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await background();
  await open.page.emulateMedia({ colorScheme: 'dark' });
  expect(await background()).not.toBe(light);
  await open.checkAccessible({ only: ['color-contrast', 'link-in-text-block'] });
  await open.page.emulateMedia({ colorScheme: 'light' });
}

function smallTargets({ page }: TestPage): Promise<readonly string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('.page button, .page select, .page input:not([type=checkbox], [type=radio])')]
      .filter((element) => !element.closest('.sr-only, [hidden]'))
      .map((element) => ({ name: element.outerHTML.slice(0, 80), ...element.getBoundingClientRect().toJSON() }))
      .filter(({ width, height }) => width > 1 && (height < 43.5 || width < 43.5))
      .map(({ name }) => name),
  );
}
