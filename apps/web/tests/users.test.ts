import { afterAll, afterEach, beforeAll, beforeEach, describe, expect } from 'vitest';
import { admin, long, openTestApp, type TestApp } from './browser.ts';
import type { TestPage } from './test-page.ts';

const users = '/web?action=base.users&view_type=list';
const keys = '/web?action=base.apikeys&view_type=list';

describe('users and API keys', () => {
  let app: TestApp;
  let desk: TestPage;
  beforeAll(async () => {
    app = await openTestApp({ apps: ['contacts'], keepsClient: true });
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    desk = await app.open();
  });
  afterEach(async () => {
    expect(desk.problems).toEqual([]);
    await desk.close();
  });

  async function makeUser(name: string): Promise<number> {
    const login = `${name.toLowerCase()}@example.com`;
    const [group] = await app.rpc<{ id: number }[]>('core.group', 'search', [[['key', '=', 'base.group_user']]]);
    const values = { name, login, password: admin.password, group_ids: [['link', group?.id]] };
    return app.rpc<number>('core.user', 'create', [values]);
  }

  async function secretOf(page: TestPage): Promise<string> {
    const toast = page.page.locator('.toast-once');
    await toast.waitFor();
    return (await toast.locator('code').textContent()) ?? '';
  }

  long('SCN-1 makes a user with readable rights, and says that a login is taken', async () => {
    await desk.go(users);
    await desk.click(desk.find('button', 'New user'));
    await desk.page.getByLabel('Name', { exact: true }).fill('Grace Hopper');
    await desk.page.getByLabel('Login', { exact: true }).fill(admin.login);
    await desk.page.getByLabel('Role').selectOption('User');
    await desk.page.getByRole('combobox', { name: 'Contacts' }).selectOption('Manager');
    await desk.page.getByLabel('Language').selectOption('de_DE');
    await desk.click(desk.find('button', 'Save'));
    const problem = desk.page.locator('.form-problem').first();
    expect(await problem.textContent()).toContain('Login must be unique');
    await desk.page.getByLabel('Login', { exact: true }).fill('Grace@example.com');
    await desk.click(desk.find('button', 'Save'));
    const paths = ['login', 'lang', { group_ids: ['key'] }];
    const [made] = await app.rpc<Record<string, unknown>[]>('core.user', 'search_read', [
      [['name', '=', 'Grace Hopper']],
      paths,
    ]);
    expect(made).toMatchObject({ login: 'grace@example.com', lang: 'de_DE' });
    expect(keysOf(made)).toEqual(['base.group_user', 'contacts.group_manager']);
    await desk.checkAccessible();
    desk.forgive(/422/);
  });

  long('SCN-1 a level of an app takes the place of the one before', async () => {
    const id = await makeUser('Linus');
    const groups = await app.rpc<{ id: number; key: string }[]>('core.group', 'search_read', [[], ['key']]);
    const manager = groups.find(({ key }) => key === 'contacts.group_manager');
    await app.rpc('core.user', 'write', [[id], { group_ids: [['link', manager?.id]] }]);
    await desk.go(`${users.replace('list', 'form')}&id=${id}`);
    await desk.page.getByRole('combobox', { name: 'Contacts' }).selectOption('No access');
    await desk.page.getByRole('combobox', { name: 'Contacts' }).selectOption('User');
    await desk.click(desk.find('button', 'Save'));
    const [now] = await app.rpc<Record<string, unknown>[]>('core.user', 'read', [[id], [{ group_ids: ['key'] }]]);
    expect(keysOf(now)).toEqual(['base.group_user', 'contacts.group_user']);
  });

  long('SCN-1 gives a link for a new password that works once, and refuses a weak one', async () => {
    const id = await makeUser('Mary');
    await desk.go(`${users.replace('list', 'form')}&id=${id}`);
    await desk.click(desk.find('button', 'Reset password'));
    await desk.checkAccessible();
    await Promise.all([desk.page.waitForNavigation(), desk.find('button', 'Create link').click()]);
    await desk.idle();
    const link = new URL(await secretOf(desk));
    await desk.checkAccessible();
    const guest = await app.open({ as: null });
    await guest.page.goto(link.pathname + link.search);
    await guest.page.getByLabel('New password').fill('short');
    await guest.page.getByRole('button', { name: 'Set the password' }).click();
    await guest.page.getByText('8 to 128 characters').last().waitFor();
    await guest.page.getByLabel('New password').fill('a much longer password');
    await guest.page.getByRole('button', { name: 'Set the password' }).click();
    await guest.page.getByLabel('E-mail or login').fill('mary@example.com');
    await guest.page.getByLabel('Password').fill('a much longer password');
    await guest.page.getByRole('button', { name: 'Sign in' }).click();
    await guest.page.waitForURL(/\/web\/home/);
    await guest.idle();
    await guest.page.goto(link.pathname + link.search);
    await guest.page.getByRole('heading', { name: 'This link has expired' }).waitFor();
    guest.forgive(/4\d\d/);
  });

  long('SCN-2 makes an API key, shows its secret once with a way to copy it, and takes it back', async () => {
    const id = await makeUser('Radia');
    await desk.go(keys);
    await desk.click(desk.find('button', 'New API key'));
    await desk.click(desk.find('button', 'Create key'));
    await desk.page.getByText('Name the integration that will use this key.').waitFor();
    await desk.page.getByLabel('Purpose').fill('Nightly export');
    await desk.page.getByRole('combobox', { name: 'Acts on behalf of' }).fill('Radia');
    await desk.idle();
    await desk.click(desk.page.getByRole('option', { name: 'Radia' }));
    await desk.page.getByLabel(/Reading only/).check();
    await desk.page.getByLabel('Calls per minute').fill('600');
    await desk.checkAccessible();
    await Promise.all([desk.page.waitForNavigation(), desk.find('button', 'Create key').click()]);
    await desk.idle();
    const secret = await secretOf(desk);
    expect(secret).toMatch(/^sk_[0-9a-f]{48}$/);
    await desk.click(desk.find('button', 'Copy'));
    expect(await desk.page.evaluate('navigator.clipboard.readText()')).toBe(secret);
    await desk.checkAccessible();
    expect(await callWith(secret, 'search_read', [[['id', '=', id]], ['name']])).toMatchObject({
      ok: true,
      result: [{ id, name: 'Radia' }],
    });
    expect(await callWith(secret, 'write', [[id], { name: 'Else' }])).toMatchObject({ ok: false });
    await desk.page.reload();
    await desk.idle();
    expect(await desk.page.locator('.toast-once').count()).toBe(0);
    expect(await desk.page.content()).not.toContain(secret);
    await desk.go(`${users.replace('list', 'form')}&id=${id}`);
    await desk.click(desk.find('tab', 'API keys'));
    await desk.page.getByText('Nightly export').waitFor();
    await desk.page
      .getByRole('row', { name: /Nightly export/ })
      .getByRole('switch')
      .click();
    await desk.click(desk.find('button', 'Save'));
    expect(await callWith(secret, 'read', [[id], ['name']])).toMatchObject({ error: { code: 'UNAUTHORIZED' } });
  });

  long('KEY-7 KEY-8 the owner rotates a key in the profile, sees the old secret there, and ends it', async () => {
    const id = await makeUser('Ruth');
    const make = { name: 'Till', user_id: String(id), next: '/web/settings' };
    await desk.go('/web/settings');
    await desk.page.evaluate(
      `fetch('/web/action/create_api_key', { method: 'POST', headers: { 'x-csrf-token': window.__WC_BOOTSTRAP__.csrfToken },
        body: new URLSearchParams(${JSON.stringify(make)}), redirect: 'manual' })`,
    );
    const theirs = await app.open({
      as: { login: 'ruth@example.com', password: admin.password },
      path: '/web/profile',
    });
    await theirs.click(theirs.find('button', 'Rotate Till'));
    expect(await theirs.page.getByLabel('Keep the old secret valid').inputValue()).toBe('24');
    await theirs.checkAccessible();
    await Promise.all([theirs.page.waitForNavigation(), theirs.find('button', 'Create secret').click()]);
    await theirs.idle();
    const secret = await secretOf(theirs);
    expect(await callWith(secret, 'read', [[id], ['name']])).toMatchObject({ ok: true });
    await theirs.page.getByText(/^Old secret sk_.* ends .* never used/).waitFor();
    await theirs.checkAccessible();
    await theirs.click(theirs.find('button', 'Revoke the old secret of Till'));
    await theirs.page.getByText(/^Old secret sk_/).waitFor({ state: 'detached' });
    const [key] = await app.rpc<{ id: number }[]>('core.user.apikey', 'search_read', [[['name', '=', 'Till']], []]);
    await desk.go(`${keys.replace('list', 'form')}&id=${key?.id}`);
    await desk.page.getByText('Before the rotation').waitFor();
    expect(await desk.find('button', 'Revoke the old secret').count()).toBe(0);
    await desk.find('button', 'Rotate').waitFor();
    expect(theirs.problems).toEqual([]);
  });

  long(
    'AGT-3 AGT-6 a key is made for an agent; what it proposes is approved and refused, and a task is taken back in one step',
    async () => {
      await desk.go(keys);
      await desk.click(desk.find('button', 'New API key'));
      await desk.page.getByLabel('Purpose').fill('Tidy contacts');
      await desk.page.getByLabel('Agent').fill('Scout');
      expect(await desk.page.getByLabel('Its changes').inputValue()).toBe('all');
      await desk.page.getByLabel('Its changes').selectOption('some');
      await desk.page.getByLabel('Models', { exact: true }).fill('core.partner');
      await desk.page.getByLabel('Who approves').waitFor();
      await desk.checkAccessible();
      await Promise.all([desk.page.waitForNavigation(), desk.find('button', 'Create key').click()]);
      await desk.idle();
      const secret = await secretOf(desk);
      const partner = (name: string) => app.rpc<number>('core.partner', 'create', [{ name, city: 'Oslo' }]);
      const ids = [await partner('Brightwater'), await partner('Northwind'), await partner('Southgate')];
      const kwargs = { task: 'Move to Bergen', reason: 'Their letter says so.' };
      for (const id of ids) {
        const call = { model: 'core.partner', method: 'write', args: [[id], { city: 'Bergen' }], kwargs };
        expect(await callModel(secret, call)).toMatchObject({ result: { held: true } });
      }
      const cities = async () =>
        (await app.rpc<{ city: string }[]>('core.partner', 'read', [ids, ['city']])).map(({ city }) => city);

      await desk.go('/web/proposals');
      const card = (name: string) => desk.page.getByRole('listitem').filter({ hasText: name });
      await card('Northwind').getByText('Their letter says so.').waitFor();
      expect(await card('Northwind').getByRole('row', { name: 'City' }).textContent()).toMatch(
        /City\s*Oslo\s*→ Bergen/,
      );
      await desk.checkAccessible();
      await desk.click(card('Southgate').getByRole('button', { name: /^Reject/ }));
      await desk.page.getByLabel('Why').fill('They stay.');
      await desk.checkAccessible();
      await desk.click(desk.find('dialog').getByRole('button', { name: 'Reject' }));
      await desk.page.getByText('They stay.').waitFor();
      await desk.page.getByLabel('Select all').check();
      await desk.click(desk.page.locator('.page-tools').getByRole('button', { name: 'Approve' }));
      await desk.page.getByText('Nothing is waiting for you').waitFor();
      expect(await cities()).toEqual(['Bergen', 'Bergen', 'Oslo']);

      await desk.click(desk.page.locator('.who-me'));
      await desk.click(desk.find('menuitem', 'My changes'));
      const line = desk.find('dialog', 'My changes').getByRole('listitem').filter({ hasText: 'Scout: Move to Bergen' });
      expect(await line.textContent()).toContain('2 changes');
      await desk.click(line.getByRole('button', { name: /^Undo/ }));
      await line.getByRole('button', { name: /^Redo/ }).waitFor();
      expect(await cities()).toEqual(['Oslo', 'Oslo', 'Oslo']);

      const [key] = await app.rpc<{ id: number }[]>('core.user.apikey', 'search_read', [[['agent', '=', 'Scout']], []]);
      await desk.go(`${keys.replace('list', 'form')}&id=${key?.id}`);
      await desk.click(desk.find('button', 'Change approval'));
      const dialog = desk.find('dialog', 'Change approval');
      expect(await dialog.getByLabel('Models').inputValue()).toBe('core.partner');
      await desk.checkAccessible();
      await dialog.getByLabel('Its changes').selectOption('grave');
      await desk.click(dialog.getByRole('button', { name: 'Change approval' }));
      await dialog.waitFor({ state: 'detached' });
      expect(await app.rpc('core.user.apikey', 'read', [[key?.id], ['held']])).toMatchObject([
        { held: { '*': ['unlink', 'call'] } },
      ]);
    },
  );

  long('SCN-2 keeps what was typed when the network is away', async () => {
    await desk.go(keys);
    await desk.click(desk.find('button', 'New API key'));
    await desk.page.getByLabel('Purpose').fill('Web shop');
    await desk.page.context().setOffline(true);
    await desk.click(desk.find('button', 'Create key'));
    await desk.page.getByText(/server cannot be reached/).waitFor();
    expect(await desk.page.getByLabel('Purpose').inputValue()).toBe('Web shop');
    await desk.page.context().setOffline(false);
    desk.forgive(/ERR_INTERNET_DISCONNECTED/);
  });

  long('SCN-1 shows where somebody is signed in, and signs them out there', async () => {
    const id = await makeUser('Barbara');
    const theirs = await app.open({
      as: { login: 'barbara@example.com', password: admin.password },
      path: '/web/home',
    });
    await desk.go(`${users.replace('list', 'form')}&id=${id}`);
    await desk.click(desk.find('tab', 'Devices'));
    const [row] = await app.rpc<Record<string, unknown>[]>('sys.session', 'search_read', [
      [['user_id', '=', id]],
      ['device'],
    ]);
    const line = desk.page.getByRole('row', { name: String(row?.device) });
    await line.hover();
    await desk.click(line.getByRole('button', { name: /Delete|Remove/ }));
    await desk.click(desk.find('button', 'Save'));
    expect(await app.rpc('sys.session', 'search_read', [[['user_id', '=', id]], ['id']])).toEqual([]);
    await theirs.page.goto('/web/home');
    await theirs.page.waitForURL(/\/web\/login/);
    theirs.forgive(/401/);
  });

  function keysOf(user: Record<string, unknown> | undefined): readonly string[] {
    const groups = (user?.group_ids ?? []) as readonly { readonly key: string }[];
    return groups.map(({ key }) => key).sort();
  }

  function callWith(key: string, method: string, args: readonly unknown[]): Promise<unknown> {
    return callModel(key, { model: 'core.user', method, args });
  }

  async function callModel(key: string, call: object): Promise<unknown> {
    const answer = await fetch(`${app.url}/api/rpc`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key },
      body: JSON.stringify(call),
    });
    return answer.json();
  }
});
