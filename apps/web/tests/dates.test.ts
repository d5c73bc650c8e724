import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestApp, type TestApp } from './browser.ts';

/** Dates are typed in one's own notation or chosen from a month. */
describe('a date in a form', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await openTestApp({ apps: ['crm'] });
  });
  afterAll(() => app.close());

  const lead = () => app.rpc<number>('crm.lead', 'create', [{ name: 'Harbour refit', date_deadline: '2030-05-17' }]);
  const path = (id: number) => `/web?model=crm.lead&view_type=form&id=${id}`;
  const deadline = async (id: number) => {
    const [row] = await app.rpc<{ date_deadline: string }[]>('crm.lead', 'read', [[id], ['date_deadline']]);
    return row?.date_deadline;
  };

  it('takes what is typed, and refuses what is no day without losing it', async () => {
    const id = await lead();
    const open = await app.open({ path: path(id) });
    const input = open.page.getByLabel('Expected closing', { exact: true });
    await input.fill('6/3/2030');
    await open.press('Control+s');
    expect(await deadline(id)).toBe('2030-06-03');
    await input.fill('31/31/2030');
    await open.press('Control+s');
    open.forgive(/422/);
    expect(await input.inputValue()).toBe('31/31/2030');
    expect(await input.getAttribute('aria-invalid')).toBe('true');
    expect(await deadline(id)).toBe('2030-06-03');
    await input.fill('');
    await open.press('Control+s');
    expect(await deadline(id)).toBeNull();
  });

  it('is chosen from a month with the keyboard alone', async () => {
    const id = await lead();
    const open = await app.open({ path: path(id) });
    await open.page.getByLabel('Expected closing', { exact: true }).focus();
    await open.press('F4');
    expect(await open.find('grid').getAttribute('aria-label')).toBe('May 2030');
    await open.checkAccessible();
    await open.press('ArrowDown');
    await open.press('ArrowRight');
    await open.press('PageDown');
    await open.press('Enter');
    expect(await open.find('grid').count()).toBe(0);
    await open.press('Control+s');
    expect(await deadline(id)).toBe('2030-06-25');
  });

  it('is chosen with the mouse, or cleared', async () => {
    const id = await lead();
    const open = await app.open({ path: path(id), theme: 'dark' });
    await open.page.getByLabel('Expected closing', { exact: true }).hover();
    await open.click(open.page.locator('.date-wrap:has([aria-label="Expected closing"]) .date-open').first());
    await open.checkAccessible();
    await open.click(open.find('button', 'Next month'));
    await open.click(open.page.locator('[data-day="2030-06-12"]'));
    await open.press('Control+s');
    expect(await deadline(id)).toBe('2030-06-12');
  });
});
