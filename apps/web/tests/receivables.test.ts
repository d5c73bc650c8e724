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

  it('INV-65 has a board with what is due, tax and bank, on which every tile shows something', async () => {
    const clerk = await makePerson(app, 'Bo Books', ['invoice.group_user', 'accounting.group_user']);
    for (const [name, count] of [
      ['Invoicing', 10],
      ['Accounting', 6],
    ] as const) {
      const [board] = await app.rpc<{ id: number }[]>('sys.board', 'search_read', [[['name', '=', name]], ['id']]);
      const open = await app.open({ as: clerk, path: `/web?model=sys.board&view_type=form&id=${board?.id}` });
      await expect.poll(() => open.page.locator('.board-tile h2').count()).toBe(count);
      await open.idle();
      expect(await open.page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
      expect(open.problems).toEqual([]);
      await open.close();
    }
  }, 120_000);
});
