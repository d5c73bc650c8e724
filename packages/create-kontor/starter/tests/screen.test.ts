import { openTestApp, type TestApp } from '@kontor/testing/browser';
import { afterAll, beforeAll, expect, it } from 'vitest';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ apps: ['starter'], demo: true });
});
afterAll(() => app?.close());

it('shows the entries and how many days are left', async () => {
  const page = await app.open({ path: '/web/home' });
  await page.click(page.find('link', /Starter/).first());
  expect(await page.text('main')).toContain('Read the tutorial');
  expect(await page.text('main')).toContain('days left');
  await page.close();
});
