import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestApp, type TestApp } from './browser.ts';
import { makePerson } from './life-world.ts';

describe('who owes us what', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await openTestApp({ apps: ['invoice'], demo: true });
  });
  afterAll(() => app.close());

  it('INV-57 SCN-15 is worked through with the keyboard: rows are chosen and paid, one or several at once', async () => {
    const clerk = await makePerson(app, 'Clara Clerk', ['invoice.group_user']);
    const due = () =>
      app.rpc<unknown[]>('invoice.invoice', 'search', [[['payment_state', 'in', ['open', 'partly', 'overdue']]]]);
    const before = (await due()).length;
    expect(before).toBeGreaterThan(2);
    const open = await app.open({ as: clerk, path: '/web?action=invoice.receivables&view_type=list' });
    const { page } = open;
    await expect.poll(() => page.locator('tbody [data-row]').count()).toBe(before);
    await open.press('j');
    await expect.poll(() => page.evaluate(() => document.activeElement?.closest('[data-row]') !== null)).toBe(true);
    await open.press('Space');
    await page.getByText('1 selected').waitFor();
    await open.press('p');
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    await open.checkAccessible();
    await open.press('Control+Enter');
    await expect.poll(async () => (await due()).length).toBe(before - 1);
    await expect.poll(() => page.locator('tbody [data-row]').count()).toBe(before - 1);
    await expect.poll(() => page.getByText('1 selected').count()).toBe(0);
    // The focus is in the list again.
    await open.press('j');
    await open.press('Space');
    await open.press('j');
    await open.press('Space');
    await page.getByText('2 selected').waitFor();
    await open.press('p');
    await dialog.waitFor();
    await open.press('Control+Enter');
    await expect.poll(async () => (await due()).length).toBe(before - 3);
    expect(open.problems).toEqual([]);
  }, 120_000);
});
