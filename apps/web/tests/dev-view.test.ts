import { afterAll, beforeAll, expect } from 'vitest';
import { long, openTestApp, type TestApp } from './browser.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ apps: ['contacts'], demo: true, env: { KONTOR_DEV_MODE: 'true' } });
});
afterAll(() => app?.close());

long('DEV-8 shows the origin and the expression of what is clicked, and of any element of the tree', async () => {
  const domain = [['is_company', '=', true]];
  const [row] = await app.rpc<{ id: number }[]>('core.partner', 'search_read', [domain, ['name']], { limit: 1 });
  const page = await app.open({ path: `/web?model=core.partner&view_type=form&id=${row?.id}` });
  // Only `kontor dev` has rounds.
  page.forgive(/dev\/round/);
  const panel = page.page.locator('.dev-view');
  const pick = async (target: ReturnType<typeof page.find>) => {
    await target.click({ modifiers: ['Alt', 'Shift'] });
    await panel.waitFor();
  };
  await pick(page.page.locator('label', { hasText: 'Phone' }).first());
  expect(await page.text('.dev-view h2')).toBe('contacts.partner_form');
  expect(await page.text('.dev-view-xpath code')).toBe("//group[@label='Reach']/field[@name='phone']");
  expect(await page.text('.dev-view-about')).toMatch(/contacts: views\/\S+\.xml:\d+/);
  await page.click(panel.locator('button', { hasText: 'name="email"' }).first());
  expect(await page.text('.dev-view-xpath code')).toBe("//group[@label='Reach']/field[@name='email']");
  await page.press('Escape');
  expect(await panel.count()).toBe(0);
  await page.press('Alt+Shift+KeyV');
  await panel.waitFor();
  expect(await page.text('.dev-view-xpath code')).toBe('/form');
  await page.click(panel.locator('button', { hasText: 'Hide' }));
  await page.visit('/web?model=core.partner&view_type=list');
  await pick(page.page.locator('[data-row="0"] [data-col="1"]'));
  expect(await page.text('.dev-view-xpath code')).toMatch(/^\/\/field\[@name='\w+'\]$/);
  await page.close();
});
