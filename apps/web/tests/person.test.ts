import { sql } from '@kontor/database';
import { Secret, TOTP } from 'otpauth';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { admin, long, openTestApp, type TestApp } from './browser.ts';
import type { TestPage } from './test-page.ts';

describe('the security of a person', () => {
  let app: TestApp;
  let desk: TestPage;
  beforeAll(async () => {
    app = await openTestApp({ apps: ['contacts'] });
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    desk = await app.open({ as: null });
  });
  afterEach(async () => {
    expect(desk.problems).toEqual([]);
    await desk.close();
  });

  async function makeUser(name: string): Promise<string> {
    const login = `${name.toLowerCase()}@example.com`;
    const [group] = await app.rpc<{ id: number }[]>('core.group', 'search', [[['key', '=', 'base.group_user']]]);
    const values = { name, login, password: admin.password, group_ids: [['link', group?.id]] };
    await app.rpc('core.user', 'create', [values]);
    return login;
  }

  async function typePassword(login: string): Promise<void> {
    const { page } = desk;
    await page.getByLabel('E-mail or login').fill(login);
    await page.getByLabel('Password').fill(admin.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  }

  long('FAC-1 FAC-2 FAC-7 an authenticator app is set up in the profile, asked for, and removed', async () => {
    const { page } = desk;
    const login = await makeUser('Tom');
    await page.goto('/web/login?next=/web/profile');
    await typePassword(login);
    await desk.idle();
    await desk.click(desk.find('button', 'Authenticator app'));
    const dialog = desk.find('dialog', 'Set up an authenticator app');
    await dialog.getByLabel('Your password').fill('wrong');
    await desk.click(dialog.getByRole('button', { name: 'Continue' }));
    expect(await desk.text(dialog.getByRole('alert'))).toBe('The password is incorrect.');
    await dialog.getByLabel('Your password').fill(admin.password);
    await desk.click(dialog.getByRole('button', { name: 'Continue' }));
    await dialog.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
    await desk.checkAccessible();
    const secret = Secret.fromBase32((await desk.text(dialog.locator('code'))).replaceAll(' ', ''));
    const code = (steps: number) => new TOTP({ secret }).generate({ timestamp: Date.now() + steps * 30_000 });
    await dialog.getByLabel('Code from the app').fill(code(0));
    await desk.click(dialog.getByRole('button', { name: 'Turn on' }));
    const codes = desk.find('dialog', 'Your recovery codes');
    const [first = ''] = await codes.locator('code').allInnerTexts();
    await desk.click(codes.getByRole('button', { name: 'I have saved them' }));
    expect(await desk.text('.profile-rows >> nth=0')).toContain('Authenticator app');
    await desk.find('button', 'New recovery codes (10 left)').waitFor();

    await page.goto('/web/logout');
    await page.goto('/web/login?next=/web/profile');
    await typePassword(login);
    await page.getByLabel('Code').fill(code(1));
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await desk.idle();
    expect(new URL(page.url()).pathname).toBe('/web/profile');

    await page.context().clearCookies();

    await desk.click(desk.find('button', 'Remove Authenticator app'));
    await desk.find('dialog', 'Remove Authenticator app').getByLabel('Your password').fill(admin.password);
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
    const again = desk.find('dialog', 'Sign in again');
    await again.getByLabel('Password of Tom').fill(admin.password);
    await again.getByRole('button', { name: 'Sign in' }).click();
    await again.getByLabel('Code from your authenticator app, or a recovery code').fill(first);
    await again.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('You sign in with your password alone.').waitFor();
    await desk.idle();
    desk.forgive(/401|422/);
  });

  it('FAC-13 FAC-14 a passkey is added by name, signs in without the password and after it, and is removed', async () => {
    const { page } = desk;
    const login = await makeUser('Pam');
    // A passkey belongs to a host with a name.
    const site = app.url.replace('127.0.0.1', 'localhost');
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('WebAuthn.enable');
    const key = { protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true } as const;
    const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: { ...key, isUserVerified: true, automaticPresenceSimulation: true },
    });
    await page.goto(`${site}/web/login?next=/web/profile`);
    await typePassword(login);
    await desk.idle();
    await desk.click(page.getByRole('button', { name: 'Passkey', exact: true }));
    const dialog = desk.find('dialog', 'Add a passkey');
    await dialog.getByLabel('Name').fill('My laptop');
    await dialog.getByLabel('Your password').fill(admin.password);
    await desk.checkAccessible();
    await dialog.getByRole('button', { name: 'Continue' }).click();
    const codes = desk.find('dialog', 'Your recovery codes');
    await codes.waitFor();
    expect(await codes.locator('code').count()).toBe(10);
    await desk.click(codes.getByRole('button', { name: 'I have saved them' }));
    await desk.find('button', 'Remove My laptop').waitFor();
    await desk.idle();

    await page.goto(`${site}/web/logout`);
    await page.goto(`${site}/web/login?next=/web/profile`);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.waitForURL(`${site}/web/profile`);
    await desk.idle();
    expect(await desk.text('.profile-rows >> nth=0')).toContain('last used');

    await page.goto(`${site}/web/logout`);
    await page.goto(`${site}/web/login?next=/web/profile`);
    await typePassword(login);
    await page.getByRole('heading', { name: 'Second step' }).waitFor();
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.waitForURL(`${site}/web/profile`);
    await desk.idle();
    const methods = await app.database.query<{ method: string }>(sql`
      select values->>'method' as method from sys_audit where kind = 'sign_in' and who like 'Pam%' order by id`);
    expect(methods.map(({ method }) => method)).toEqual(['password', 'passkey', 'password, passkey']);

    await page.goto(`${site}/web/logout`);
    await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
    await page.goto(`${site}/web/login`);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.getByRole('button', { name: 'Use a passkey' }).and(page.locator(':enabled')).waitFor();
    expect(new URL(page.url()).pathname).toBe('/web/login');

    await typePassword(login);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.waitForURL(`${site}/web/home`);
    await page.goto(`${site}/web/profile`);
    await desk.idle();
    await desk.click(desk.find('button', 'Remove My laptop'));
    const remove = desk.find('dialog', 'Remove My laptop');
    await remove.getByLabel('Your password').fill(admin.password);
    await desk.click(remove.getByRole('button', { name: 'Remove', exact: true }));
    await page.getByText('You sign in with your password alone.').waitFor();
    await cdp.detach();
  });

  long('FAC-11 FAC-12 notices and signature are chosen in the profile and kept', async () => {
    const { page } = desk;
    const login = await makeUser('Nora');
    await page.goto('/web/login?next=/web/profile');
    await typePassword(login);
    await desk.idle();
    await page.getByLabel('Someone mentions you').selectOption('Never');
    await page.getByLabel('Signature').fill('Nora\nSales');
    await desk.click(desk.find('button', 'Save'));
    await desk.go('/web/profile');
    expect(await page.getByLabel('Someone mentions you').inputValue()).toBe('none');
    expect(await page.getByLabel('Signature').inputValue()).toBe('Nora\nSales');
    await desk.checkAccessible();
  });

  long('FAC-9 whoever must have a second factor sets it up at the sign-in, and keeps the codes', async () => {
    const { page } = desk;
    const login = await makeUser('Mia');
    const group = await app.rpc<number>('core.group', 'create', [
      { name: 'Careful', key: 'test.careful', requires_factor: true },
    ]);
    const [mia] = await app.rpc<{ id: number }[]>('core.user', 'search', [[['login', '=', login]]]);
    await app.rpc('core.user', 'write', [[mia?.id], { group_ids: [['link', group]] }]);
    await page.goto('/web/login');
    await typePassword(login);
    await page.getByRole('heading', { name: 'Set up a second factor' }).waitFor();
    await desk.checkAccessible();
    const secret = Secret.fromBase32((await desk.text('code')).replaceAll(' ', ''));
    await page.getByLabel('Code').fill(new TOTP({ secret }).generate());
    await page.getByRole('button', { name: 'Turn on and sign in' }).click();
    expect(await page.locator('.codes code').count()).toBe(10);
    await page.getByRole('link', { name: 'I have saved them' }).click();
    await desk.idle();
    expect(new URL(page.url()).pathname).toBe('/web/home');
  });
});
