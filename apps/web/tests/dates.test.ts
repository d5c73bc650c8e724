import { afterAll, beforeAll, describe, expect } from 'vitest';
import { admin, long, openTestApp, signIn, type TestApp } from './browser.ts';

/** Dates are typed in one's own notation or chosen from a month. */
describe('a date in a form', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await openTestApp({ apps: ['crm'], keepsClient: true });
  });
  afterAll(() => app.close());

  const lead = () => app.rpc<number>('crm.lead', 'create', [{ name: 'Harbour refit', date_deadline: '2030-05-17' }]);
  const path = (id: number) => `/web?model=crm.lead&view_type=form&id=${id}`;
  const deadline = async (id: number) => {
    const [row] = await app.rpc<{ date_deadline: string }[]>('crm.lead', 'read', [[id], ['date_deadline']]);
    return row?.date_deadline;
  };

  long('takes what is typed, and refuses what is no day without losing it', async () => {
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

  long('is chosen from a month with the keyboard alone', async () => {
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

  long('is chosen with the mouse, or cleared', async () => {
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

describe('TIM-1 a time that clocks show twice or never', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await openTestApp({ apps: ['crm'], keepsClient: true });
    const [user] = await app.rpc<{ id: number }[]>('core.user', 'search', [[['login', '=', admin.login]]]);
    await app.rpc('core.user', 'write', [[user?.id], { tz: 'Europe/Berlin' }]);
  });
  afterAll(() => app.close());

  long('is the same instant in a form and in an import', async () => {
    const typed = ['10/25/2026 02:30', '03/29/2026 02:30', '07/01/2026 9:30 AM'];
    const ids = await app.rpc<number[]>('crm.lead', 'create_many', [typed.map((name) => ({ name }))]);
    for (const [index, text] of typed.entries()) {
      const form = await app.open({ path: `/web?model=crm.lead&view_type=form&id=${ids[index]}` });
      await form.click(form.find('tab', 'Address and source'));
      await form.page.getByLabel('Created', { exact: true }).fill(text);
      await form.press('Control+s');
      await form.close();
    }
    await importLeads(['name,date_open', ...typed.map((text) => `Imported,${text}`)].join('\n'));
    const instants = ['2026-10-25T00:30:00.000Z', '2026-03-29T01:30:00.000Z', '2026-07-01T07:30:00.000Z'];
    const dates = async (domain: readonly unknown[]) => {
      const order = { order: 'id' };
      const rows = await app.rpc<{ date_open: string }[]>('crm.lead', 'search_read', [domain, ['date_open']], order);
      return rows.map((row) => row.date_open);
    };
    expect(await dates([['id', 'in', ids]])).toEqual(instants);
    expect(await dates([['name', '=', 'Imported']])).toEqual(instants);
  });

  async function importLeads(csv: string): Promise<void> {
    const { cookie, csrf } = await signIn(app.url);
    const form = new FormData();
    for (const [name, value] of Object.entries({ csrf_token: csrf, model: 'crm.lead' })) form.set(name, value);
    form.set('file', new Blob([csv], { type: 'text/csv' }), 'leads.csv');
    const headers = { cookie, accept: 'application/json' };
    const answer = await fetch(`${app.url}/web/bulk/upload`, { method: 'POST', headers, body: form });
    const { result } = (await answer.json()) as { result: { id: number } };
    await app.rpc('sys.bulk.import', 'call', [result.id, 'action_confirm_import', {}]);
  }
});
