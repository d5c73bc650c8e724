import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from '@kontor/database';
import { startMailServer } from '@kontor/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { admin, long, openTestApp, type TestApp } from './browser.ts';
import type { TestPage } from './test-page.ts';

describe('settings, log and profile', () => {
  let app: TestApp;
  let desk: TestPage;
  beforeAll(async () => {
    app = await openTestApp({
      apps: ['contacts', 'webhooks'],
      keepsClient: true,
      env: { KONTOR_WEBHOOK_ALLOW: '127.0.0.1' },
    });
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    desk = await app.open();
  });
  afterEach(async () => {
    expect(desk.problems).toEqual([]);
    await desk.close();
  });

  long('SCN-6 every place in the settings can be opened', async () => {
    await desk.visit('/web/settings');
    const hrefs = await desk.page
      .locator('.settings-card a, .settings-tile a')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
    expect(hrefs.length).toBeGreaterThan(25);
    const answers = await desk.page.evaluate(
      (asked) =>
        Promise.all(
          asked.map(async (href) => {
            const { status } = await fetch(href, { headers: { accept: 'application/json' } });
            return `${status} ${href}`;
          }),
        ),
      [...new Set(hrefs)],
    );
    expect(answers.filter((answer) => !answer.startsWith('200'))).toEqual([]);
  });

  long('MAI-4 sends mail again that was given up, from the list and from its form', async () => {
    const make = (subject: string) =>
      app.database.query<{ id: number }>(sql`
        insert into mail_queue (recipient, subject, message_id, state, attempts, next_try, last_error)
        values ('ben@example.com', ${subject}, ${subject}, 'dead', 8, now(), 'refused') returning id`);
    await make('Letter one');
    await make('Letter two');
    const stateOf = async (subject: string) =>
      (
        await app.rpc<{ state: string; attempts: number }[]>('mail.queue', 'search_read', [
          [['subject', '=', subject]],
          ['state', 'attempts'],
        ])
      )[0];
    await desk.visit('/web?action=base.mails&view_type=list');
    await desk.click(desk.page.getByRole('row').filter({ hasText: 'Letter one' }).getByRole('checkbox'));
    await desk.click(desk.find('button', 'Send again'));
    expect(await stateOf('Letter one')).toMatchObject({ state: 'queued', attempts: 0 });
    expect(await stateOf('Letter two')).toMatchObject({ state: 'dead' });
    await desk.click(desk.find('button', 'Clear selection'));
    await desk.click(desk.page.getByRole('row').filter({ hasText: 'Letter two' }).getByRole('link'));
    await desk.click(desk.find('button', 'Send again'));
    expect(await stateOf('Letter two')).toMatchObject({ state: 'queued', attempts: 0 });
    expect(await desk.find('button', 'Send again').count()).toBe(0);
  });

  it('SCN-6 tells how things stand, and finds a setting by a word', async () => {
    await desk.visit('/web/settings');
    expect(await desk.text('.settings-tile:has-text("Mail")')).toContain('Not set up');
    expect(await desk.text('.settings-tile:has-text("Company")')).toContain('Nordlicht Trading');
    await desk.page.getByLabel('Find a setting').fill('sequence');
    await desk.idle();
    expect(await desk.page.locator('.settings-card a').allInnerTexts()).toHaveLength(1);
    await desk.page.getByLabel('Find a setting').fill('zzz');
    await desk.page.getByRole('heading', { name: 'Nothing found' }).waitFor();
  });

  it('SCN-47 MAI-8 mail is set up on a screen, tried out there, and invites people; its password is never shown', async () => {
    const mails = await startMailServer({ login: 'kontor:a mail secret' });
    const { page } = desk;
    await desk.visit('/web/settings');
    await desk.click(page.locator('.settings-tile:has-text("Mail") a'));
    await page.getByLabel('Server', { exact: true }).fill('127.0.0.1');
    await page.getByLabel('Port').fill(String(mails.port));
    await page.getByLabel('Encryption').selectOption({ label: 'None' });
    await page.getByLabel('Sender').fill('Kontor <kontor@nordlicht.example>');
    await page.getByLabel('Login').fill('kontor');
    await page.getByLabel('Password', { exact: true }).fill('not the secret');
    await desk.click(desk.find('button', 'Save'));
    await desk.click(desk.find('button', 'Send me a test'));
    await page
      .getByText(/rejected the test: Invalid login/)
      .first()
      .waitFor();
    desk.forgive(/422/);
    expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe('');
    await page.getByLabel('Password', { exact: true }).fill('a mail secret');
    await desk.click(desk.find('button', 'Save'));
    await desk.checkAccessible();
    await desk.click(desk.find('button', 'Send me a test'));
    // What waited in the queue comes too.
    await vi.waitFor(() => expect(mails.accepted.join('')).toContain('Subject: E-mail from Kontor works'), {
      timeout: 120_000,
    });
    const [kept] = await app.rpc<object[]>('sys.mail.server', 'search', [[]]);
    expect(kept).toMatchObject({ has_password: true, new_password: null, tested_at: expect.any(String) });
    const secrets = await app.database.query(sql`
      select t::text from sys_change_set t where t::text like '%a mail secret%'
      union all select t::text from sys_log t where t::text like '%a mail secret%'`);
    expect(secrets).toEqual([]);

    await app.rpc('sys.config.parameter', 'create', [{ name: 'web.base_url', value: app.url }]);
    await app.rpc('core.user', 'create', [{ name: 'Ines', login: 'ines', email: 'ines@nordlicht.example' }]);
    await vi.waitFor(() => expect(mails.accepted.join('')).toContain('To: ines@nordlicht.example'), {
      timeout: 120_000,
    });
    await desk.visit('/web/home');
    const done = await page.locator('.home-steps li.is-done').allInnerTexts();
    expect(done.join()).toMatch(/Invite your team[\s\S]*Set up mail/);
    await mails.close();
  });

  long('REF-3 finds a model by a field, shows what one may do with it and copies a call, by keyboard too', async () => {
    const { page } = desk;
    await desk.visit('/web/home');
    await desk.press('Control+k');
    await desk.type('Reference');
    await desk.press('Enter');
    await page.getByLabel('Find a model or a field').fill('latitude');
    await desk.press('ArrowDown');
    await desk.press('Enter');
    expect(new URL(page.url()).searchParams.get('model')).toBe('core.partner');
    const rights = await page.locator('.reference-rights li').allInnerTexts();
    expect(rights).toEqual(['Read', 'Write', 'Create', 'Delete']);
    expect(await desk.text(page.getByRole('row', { name: /^country_id/ }))).toContain('many2one');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await desk.click(desk.find('button', 'Copy search_read'));
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toContain(`curl -s "${app.url}/api/rpc"`);
    await desk.click(desk.find('button', 'JSON'));
    expect(JSON.parse(await desk.text('.reference-call pre >> nth=0'))).toMatchObject({ model: 'core.partner' });
    await desk.click(page.getByRole('row', { name: /^country_id/ }).getByRole('link'));
    await page.getByRole('heading', { name: 'Country' }).waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await desk.click(desk.find('link', 'All models'));
    await page
      .getByRole('link', { name: /core\.partner/ })
      .first()
      .waitFor();
  });

  it('SCN-7 follows the log live, and filters by level, text and request', async () => {
    await desk.visit('/web/settings/app-logs');
    await desk.page.getByLabel('Live').check();
    await app.database.execute(sql`
      insert into sys_log (at, level, source, message, request_id, create_date, write_date)
      values (now(), 'warn', 'test', 'The disk is nearly full', 'request-one', now(), now()),
        (now(), 'error', 'test', ${'The disk failed\n    at write'}, 'request-two', now(), now())`);
    await desk.page.locator('.logs-line').first().waitFor();
    await desk.page.getByLabel('Live').uncheck();
    await desk.page.getByLabel('Text', { exact: true }).fill('nearly');
    await desk.idle();
    expect(await desk.page.locator('.logs-line').count()).toBe(1);
    await desk.page.getByLabel('Text', { exact: true }).fill('');
    await desk.idle();
    await desk.page.getByLabel('Request id').fill('request-two');
    await desk.idle();
    expect(new URL(desk.page.url()).searchParams.get('request_id')).toBe('request-two');
    await desk.click(desk.find('button', /Details of entry/).first());
    await desk.page.locator('.logs-facts').getByText('request-two').waitFor();
    await desk.checkAccessible();
    await desk.page.reload();
    await desk.idle();
    expect(await desk.page.getByLabel('Request id').inputValue()).toBe('request-two');
    await desk.page.getByLabel('Level').selectOption('fatal');
    await desk.page.getByRole('heading', { name: 'Nothing found' }).waitFor();
    await desk.click(desk.find('button', 'Show everything'));
    await desk.page.locator('.logs-line').first().waitFor();
  });

  it('SCN-8 changes name, time zone and theme of oneself', async () => {
    await desk.visit('/web/profile');
    await desk.page.getByLabel('Name').fill('Ada L. Lindqvist');
    await desk.page.getByLabel('Time zone').fill('Europe/Nowhere');
    await desk.click(desk.find('button', 'Save'));
    await desk.page.getByText('This is not a time zone.').waitFor();
    await desk.page.getByLabel('Time zone').fill('Europe/Stockholm');
    await desk.click(desk.find('button', 'Save'));
    await desk.page.getByRole('heading', { name: 'Ada L. Lindqvist' }).waitFor();
    await desk.page.getByLabel('Dark').check();
    await desk.idle();
    expect(await desk.page.locator('html').getAttribute('data-theme')).toBe('dark');
    await desk.checkAccessible();
    await desk.page.getByLabel('Same as system').check();
    await desk.page.reload();
    await desk.idle();
    expect(await desk.page.getByLabel('Time zone').inputValue()).toBe('Europe/Stockholm');
    desk.forgive(/422/);
  });

  async function makePerson(name: string, group: string) {
    const [found] = await app.rpc<{ id: number }[]>('core.group', 'search', [[['key', '=', group]]]);
    const person = { login: `${name.toLowerCase()}@example.com`, password: 'the old password' };
    await app.rpc('core.user', 'create', [{ ...person, name, group_ids: [['link', found?.id]] }]);
    return person;
  }

  long('SCN-8 signs out elsewhere, and revokes a key of one’s own', async () => {
    const grace = await makePerson('Grace', 'base.group_system');
    const here = await app.open({ as: grace, path: '/web/profile' });
    const elsewhere = await app.open({ as: grace, path: '/web/home' });
    await here.page.reload();
    await here.idle();
    await here.click(here.find('button', 'Sign out everywhere else'));
    await elsewhere.page.goto('/web/profile');
    await elsewhere.page.waitForURL(/\/web\/login/);
    await here.click(here.find('button', 'New API key'));
    await here.page.getByLabel('Purpose').fill('Shop');
    await Promise.all([here.page.waitForNavigation(), here.find('button', 'Create key').click()]);
    await here.idle();
    await here.page.getByText('never used').waitFor();
    await here.click(here.find('button', 'Revoke Shop'));
    await here.page.getByText('You have no API keys.').waitFor();
    expect(here.problems).toEqual([]);
  });

  long('SCN-8 changes the password with the old one, and refuses a wrong and a weak one', async () => {
    const person = await makePerson('Eve', 'base.group_user');
    const eve = await app.open({ as: person, path: '/web/profile' });
    await eve.page.getByLabel('Old password').fill('wrong');
    await eve.page.getByLabel('New password').fill('short');
    await eve.click(eve.find('button', 'Change password'));
    await eve.page.getByText('Passwords must have 8 to 128 characters.').waitFor();
    await eve.page.getByLabel('New password').fill(admin.password);
    await eve.click(eve.find('button', 'Change password'));
    await eve.page.getByText('The old password is incorrect.').waitFor();
    await eve.checkAccessible();
    await eve.page.getByLabel('Old password').fill(person.password);
    await eve.find('button', 'Change password').click();
    await eve.page.waitForURL(/\/web\/login/);
    await eve.page.getByLabel('E-mail or login').fill(person.login);
    await eve.page.getByLabel('Password').fill(admin.password);
    await eve.page.getByRole('button', { name: 'Sign in' }).click();
    await eve.page.waitForURL(/\/web\/profile/);
    eve.forgive(/422/);
    expect(eve.problems).toEqual([]);
  });

  long(
    'WHK-14 a webhook is made, its secret seen once, tested, and what was given up brought back beside it, also on a phone',
    async () => {
      const receiver: Server = createServer((request, response) =>
        request.resume().on('end', () => response.end('thanks')),
      );
      receiver.listen(0, '127.0.0.1');
      await once(receiver, 'listening');
      const { port } = receiver.address() as AddressInfo;
      await desk.visit('/web?action=webhooks.subscriptions&view_type=list');
      expect(await desk.text('main')).toContain('Notify another program of what happens here.');
      await desk.visit('/web?action=webhooks.subscriptions&view_type=form');
      await desk.find('textbox', /^Name/).fill('Contacts for the shop');
      await desk.find('combobox', /^Records/).selectOption('core.partner');
      await desk.idle();
      await desk.find('combobox', /^Values to send/).selectOption('name');
      await desk.find('combobox', /^Values to send/).selectOption('email');
      await desk.find('textbox', /^Address/).fill(`http://127.0.0.1:${port}/hook`);
      await desk.click(desk.find('button', 'Add a condition'));
      await desk.find('combobox', 'Field').selectOption('is_company');
      await desk.idle();
      await desk.click(desk.find('button', 'Save'));
      await desk.click(desk.find('button', 'Show the secret'));
      const secret = await desk.page.getByLabel('The secret (shown only once)').inputValue();
      expect(secret).toMatch(/^whsec_/);
      await desk.click(desk.find('button', 'Send a test'));
      expect(await desk.text('main')).toMatch(/Accepted with 200 in \d+ ms\./);
      const [made] = await app.rpc<{ id: number; payload: string[]; domain: unknown }[]>(
        'webhook.subscription',
        'search_read',
        [[], ['payload', 'domain']],
      );
      expect(made).toMatchObject({ payload: ['name', 'email'], domain: [['is_company', '=', true]] });
      await app.database.execute(sql`
      insert into webhook_delivery (subscription_id, key, event, model, res_id, happened_at, state, attempts, next_try, status, problem)
      select ${made?.id}, 'k' || n, 'write', 'core.partner', n, now(), case when n = 2000 then 'dead' else 'sent' end, 1, now(), 200, null
      from generate_series(1, 2000) n`);
      await desk.go(`/web?action=webhooks.subscriptions&view_type=form&id=${made?.id}`);
      expect(await desk.text('main')).not.toContain(secret);
      expect(await desk.find('button', 'Show the secret').count()).toBe(0);
      await desk.checkAccessible();
      await desk.page.setViewportSize({ width: 390, height: 844 });
      await desk.idle();
      const wide = await desk.page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
      expect(wide).toBe(false);
      const last = desk.page.getByRole('region', { name: 'Last deliveries' });
      expect(await last.getByRole('listitem').count()).toBe(12);
      await desk.click(last.getByRole('button', { name: 'Try again' }));
      expect(await last.getByRole('button', { name: 'Try again' }).count()).toBe(0);
      receiver.closeAllConnections();
      receiver.close();
    },
  );
});
