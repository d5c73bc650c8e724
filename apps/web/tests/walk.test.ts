import { isLong } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { long, openTestApp, type TestApp } from './browser.ts';
import type { TestPage } from './test-page.ts';
import { keepsData, publicStops, type Stop, stopsOf, walk } from './walk.ts';
import { fillTexts, type TextKind } from './walk-data.ts';

/** As other tests want it, so that they share the template; the long run has all that is shipped. */
const apps = [
  ...['calendar', 'calendar_crm', 'calendar_project', 'contacts', 'crm'],
  ...['product', 'project', 'sale', 'sale_crm', 'sale_project', 'invoice'],
  ...(isLong
    ? ['accounting', 'automations', 'bank', 'mailing', 'portal', 'project_invoice', 'recurring', 'webhooks']
    : []),
];
const widths = isLong ? [1440, 1024, 390] : [1024, 390];
/** Long names in all kinds of fields, cards, and figures. */
const sample = ['sale.order form read', 'project.task list', 'sale.order pivot', 'home'];

/** In German heads are longest. Texts of the data change from walk to walk, and end empty. */
const walks: readonly { lang: string; texts: TextKind | 'shipped'; opens?: boolean }[] = isLong
  ? [
      { lang: 'de_DE', texts: 'shipped', opens: true },
      { lang: 'ar', texts: 'shipped', opens: true },
      { lang: 'fr_FR', texts: 'shipped' },
      { lang: 'en_US', texts: 'shipped' },
      { lang: 'de_DE', texts: 'long' },
      { lang: 'ar', texts: 'rtl' },
      { lang: 'de_DE', texts: 'short' },
      { lang: 'ar', texts: 'empty' },
    ]
  : [{ lang: 'ar', texts: 'long' }];

describe('every screen', () => {
  let app: TestApp;
  let page: TestPage;
  let stops: readonly Stop[];
  beforeAll(async () => {
    app = await openTestApp({ apps, demo: true });
    page = await app.open({ path: '/web/home' });
    const all = await stopsOf(app.rpc);
    stops = isLong ? all : sample.map((name) => all.find((stop) => stop.name === name) as Stop);
  });
  afterAll(() => app.close());

  long('SCN-51 nor do the pages of guests', async () => {
    const guest = await app.open({ as: null });
    // These pages have no client that could be busy.
    const go = async (path: string) => void (await guest.page.goto(path));
    const walker = { page: guest.page, go, visit: go, idle: async () => {} };
    expect(await walk(walker, await publicStops(app.rpc, app.url), { widths })).toEqual([]);
    await guest.close();
  });

  it.each(walks)(
    'SCN-51 cuts no text off without a tip, lets nothing overlap or pass its edge, and never scrolls sideways ($lang, $texts texts)',
    async ({ lang, texts, opens = false }) => {
      await app.rpc('core.user', 'write', [[1], { lang }]);
      if (texts !== 'shipped') await fillTexts(app.database, texts);
      if (opens) await keepsData(page.page);
      await page.go('/web/home');
      expect(await walk(page, stops, { widths, opens })).toEqual([]);
      await page.page.unrouteAll();
      if (opens) page.forgive(/409/);
      // Nobody adds a log, for example: the form for a new one says so.
      page.forgive(/403.*view_type=form/);
      expect(page.problems).toEqual([]);
    },
    3_600_000,
  );
});
