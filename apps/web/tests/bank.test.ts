import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestApp, type TestApp } from './browser.ts';
import { makePerson } from './life-world.ts';

describe('matching bank entries', () => {
  let app: TestApp;
  let clerk: Awaited<ReturnType<typeof makePerson>>;
  beforeAll(async () => {
    app = await openTestApp({ apps: ['bank'], demo: true });
    clerk = await makePerson(app, 'Clara Clerk', ['invoice.group_user']);
  });
  afterAll(() => app.close());

  const states = async () => {
    const rows = await app.rpc<{ state: string }[]>('bank.entry', 'search_read', [[], ['state']], {
      order: 'date, id',
    });
    return rows.map(({ state }) => state[0]).join('');
  };

  it('BNK-22 is done with the keyboard: certain ones at once, Enter, another invoice, set aside and undo', async () => {
    const open = await app.open({ as: clerk, path: '/web?action=bank.matching' });
    const { page } = open;
    const current = page.locator('.bank-row[aria-current]');
    await current.waitFor();
    expect(await open.text(current)).toContain('HAFENKANTE');
    expect(await open.text('.bank-suggestion[aria-pressed=true]')).toMatch(/Certain/);
    await open.checkAccessible();
    await open.click(open.find('button', /Confirm \d certain match/));
    await expect.poll(async () => (await states()).replaceAll(/[^m]/g, '')).toBe('mmm');
    await expect.poll(() => page.locator('.bank-row').count()).toBeLessThan(7);

    // A payment in part: down to another entry, and back.
    const first = await open.text(current);
    await open.press('ArrowDown');
    await expect.poll(() => open.text(current)).not.toBe(first);
    await open.press('ArrowUp');
    await expect.poll(() => open.text(current)).toBe(first);
    const before = await page.locator('.bank-row').count();
    await open.press('Enter');
    await expect.poll(() => page.locator('.bank-row').count()).toBe(before - 1);
    await open.press('z');
    await expect.poll(() => page.locator('.bank-row').count()).toBe(before);

    // Another invoice by its number or customer.
    await open.press('/');
    await open.type('Monte');
    await page.getByRole('option', { name: /Monte Bianco/ }).waitFor();
    await open.press('Enter');
    await page.locator('.bank-suggestion[aria-pressed=true]', { hasText: 'Chosen' }).waitFor();

    await open.click(page.locator('.bank-row', { hasText: 'Immobilien' }));
    await open.press('x');
    await open.type('Expense');
    await page.getByRole('option', { name: 'Expense or supplier' }).waitFor();
    await open.press('Enter');
    await expect.poll(() => page.locator('.bank-row', { hasText: 'Immobilien' }).count()).toBe(0);
    await open.click(open.find('button', /^Set aside/));
    await page.locator('.bank-row', { hasText: 'Immobilien' }).waitFor();
    await open.click(open.find('button', /^Open/));

    // A file with columns that have to be named.
    await open.click(open.find('button', 'Upload a bank file'));
    const csv = 'Wann;Wieviel;Wer\n17.11.2026;12,00;Ada Byron\n';
    await page
      .getByLabel('Bank file', { exact: true })
      .setInputFiles({ name: 'bank.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
    const dialog = page.getByRole('dialog');
    for (const [column, role] of [
      ['Wann', 'date'],
      ['Wieviel', 'amount'],
      ['Wer', 'party'],
    ] as const) {
      await dialog.getByLabel(column, { exact: true }).selectOption(role);
    }
    await open.checkAccessible();
    await open.click(dialog.getByRole('button', { name: 'Take in' }));
    await page.locator('.bank-row', { hasText: 'Ada Byron' }).waitFor();
    expect(open.problems).toEqual([]);
  }, 240_000);
});
