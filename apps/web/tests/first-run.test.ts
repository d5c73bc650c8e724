import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { admin, openTestApp, type TestApp } from './browser.ts';

describe('the first run', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await openTestApp({ isSetUp: false, hasBus: true });
  });
  afterAll(() => app.close());

  it('SCN-4 goes from nothing to the first record: set up, sign in, install an app, create', async () => {
    const first = await app.open({ as: null });
    const { page } = first;
    await page.goto('/');
    await page.waitForURL(/\/setup$/);
    await first.checkAccessible();
    await page.getByLabel('Company').fill('Nordlicht Trading');
    await page.getByLabel('Your name').fill('Ada Lindqvist');
    await page.getByLabel('E-mail').fill(admin.login);
    await page.getByLabel('Password').fill('short');
    await page.getByRole('button', { name: 'Set up Kontor' }).click();
    await page.getByText('8 to 128 characters.').last().waitFor();
    expect(await page.getByLabel('Company').inputValue()).toBe('Nordlicht Trading');
    await first.checkAccessible();
    await page.getByLabel('Password').fill(admin.password);
    await page.getByRole('button', { name: 'Set up Kontor' }).click();
    await page.waitForURL(/\/web\/login/);

    await page.getByLabel('E-mail or login').fill(admin.login);
    await page.getByLabel('Password').fill('not the password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByLabel('E-mail or login').inputValue()).toBe(admin.login);
    await first.checkAccessible();
    await page.getByLabel('Password').fill(admin.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(/\/web\/home/);
    await first.idle();

    await first.click(first.find('link', /Install an app/));
    await first.checkAccessible();
    const other = await app.open({ path: '/web/home' });
    const card = page.locator('.apps-card', { has: page.getByRole('heading', { name: 'Contacts', exact: true }) });
    await card.getByRole('button', { name: 'Install' }).click();
    await card.getByRole('progressbar').waitFor();
    await page.getByText('Contacts is installed').first().waitFor();
    await first.idle();
    await other.page.locator('[data-app=contacts]').waitFor();
    await other.close();

    await Promise.all([
      page.waitForURL(/\/web\?/),
      page.locator('.toast').getByRole('button', { name: 'Open' }).click(),
    ]);
    await first.idle();
    await first.click(first.find('button', 'New contact').first());
    await page.getByLabel('Name', { exact: true }).fill('Grace Hopper');
    await first.click(first.find('button', 'Save'));
    expect(await first.text('.crumbs')).toContain('Grace Hopper');
    await first.checkAccessible();
    first.forgive(/4\d\d \(/);
    expect(first.problems).toEqual([]);
  });
});
