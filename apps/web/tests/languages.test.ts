import { isLong } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { long, openTestApp, type TestApp } from './browser.ts';

const password = 'a long enough password';
const german = { login: 'greta@example.com', password };
const arab = { login: 'amal@example.com', password };

let app: TestApp;
let order: number;
beforeAll(async () => {
  app = await openTestApp({ apps: ['sale'] });
  const groups = await app.rpc<{ id: number }[]>('core.group', 'search_read', [
    [['key', 'in', ['base.group_system', 'sale.group_manager']]],
    ['id'],
  ]);
  const group_ids = [['set', groups.map(({ id }) => id)]];
  await app.rpc('core.user', 'create', [{ name: 'Greta German', ...german, group_ids, tz: 'Europe/Berlin' }]);
  await app.rpc('core.user', 'create', [{ name: 'Amal Arab', ...arab, group_ids, lang: 'ar_AE' }]);
  const partner = await app.rpc('core.partner', 'create', [{ name: 'Cedar & Pine Inc.' }]);
  order = await app.rpc('sale.order', 'create', [
    {
      partner_id: partner,
      date_order: '2026-11-14T23:30:00Z',
      line_ids: [['create', { name: 'Reading chair', quantity: 3, price_unit: 1234.5 }]],
    },
  ]);
});
afterAll(() => app.close());

describe('a person', () => {
  it('TRL-9 chooses a language on the profile, and all of the client follows', async () => {
    const test = await app.open({ as: german, path: '/web/profile' });
    const language = test.page.getByRole('combobox', { name: 'Language' });
    await language.selectOption('de_DE');
    const reloaded = test.page.waitForEvent('load');
    await test.find('button', 'Save').first().click();
    await reloaded;
    await test.idle();
    expect(await test.page.locator('html').getAttribute('lang')).toBe('de-DE');
    expect(await test.find('button', 'Speichern').count()).toBeGreaterThan(0);
    await test.page.getByRole('combobox', { name: 'Sprache' }).waitFor();

    await test.go('/web?action=sale.quotations&view_type=list');
    await test.find('link', 'Aufträge').first().waitFor();
    await test.find('columnheader', 'Kunde').waitFor();
    await test.find('button', 'Neues Angebot').waitFor();
    const row = await test.text(test.find('row', /Cedar & Pine/));
    expect(row).toContain('15. Nov. 2026, 00:30');
    expect(row.replaceAll('\u00a0', ' ')).toMatch(/3\.703,50 \$/);

    await test.visit(`/web?model=sale.order&view_type=form&id=${order}`);
    await test.find('button', 'Bestätigen').first().waitFor();
    await test.find('tab', 'Zeilen').waitFor();
    await test.checkAccessible();
  });
});

/** The short run looks at some of them. */
const short = ['/web/home', '/web?action=sale.orders', '/web?model=sale.order&view_type=pivot', '/web/settings'];
const screens = [
  '/web/home',
  '/web?action=sale.orders',
  '/web?model=sale.order&view_type=kanban',
  '/web?model=sale.order&view_type=graph',
  '/web?model=sale.order&view_type=pivot',
  '/web?model=sale.order&view_type=calendar',
  '/web/settings',
  '/web/apps',
  '/web/profile',
];

const sizes = isLong ? (['desk', 'phone'] as const) : (['phone'] as const);

describe.each(sizes)('on a %s', (size) => {
  it('TRL-10 LNG-2 from right to left nothing lies beside the page, every screen is accessible and speaks Arabic', async () => {
    const test = await app.open({ as: arab, size });
    for (const path of [...(isLong ? screens : short), `/web?model=sale.order&view_type=form&id=${order}`]) {
      await test.visit(path);
      const { dir, over } = await test.page.evaluate(() => {
        const { dir, scrollWidth, clientWidth } = document.documentElement;
        return { dir, over: scrollWidth - clientWidth };
      });
      expect([path, dir, over]).toEqual([path, 'rtl', 0]);
      expect(await test.text('body')).toMatch(/\p{Script=Arabic}{4}/u);
      if (isLong || path === '/web/home') await test.checkAccessible();
    }
  });

  long('TRL-8 pages without scripts follow the language of the browser', async () => {
    const test = await app.open({ as: null, size, locale: 'de-AT' });
    await test.page.goto('/web/login');
    expect(await test.text('h1')).toBe('Anmelden');
    expect(await test.page.locator('html').getAttribute('lang')).toBe('de-AT');
    await test.checkAccessible();
  });
});
