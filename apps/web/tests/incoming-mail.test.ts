import { startMailServer, type TestMailServer } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { long, openTestApp, type TestApp } from './browser.ts';
import { makePerson } from './life-world.ts';
import type { TestPage } from './test-page.ts';

describe('incoming e-mail', () => {
  let app: TestApp;
  let server: TestMailServer;
  let desk: TestPage;
  let lead: number;
  let mailbox: number;
  let post: (to: string, subject: string, more: string, body: string) => Promise<void>;
  const filed = (subject: string) =>
    app.rpc<{ res_id: number }[]>('mail.incoming', 'search_read', [[['subject', '=', subject]], ['state', 'res_id']]);
  beforeAll(async () => {
    server = await startMailServer();
    app = await openTestApp({
      ...{ apps: ['crm'], keepsClient: true, hasBus: true },
      env: {
        ...{ KONTOR_CRON_ENABLED: 'true', KONTOR_SMTP_HOST: '127.0.0.1', KONTOR_SMTP_PORT: String(server.port) },
        ...{ KONTOR_SMTP_FROM: 'Office <office@kontor.test>', KONTOR_SMTP_TLS: 'none' },
      },
    });
    mailbox = await app.rpc<number>('mail.mailbox', 'create', [{ name: 'Office', address: 'office@kontor.test' }]);
    const key = `mk_${'0'.repeat(48)}`;
    await app.rpc('mail.mailbox', 'call', [mailbox, 'action_new_key', { key }]);
    post = async (to, subject, more, body) => {
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
  afterAll(async () => {
    await app.close();
    await server.close();
  });
  it('INM-4 a lead is made of an unsorted e-mail, and shows it in its discussion', async () => {
    await expect.poll(() => filed('Ten lamps'), { timeout: 120_000 }).toMatchObject([{ state: 'unsorted' }]);
    await expect.poll(() => filed('Lamps for the harbour'), { timeout: 120_000 }).toMatchObject([{ state: 'filed' }]);
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

  long('INM-6 a new key is shown in its dialog, with the path of the door', async () => {
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

  it('IBX-5 the inbox is live and works with keys alone, wide and on a phone', async () => {
    await desk.visit('/web?action=mail.inbox');
    const { page } = desk;
    const list = page.locator('.inbox-list');
    const pane = page.locator('.inbox-pane');
    await expect.poll(() => desk.text(list)).toContain('Lamps for the harbour');
    await post('sales@kontor.test', 'A second harbour', '', 'Thirty, please.');
    await expect.poll(() => desk.text(list), { timeout: 120_000 }).toContain('A second harbour');
    await desk.press('j');
    await desk.press('k');
    const subject = await desk.text(pane.locator('h2'));
    await desk.press('e');
    await expect.poll(() => desk.text(pane.locator('h2'))).not.toBe(subject);
    await desk.press('z');
    await expect.poll(() => desk.text(pane.locator('h2'))).toBe(subject);
    await desk.press('h');
    await desk.press('2');
    await expect.poll(() => desk.text(list.locator('.inbox-folders'))).toContain('Snoozed 1');
    await desk.press('z');
    await desk.press('a');
    await desk.press('1');
    await expect.poll(() => desk.text(list.locator('.inbox-folders'))).toContain('Mine 1');
    await desk.press('?');
    expect(await desk.text('dialog')).toContain('File an unsorted e-mail; a digit chooses the record');
    await desk.press('Escape');
    await desk.checkAccessible();
    await post('office@kontor.test', 'One question', '', 'Which lamp?');
    await desk.click(list.getByRole('button', { name: /^Unsorted/ }));
    await expect.poll(() => desk.text(list), { timeout: 120_000 }).toContain('One question');
    await expect.poll(() => desk.text(pane)).toContain('Which lamp?');
    await desk.press('f');
    await page.getByRole('option').first().waitFor();
    await desk.press('1');
    await expect.poll(() => filed('One question')).toMatchObject([{ state: 'filed' }]);
    // Filing cannot be undone, and no earlier act is undone in its place.
    await desk.press('z');
    expect(await desk.text(list.locator('.inbox-folders'))).toContain('Mine 1');
    await desk.press('/');
    await desk.type('which lamp');
    await expect.poll(() => desk.text(list)).toContain('harbour');
    const phone = await app.open({ path: '/web?action=mail.inbox', size: 'phone', theme: 'dark' });
    expect(await phone.page.locator('.inbox-pane').count()).toBe(0);
    await phone.click(phone.page.locator('.inbox-row').first());
    expect(await phone.page.locator('.inbox-list').count()).toBe(0);
    await phone.checkAccessible();
    await phone.click(phone.find('button', 'Back to the list'));
    expect(await phone.page.locator('.inbox-row').count()).toBeGreaterThan(0);
    await phone.close();
  });

  it('INM-19 INM-16 an invitation is answered with a click, and pictures load only when they are asked for', async () => {
    const { page } = desk;
    const asked: (string | undefined)[] = [];
    await page.route('https://pictures.test/**', async (route) => {
      asked.push((await route.request().allHeaders()).referer);
      const body =
        '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200"><rect width="300" height="200"/></svg>';
      await route.fulfill({ contentType: 'image/svg+xml', body });
    });
    const calendar =
      'BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nBEGIN:VEVENT\r\nUID:x@customer.test\r\nDTSTART:20270114T090000Z\r\nDTEND:20270114T100000Z\r\nSUMMARY:See the harbour\r\nLOCATION:Pier 3\r\nORGANIZER;CN=Ada Byron:mailto:ada@customer.test\r\nATTENDEE:mailto:office@kontor.test\r\nEND:VEVENT\r\nEND:VCALENDAR';
    const html =
      '<p>With a plan: <img src="https://pictures.test/plan.png" alt="Plan"> as said</p><script>document.title="run"</script>';
    const parts = `--B\r\nContent-Type: text/html\r\n\r\n${html}\r\n--B\r\nContent-Type: text/calendar; method=REQUEST\r\n\r\n${calendar}\r\n--B--`;
    await post('sales@kontor.test', 'Visit', 'Content-Type: multipart/mixed; boundary=B\r\n', parts);
    await expect.poll(() => filed('Visit'), { timeout: 120_000 }).toMatchObject([{ state: 'filed' }]);
    const [visit] = await filed('Visit');
    await desk.visit(`/web?model=crm.lead&view_type=form&id=${visit?.res_id}`);
    const card = page.getByRole('region', { name: 'Invitation' });
    await expect.poll(() => desk.text(card)).toContain('See the harbour');
    expect(await desk.text(card)).toContain('Pier 3');
    expect(asked).toEqual([]);
    await desk.checkAccessible();
    await desk.click(page.getByRole('button', { name: 'Load pictures' }));
    await expect.poll(() => asked.length).toBe(1);
    expect(asked).toEqual([undefined]);
    const frame = page.frameLocator('iframe[title="E-mail with pictures"]');
    await expect.poll(() => frame.locator('img').evaluate((img) => (img as HTMLImageElement).naturalWidth)).toBe(300);
    await expect.poll(() => page.locator('iframe').evaluate((each) => each.clientHeight)).toBeGreaterThan(200);
    await desk.click(card.getByRole('button', { name: 'Accept' }));
    await expect.poll(() => card.getByRole('button', { name: 'Accept' }).getAttribute('aria-pressed')).toBe('true');
    const sent = await app.rpc<{ subject: string }[]>('mail.queue', 'search_read', [
      [['subject', 'like', 'Accepted']],
      ['subject'],
    ]);
    expect(sent).toEqual([expect.objectContaining({ subject: 'Accepted: See the harbour' })]);
  });

  it('IBX-6 a user without a mailbox finds the inbox among the apps, and is told how to get one', async () => {
    await app.rpc('mail.mailbox', 'write', [[mailbox], { active: false }]);
    const marek = await app.open({ as: await makePerson(app, 'Marek Oravec', ['base.group_user']), path: '/web/home' });
    await marek.click(marek.find('button', /^Apps$/));
    await marek.click(marek.page.locator('.launcher').getByRole('link', { name: 'Mail' }));
    expect(await marek.text('.inbox-list')).toContain('You have no mailbox yet');
    expect(await marek.text('.inbox-list')).toContain('Ask an administrator to add you to one.');
    await app.rpc('mail.mailbox', 'write', [[mailbox], { active: true }]);
  });

  it('OUM-6 a message is told apart from a note, survives a reload, and comes back with Undo', async () => {
    await desk.visit(`/web?model=crm.lead&view_type=form&id=${lead}`);
    const { page } = desk;
    const mode = (name: string) => page.locator('.chatter-write').getByRole('button', { name, exact: true });
    expect(await mode('Internal note').getAttribute('aria-pressed')).toBe('true');
    await desk.click(mode('Message'));
    await expect.poll(() => desk.text('.chatter-write')).toContain('1 person outside receives this');
    await desk.click(page.getByRole('textbox', { name: 'Message' }));
    await desk.type('We can deliver on Monday.');
    await desk.visit(`/web?model=crm.lead&view_type=form&id=${lead}`);
    const text = page.getByRole('textbox', { name: 'Message' });
    await expect.poll(() => text.inputValue()).toBe('We can deliver on Monday.');
    await desk.checkAccessible();
    await desk.click(page.locator('.chatter-write').getByRole('button', { name: 'Send', exact: true }));
    await expect.poll(() => desk.text('.toasts')).toContain('Sending in 10 seconds, to Ada Byron');
    const toast = page.locator('.toast', { hasText: 'Sending in 10 seconds' });
    await desk.click(toast.getByRole('button', { name: 'Undo' }));
    await expect.poll(() => text.inputValue()).toBe('We can deliver on Monday.');
    await desk.click(page.locator('.chatter-write').getByRole('button', { name: 'Send later' }));
    await desk.type('tomorrow 9:00');
    await desk.press('Enter');
    await expect.poll(() => desk.text('.chatter-feed')).toContain('Take back');
    await desk.click(desk.find('button', 'Take back'));
    await expect.poll(() => text.inputValue()).toBe('We can deliver on Monday.');
    await desk.click(mode('Internal note'));
    await desk.checkAccessible();
    expect(server.accepted.filter((mail) => mail.includes('We can deliver'))).toEqual([]);
  });

  long(
    'OUM-2 OUM-6 a second click after a lost answer is the same message, and a reload says which files are missing',
    async () => {
      const { page } = desk;
      const write = page.locator('.chatter-write');
      await desk.visit(`/web?model=crm.lead&view_type=form&id=${lead}`);
      await desk.click(write.getByRole('button', { name: 'Message', exact: true }));
      const text = page.getByRole('textbox', { name: 'Message' });
      await text.fill('');
      await write.locator('input[type=file]').setInputFiles({
        ...{ name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('a') },
      });
      await expect.poll(() => desk.text(write)).toContain('plan.txt');
      await page.reload();
      await desk.idle();
      await expect.poll(() => desk.text(write)).toContain('Attach again: plan.txt');
      await desk.checkAccessible();
      await desk.click(write.getByRole('button', { name: 'Leave these files out' }));
      expect(await desk.text(write)).not.toContain('plan.txt');
      await write.getByRole('textbox', { name: 'Subject' }).fill('Sent once');
      await text.fill('Only once, please.');
      await page.route(
        '**/web/chatter/mail',
        async (route) => {
          await route.fetch();
          await route.abort();
        },
        { times: 1 },
      );
      const send = write.getByRole('button', { name: 'Send', exact: true });
      await desk.click(send);
      await expect.poll(() => desk.text('.chatter-feed')).toContain('Only once, please.');
      expect(await text.inputValue()).toBe('Only once, please.');
      desk.forgive(/ERR_FAILED/);
      await desk.click(send);
      await expect.poll(() => text.inputValue()).toBe('');
      const queued = await app.rpc<unknown[]>('mail.queue', 'search_read', [
        [['subject', '=', 'Sent once']],
        ['state'],
      ]);
      expect(queued).toHaveLength(1);
      const toast = page.locator('.toast', { hasText: 'Sending in 10 seconds' });
      await desk.click(toast.getByRole('button', { name: 'Undo' }));
      await expect.poll(() => text.inputValue()).toBe('Only once, please.');
      await text.fill('');
    },
  );
});
