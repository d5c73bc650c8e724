import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { admin, long, openTestApp, type TestApp } from './browser.ts';
import { lookAway, makePerson } from './life-world.ts';
import type { TestPage } from './test-page.ts';

declare global {
  interface Window {
    /** How long each timer of the page was meant to run, in milliseconds. */
    pauses?: number[];
  }
}

/** From now on every timer of the page is over at once. */
async function letTimeFly(page: Page): Promise<void> {
  await page.evaluate(() => {
    const real = window.setTimeout;
    const pauses: number[] = [];
    const quick = (work: TimerHandler, ms = 0, ...given: unknown[]) => {
      pauses.push(ms);
      return real(work, 0, ...given);
    };
    Object.assign(window, { pauses, setTimeout: quick });
  });
}

/** The line breaks, the server goes away, the session ends: nothing that was typed is lost, and life goes on. */
describe('life when something breaks', () => {
  let app: TestApp;
  let ada: TestPage;
  let id = 0;
  beforeAll(async () => {
    app = await openTestApp({ apps: ['crm'], hasBus: true });
    ada = await app.open();
  });
  afterAll(() => app?.close());
  beforeEach(async () => {
    id = await app.rpc<number>('crm.lead', 'create', [{ name: 'Harbour refit', type: 'opportunity' }]);
    await ada.go(`/web?model=crm.lead&view_type=form&id=${id}`);
  });

  const mail = () => ada.page.getByLabel('E-mail', { exact: true });
  const lead = async () => {
    const [found] = await app.rpc<{ email_from: string; phone: string }[]>('crm.lead', 'read', [
      [id],
      ['email_from', 'phone'],
    ]);
    return found;
  };
  const forgive = () => ada.forgive(/ERR_|WebSocket|401|Failed to load/);

  long('asks after a server that is away with longer and longer pauses', async () => {
    let knocks = 0;
    ada.page.on('request', (request) => void (request.url().endsWith('/api/health') && knocks++));
    await letTimeFly(ada.page);
    await ada.page.context().setOffline(true);
    await expect.poll(() => knocks).toBeGreaterThanOrEqual(6);
    const pauses = await ada.page.evaluate(() => window.pauses ?? []);
    expect(pauses).toEqual(expect.arrayContaining([1_000, 2_000, 4_000, 8_000, 10_000]));
    await ada.page.context().setOffline(false);
    await ada.page.getByText('No connection.').waitFor({ state: 'detached' });
    forgive();
  });

  it('SCN-36 loses the network in the middle of an edit, says so once, and saves by itself when it is back', async () => {
    await mail().fill('half@');
    await ada.page.context().setOffline(true);
    await ada.page.getByText('No connection.').waitFor();
    await mail().fill('whole@example.com');
    await ada.press('Control+s');
    expect(await mail().inputValue()).toBe('whole@example.com');
    await ada.page
      .getByText('No connection. These changes are saved when the server is back: Harbour refit.')
      .waitFor();
    expect(await ada.page.locator('.form-notice, .toast').count()).toBe(0);
    // What happens meanwhile is told by nobody.
    await app.rpc('crm.lead', 'write', [[id], { phone: '+47 22 00 00 00' }]);
    await ada.page.context().setOffline(false);
    await ada.page.getByText('No connection.').waitFor({ state: 'detached' });
    await expect.poll(() => ada.page.getByLabel('Phone').inputValue(), { timeout: 120_000 }).toBe('+47 22 00 00 00');
    expect(await mail().inputValue()).toBe('whole@example.com');
    await expect
      .poll(lead, { timeout: 120_000 })
      .toMatchObject({ email_from: 'whole@example.com', phone: '+47 22 00 00 00' });
    forgive();
  });

  long(
    'SCN-36 keeps a card that was moved without a network, and a screen that could not come tries again',
    async () => {
      const [before, after] = (
        await app.rpc<{ id: number; name: string }[]>('crm.stage', 'search_read', [[], ['name']])
      ).slice(0, 2);
      await app.rpc('crm.lead', 'write', [[id], { stage_id: before?.id }]);
      const stage = async () =>
        (await app.rpc<{ stage_id: number }[]>('crm.lead', 'read', [[id], ['stage_id']]))[0]?.stage_id;
      await ada.visit('/web?action=crm.pipeline&view_type=kanban');
      await ada.page.context().setOffline(true);
      await ada.page.getByText('No connection.').waitFor();
      await ada.page.locator(`[data-card="${id}"] .kanban-title`).focus();
      for (const key of ['Space', 'ArrowRight', 'Space']) await ada.press(key);
      await ada.page.getByText('Saved when the server is back: Harbour refit.').waitFor();
      await ada.page.locator(`section[aria-label="${after?.name}"] [data-card="${id}"]`).waitFor();
      await ada.page.locator('.side').getByRole('link', { name: 'Leads' }).click();
      await ada.page.getByText('You are offline').waitFor();
      await ada.page.context().setOffline(false);
      await ada.page.getByText('You are offline').waitFor({ state: 'detached' });
      await expect.poll(stage, { timeout: 120_000 }).toBe(after?.id);
      await ada.page.getByText('No connection.').waitFor({ state: 'detached' });
      forgive();
    },
  );

  it('SCN-41 makes and deletes without a network what is done in this order when it is back, each once', async () => {
    const names = async () =>
      (
        await app.rpc<{ name: string }[]>('crm.lead', 'search_read', [[['name', 'like', 'Offline']], ['name']], {
          order: 'id',
        })
      ).map(({ name }) => name);
    await ada.visit('/web?action=crm.pipeline&view_type=kanban');
    await ada.click(ada.page.getByRole('button', { name: /^New card in/ }).first());
    const title = ada.page.locator('.kanban-quick input').first();
    await title.fill('Offline crane');
    await ada.page.context().setOffline(true);
    await ada.page.getByText('No connection.').waitFor();
    await title.press('Enter');
    await ada.page.getByText('Saved when the server is back: Offline crane.').waitFor();
    expect(await title.inputValue()).toBe('Offline crane');
    await ada.page.locator(`[data-card="${id}"] .kanban-title`).focus();
    for (const key of ['Space', 'ArrowRight', 'Space']) await ada.press(key);
    await ada.page.getByText('Saved when the server is back: Offline crane, Harbour refit.').waitFor();
    expect(await ada.page.locator('.toast').count()).toBe(0);
    await ada.page.context().setOffline(false);
    await ada.page.getByText('No connection.').waitFor({ state: 'detached' });
    await expect.poll(names, { timeout: 120_000 }).toEqual(['Offline crane']);
    await ada.page.locator('.kanban-title', { hasText: 'Offline crane' }).waitFor();
    await expect.poll(() => title.inputValue()).toBe('');

    // The server took it, and its answer was lost: it is there once.
    await title.fill('Offline answer');
    let isLost = false;
    await ada.page.route('**/api/rpc', async (route) => {
      if (isLost || !route.request().postData()?.includes('Offline answer')) return route.continue();
      isLost = true;
      await route.fetch();
      await route.abort();
    });
    await title.press('Enter');
    await ada.page.locator('.kanban-title', { hasText: 'Offline answer' }).waitFor({ timeout: 120_000 });
    expect(await names()).toEqual(['Offline crane', 'Offline answer']);
    await ada.page.unroute('**/api/rpc');
    forgive();
  });

  it('SCN-63 sends a new record of a form again whose answer was lost, once, and goes on as saved with what was typed since', async () => {
    const names = () =>
      app.rpc<{ name: string; phone: string }[]>('crm.lead', 'search_read', [
        [['name', '=', 'Form without answer']],
        ['name', 'phone'],
      ]);
    await ada.visit('/web?action=crm.pipeline&view_type=form');
    await ada.page.getByPlaceholder(/./).first().fill('Form without answer');
    let isLost = false;
    await ada.page.route('**/api/rpc', async (route) => {
      const isMade = route.request().postData()?.includes('"method":"create"');
      if (isLost || !isMade) return route.continue();
      isLost = true;
      await route.fetch();
      await ada.page.getByLabel('Phone').fill('+47 55');
      await route.abort();
    });
    await ada.page.keyboard.press('Control+s');
    await ada.page.waitForURL(/[?&]id=\d+/, { timeout: 120_000 });
    await expect
      .poll(names, { timeout: 120_000 })
      .toEqual([{ id: expect.any(Number), name: 'Form without answer', phone: '+47 55' }]);
    await ada.page.unroute('**/api/rpc');
    expect(await ada.page.locator('.toast').count()).toBe(0);
    await ada.visit(`/web?model=crm.lead&view_type=form&id=${id}`);
    forgive();
  });

  long(
    'SCN-63 knows a new record whose answer was lost again after a reload of the page: it is made once',
    async () => {
      const made = () =>
        app.rpc<{ name: string; phone: string }[]>('crm.lead', 'search_read', [
          [['name', '=', 'Reloaded without answer']],
          ['name', 'phone'],
        ]);
      await ada.visit('/web?action=crm.pipeline&view_type=form');
      await ada.page.getByPlaceholder(/./).first().fill('Reloaded without answer');
      await ada.page.route('**/api/rpc', async (route) => {
        if (!route.request().postData()?.includes('"method":"create"')) return route.continue();
        await route.fetch();
        // No answer ever comes to this page.
        await route.abort();
      });
      await ada.page.keyboard.press('Control+s');
      await expect.poll(made, { timeout: 120_000 }).toHaveLength(1);
      await ada.page.getByText('Saved when the server is back: Reloaded without answer.').waitFor();
      ada.page.once('dialog', (dialog) => void dialog.accept());
      await ada.go('/web?action=crm.pipeline&view_type=form');
      await ada.page.unroute('**/api/rpc');
      expect(await ada.page.getByPlaceholder(/./).first().inputValue()).toBe('Reloaded without answer');
      await ada.page.getByLabel('Phone').fill('+47 66');
      await ada.page.keyboard.press('Control+s');
      await ada.page.waitForURL(/[?&]id=\d+/, { timeout: 120_000 });
      const once = [{ id: expect.any(Number), name: 'Reloaded without answer', phone: '+47 66' }];
      await expect.poll(made, { timeout: 120_000 }).toEqual(once);
      forgive();
    },
  );

  long(
    'CHA-8 keeps a comment that cannot be sent, over a reload, and sends it once when the server is back',
    async () => {
      await ada.page.getByLabel('Comment').fill('Half a');
      await app.stopServer();
      await ada.page.getByText('No connection.').waitFor();
      await ada.page.getByLabel('Comment').fill('A whole thought');
      await ada.press('Control+Enter');
      const waiting = ada.page.locator('.chatter-message', { hasText: 'A whole thought' });
      await waiting.getByText('Not sent yet.').waitFor();
      await ada.checkAccessible();
      await ada.page.getByLabel('Comment').fill('And another begun');
      await app.resumeServer();
      await ada.page.getByText('No connection.').waitFor({ state: 'detached', timeout: 120_000 });
      await ada.page.locator('.chatter-bubble p', { hasText: 'A whole thought' }).waitFor();
      expect(await ada.page.locator('.chatter-message').count()).toBe(1);
      await ada.go(`/web?model=crm.lead&view_type=form&id=${id}`);
      expect(await ada.page.getByLabel('Comment').inputValue()).toBe('And another begun');
      expect(await ada.page.locator('.chatter-message').count()).toBe(1);
      await ada.page.getByLabel('Comment').fill('');
      forgive();
    },
  );

  long(
    'EVT-5 asks to sign in again in place when the session ends, goes on with what was typed, and hears again',
    async () => {
      await mail().fill('typed@example.com');
      const sessions = await app.rpc<{ id: number }[]>('sys.session', 'search_read', [[], ['id']], { order: '-id' });
      await app.rpc('sys.session', 'unlink', [[sessions[0]?.id]]);
      const dialog = ada.find('dialog', 'Sign in again');
      await dialog.waitFor();
      await expect.poll(() => ada.page.evaluate(() => document.activeElement?.id)).toBe('sign-in-password');
      await ada.page.getByLabel(/Password of/).fill(admin.password);
      await ada.click(ada.find('button', 'Sign in'));
      await dialog.waitFor({ state: 'detached' });
      expect(await mail().inputValue()).toBe('typed@example.com');
      await ada.press('Control+s');
      expect((await lead())?.email_from).toBe('typed@example.com');
      await app.rpc('crm.lead', 'write', [[id], { phone: '123' }]);
      await expect.poll(() => ada.page.getByLabel('Phone').inputValue(), { timeout: 120_000 }).toBe('123');
      forgive();
    },
  );

  long(
    'SCN-76 opens its line again when it is looked at after a long time, since the old one may be dead',
    async () => {
      const opened = ada.page.waitForEvent('websocket');
      await lookAway(ada.page, 2, async () => {});
      await opened;
      await app.rpc('crm.lead', 'write', [[id], { phone: '456' }]);
      await expect.poll(() => ada.page.getByLabel('Phone').inputValue(), { timeout: 120_000 }).toBe('456');
      await ada.go('/web/home');
      forgive();
    },
  );

  long('signs in for all windows of a browser at once', async () => {
    const person = await makePerson(app, 'Marek Oravec');
    const first = await app.open({ as: person, path: '/web/home' });
    const second = await first.page.context().newPage();
    await second.goto('/web/home');
    await second.waitForFunction(() => window.__KONTOR_IDLE__ === true);
    const own = await app.rpc<{ id: number }[]>('sys.session', 'search_read', [[['user_id', '=', person.id]], ['id']]);
    await app.rpc('sys.session', 'unlink', [own.map((session) => session.id)]);
    await first.find('dialog', 'Sign in again').waitFor();
    await second.getByRole('dialog', { name: 'Sign in again' }).waitFor();
    await first.page.getByLabel(/Password of/).fill(person.password);
    await first.click(first.find('button', 'Sign in'));
    await second.getByRole('dialog').waitFor({ state: 'detached' });
    first.forgive(/401|WebSocket/);
  });
});
