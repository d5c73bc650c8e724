import { afterAll, beforeAll, expect, it } from 'vitest';
import { long, openTestApp, type TestApp } from './browser.ts';
import type { TestPage } from './test-page.ts';

let app: TestApp;
let desk: TestPage;
let path: string;
beforeAll(async () => {
  app = await openTestApp({ apps: ['sale', 'calendar'], keepsClient: true });
  const company = await app.rpc<number>('core.partner', 'create', [{ name: 'Norrland Möbel AB', is_company: true }]);
  const person = await app.rpc<number>('core.partner', 'create', [{ name: 'Astrid', parent_id: company }]);
  const at = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  for (let n = 0; n < 23; n++) {
    await app.rpc('sale.order', 'create', [{ partner_id: company, date_order: at(-40 - n) }]);
  }
  for (const [name, days] of [
    ['Walk-through', -1],
    ['Opening', 5],
  ] as const) {
    const times = { start: at(days), stop: at(days + 0.05) };
    await app.rpc('calendar.event', 'create', [{ name, ...times, partner_ids: [['set', [person]]] }]);
  }
  path = `/web?action=contacts.partners&view_type=form&id=${company}`;
  desk = await app.open({ path });
});
afterAll(() => app.close());

const links = (page: TestPage) => page.page.locator('.timeline-link').allInnerTexts();
const timeline = (page: TestPage) => page.find('tab', 'Timeline');

it('CON-12 is loaded when it is opened, filtered by kind, continued, and leads to its records', async () => {
  const asked: string[] = [];
  desk.page.on('request', (request) => {
    if (request.url().includes('/wc/timeline')) asked.push(request.url());
  });
  expect(asked).toEqual([]);
  await desk.click(timeline(desk));
  await desk.page.locator('.timeline-item').first().waitFor();
  expect(asked).toHaveLength(2);
  expect((await links(desk)).slice(0, 2)).toEqual(['Opening', 'Walk-through']);
  expect(await desk.page.locator('.timeline-kind').allInnerTexts()).toEqual([
    expect.stringMatching(/^All\s+25$/),
    expect.stringMatching(/^Meetings\s+2$/),
    expect.stringMatching(/^Quotations\s+23$/),
  ]);
  await desk.checkAccessible();
  await desk.click(desk.page.locator('.timeline-kind', { hasText: 'Quotations' }));
  await expect.poll(async () => (await links(desk)).length).toBe(20);
  await desk.click(desk.find('button', 'Show older'));
  await expect.poll(async () => (await links(desk)).length).toBe(23);
  await desk.click(desk.page.locator('.timeline-kind', { hasText: 'Meetings' }));
  await expect.poll(() => links(desk)).toEqual(['Opening', 'Walk-through']);
  await desk.click(desk.page.locator('.timeline-link', { hasText: 'Walk-through' }));
  await desk.page.waitForURL(/model=calendar\.event/);
});

long.each([
  ['on a phone', { size: 'phone' }, 'en_US'],
  ['in the dark', { theme: 'dark' }, 'en_US'],
  ['from right to left', {}, 'ar_AE'],
] as const)('CON-12 fits %s', async (_, look, lang) => {
  await app.rpc('core.user', 'write', [[1], { lang }]);
  const page = await app.open({ path, ...look });
  await page.click(page.page.locator('.chatter-tab').nth(1));
  await page.page.locator('.timeline-item').first().waitFor();
  const box = page.page.locator('.timeline');
  expect(await box.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0);
  await page.checkAccessible();
  await page.close();
});
