import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addonTarball } from '@kontor/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { long, openTestApp, type TestApp } from './browser.ts';
import type { TestPage } from './test-page.ts';

describe('the catalogue of apps', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kontor-apps-'));
  let app: TestApp;
  let catalogue: TestPage;
  beforeAll(async () => {
    const env = { KONTOR_ADDONS_DIR: folder, KONTOR_ADDON_UPLOAD: 'true' };
    app = await openTestApp({ apps: ['contacts', 'product'], hasBus: true, env });
  });
  afterAll(async () => {
    await app.close();
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    catalogue = await app.open({ path: '/web/apps' });
  });
  afterEach(async () => {
    expect(catalogue.problems).toEqual([]);
    await catalogue.close();
  });

  const card = ({ page }: TestPage, name: string) =>
    page.locator('.apps-card', { has: page.getByRole('heading', { name, exact: true }) });
  const menuOf = (page: TestPage, name: string) => page.find('button', `More for ${name}`);

  long('SCN-5 finds apps by word, state and category', async () => {
    const names = () => catalogue.page.locator('.apps-card h2').allTextContents();
    await catalogue.page.getByLabel('Search apps').fill('quotation');
    await catalogue.idle();
    expect(await names()).toContain('Sales');
    expect(await names()).not.toContain('Contacts');
    await catalogue.page.getByLabel('Search apps').fill('');
    await catalogue.page.getByLabel('State').selectOption('installed');
    await catalogue.idle();
    expect(await names()).toEqual(['Contacts', 'Products']);
    await catalogue.page.getByLabel('Search apps').fill('zzz');
    await catalogue.page.getByRole('heading', { name: 'Nothing found' }).waitFor();
    await catalogue.checkAccessible();
  });

  it('SCN-5 installs with progress, live in another window, and opens what it installed', async () => {
    const other = await app.open({ path: '/web/apps' });
    await card(catalogue, 'Project').getByRole('button', { name: 'Install' }).click();
    await catalogue.page.getByRole('progressbar').waitFor();
    await catalogue.page.locator('.toast', { hasText: 'Project is installed' }).waitFor();
    await card(other, 'Project').getByText('Installed').waitFor();
    await other.click(other.find('button', /^Apps$/));
    await other.page.locator('.launcher').getByRole('link', { name: 'Project' }).waitFor();
    await Promise.all([
      catalogue.page.waitForURL(/\/web\?/),
      catalogue.page.locator('.toast').getByRole('button', { name: 'Open' }).click(),
    ]);
    await catalogue.idle();
    expect(await catalogue.text('.brand-app')).toBe('Project');
    expect(other.problems).toEqual([]);
    await other.close();
  });

  long('SCN-5 pauses an app and brings it back', async () => {
    await catalogue.click(menuOf(catalogue, 'Contacts'));
    await catalogue.click(catalogue.find('menuitem', 'Deactivate'));
    await card(catalogue, 'Contacts').getByText('Inactive').waitFor();
    await catalogue.click(catalogue.find('button', /^Apps$/));
    expect(await catalogue.page.locator('.launcher').getByRole('link', { name: 'Contacts' }).count()).toBe(0);
    await catalogue.press('Escape');
    await catalogue.click(menuOf(catalogue, 'Contacts'));
    await catalogue.click(catalogue.find('menuitem', 'Activate'));
    await card(catalogue, 'Contacts').getByText('Installed').waitFor();
  });

  long('SCN-5 ADM-8 says what an uninstall removes, and takes what stands on the app with it', async () => {
    await card(catalogue, 'Sales').getByRole('button', { name: 'Install' }).click();
    await catalogue.page.locator('.toast', { hasText: 'Sales is installed' }).waitFor();
    await catalogue.idle();
    await catalogue.click(menuOf(catalogue, 'Products'));
    expect(await catalogue.find('menuitem', /Uninstall/).textContent()).toContain('with Sales');
    await catalogue.press('Escape');
    await catalogue.click(menuOf(catalogue, 'Sales'));
    await catalogue.click(catalogue.find('menuitem', /Uninstall/));
    const dialog = catalogue.find('dialog', 'Uninstall Sales?');
    await dialog.getByText(/depend on it and are uninstalled too: .*Order to project/).waitFor();
    await dialog.getByText('Sales stage').waitFor();
    expect(await dialog.textContent()).not.toMatch(/sale_/);
    await catalogue.checkAccessible();
    await catalogue.click(dialog.getByRole('button', { name: /^Uninstall \d apps$/ }));
    await catalogue.page.locator('.toast', { hasText: 'Sales is uninstalled' }).waitFor();
    await card(catalogue, 'Sales').getByRole('button', { name: 'Install' }).waitFor();
  });

  long('PKG-13 takes an app in from a tarball, says why it cannot, and takes it away again', async () => {
    await catalogue.click(catalogue.find('button', 'Add an app'));
    const dialog = catalogue.find('dialog', 'Add an app');
    const choose = (name: string, buffer: Buffer) =>
      dialog.locator('input[type=file]').setInputFiles({ name, mimeType: 'application/gzip', buffer });
    await choose('crates.tgz', addonTarball('crates', { label: 'Crates', depends: ['shelf@^2.0'] }));
    await dialog.getByText('"crates" requires shelf ^2.0, which is missing.').waitFor();
    catalogue.forgive(/422/);
    await catalogue.checkAccessible();
    await choose('crates-1.0.0.tgz', addonTarball('crates', { label: 'Crates' }));
    await catalogue.page.locator('.toast', { hasText: 'crates 1.0.0 was added' }).waitFor();
    await card(catalogue, 'Crates').getByText('added from crates-1.0.0.tgz').waitFor();
    await catalogue.checkAccessible();
    await card(catalogue, 'Crates').getByRole('button', { name: 'Install' }).click();
    await catalogue.page.locator('.toast', { hasText: 'Crates is installed' }).waitFor();
    await catalogue.click(menuOf(catalogue, 'Crates'));
    await catalogue.click(catalogue.find('menuitem', /Uninstall/));
    const leaving = catalogue.find('dialog', 'Uninstall Crates?');
    await leaving.getByText('0 records of yours are set aside and restored when you reinstall the app.').waitFor();
    await catalogue.click(leaving.getByRole('button', { name: 'Uninstall' }));
    await catalogue.page.locator('.toast', { hasText: 'Crates is uninstalled' }).waitFor();
    await card(catalogue, 'Crates').getByRole('button', { name: 'Remove Crates' }).click();
    const removing = catalogue.find('dialog', 'Remove Crates?');
    await catalogue.click(removing.getByRole('button', { name: 'Remove' }));
    await catalogue.page.locator('.toast', { hasText: 'Crates was removed' }).waitFor();
    await card(catalogue, 'Crates').waitFor({ state: 'detached' });
  });
});
