import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestApp, type TestApp } from './browser.ts';
import type { TestPage } from './test-page.ts';

describe('incoming e-mail', () => {
  let app: TestApp;
  let desk: TestPage;
  let lead: number;
  const filed = (subject: string) =>
    app.rpc<{ res_id: number }[]>('mail.incoming', 'search_read', [[['subject', '=', subject]], ['state', 'res_id']]);
  beforeAll(async () => {
    app = await openTestApp({ apps: ['crm'], keepsClient: true, env: { KONTOR_CRON_ENABLED: 'true' } });
    const mailbox = await app.rpc<number>('mail.mailbox', 'create', [
      { name: 'Office', address: 'office@kontor.test' },
    ]);
    const key = `mk_${'0'.repeat(48)}`;
    await app.rpc('mail.mailbox', 'call', [mailbox, 'action_new_key', { key }]);
    const post = async (to: string, subject: string, more: string, body: string) => {
      const message = `From: Ada Byron <ada@customer.test>\r\nTo: ${to}\r\nSubject: ${subject}\r\n${more}\r\n${body}`;
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'message/rfc822' };
      const answer = await fetch(`${app.url}/mail/in/${mailbox}`, { method: 'POST', headers, body: message });
      expect(answer.status).toBe(202);
    };
    await post(
      'sales@kontor.test',
      'Lamps for the harbour',
      '',
      'Twenty, please.\r\n\r\n-- \r\nAda Byron\r\nHarbour office',
    );
    await post('office@kontor.test', 'Ten lamps', 'Date: Mon, 2 Nov 2026 10:00:00 +0000\r\n', 'Please offer ten.');
  });
  afterAll(() => app.close());
  it('INM-4 a lead is made of an unsorted e-mail, and shows it in its discussion', async () => {
    await expect.poll(() => filed('Ten lamps'), { timeout: 30_000 }).toMatchObject([{ state: 'unsorted' }]);
    await expect.poll(() => filed('Lamps for the harbour'), { timeout: 30_000 }).toMatchObject([{ state: 'filed' }]);
    lead = (await filed('Lamps for the harbour'))[0]?.res_id ?? 0;
    desk = await app.open({ path: '/web?action=mail.unsorted' });
    await desk.click(desk.page.getByText('Ten lamps'));
    expect(await desk.text('main')).toContain('Please offer ten.');
    await desk.checkAccessible();
    await desk.click(desk.find('button', 'Create a lead'));
    await expect.poll(() => desk.page.url()).toContain('model=crm.lead');
    await expect.poll(() => desk.text('.chatter-feed')).toContain('ada@customer.test');
    expect(await desk.text('.chatter-mail')).toBe('Please offer ten.');
  });

  it('INM-6 a new key is shown in its dialog, with the path of the door', async () => {
    await desk.visit('/web?action=mail.mailboxes');
    await desk.click(desk.page.getByText('Office').first());
    await desk.click(desk.find('button', 'New key'));
    const dialog = desk.find('dialog');
    expect(await dialog.getByRole('textbox', { name: 'Key' }).inputValue()).toMatch(/^mk_[0-9a-f]{48}$/);
    expect(await desk.text(dialog)).toContain('/mail/in/');
    await desk.press('Escape');
  });

  it('INM-7 an e-mail says that it comes from outside, what it is, and unfolds its history', async () => {
    await desk.visit(`/web?model=crm.lead&view_type=form&id=${lead}`);
    const message = desk.page.locator('.chatter-message').first();
    await expect.poll(() => desk.text(message)).toContain('ada@customer.test');
    expect(await message.getByText('Harbour office').isVisible()).toBe(false);
    await desk.click(message.locator('summary'));
    expect(await message.getByText('Harbour office').isVisible()).toBe(true);
    await desk.checkAccessible();
  });
});
