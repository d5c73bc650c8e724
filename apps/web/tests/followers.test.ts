import { afterAll, beforeAll, expect } from 'vitest';
import { long, openTestApp, type TestApp } from './browser.ts';
import type { TestPage } from './test-page.ts';

let app: TestApp;
let desk: TestPage;
let lead: number;
beforeAll(async () => {
  app = await openTestApp({ apps: ['crm'] });
  const vera = await app.rpc<number>('core.partner', 'create', [{ name: 'Vera Outside', email: 'vera@customer.test' }]);
  lead = await app.rpc<number>('crm.lead', 'create', [{ name: 'Terrace', partner_id: vera }]);
  desk = await app.open({ path: `/web?model=crm.lead&view_type=form&id=${lead}` });
});
afterAll(() => app.close());

long(
  'FOL-1 FOL-2 FOL-3 the panel of followers says who follows and why, adds a contact and keeps what one hears',
  async () => {
    await desk.click(desk.find('button', 'Followers'));
    const panel = desk.find('dialog', 'Followers');
    await expect.poll(() => desk.text(panel)).toContain('Created it');
    await panel.getByRole('textbox', { name: 'Add a follower' }).fill('Vera');
    await desk.click(panel.getByRole('button', { name: /Vera Outside/ }));
    await expect.poll(() => desk.text(panel)).toContain('Contact: gets messages to people outside');
    await desk.checkAccessible();
    await panel.getByRole('combobox', { name: 'Of this record' }).selectOption('mentions');
    const chosen = () => app.rpc('mail.follow', 'search_read', [[['res_id', '=', lead]], ['hears']]);
    await expect.poll(chosen).toMatchObject([{ hears: 'mentions' }]);
    await desk.click(panel.getByRole('button', { name: 'Remove Vera Outside' }));
    await expect.poll(() => desk.text(panel)).not.toContain('Vera Outside');
    await desk.press('Escape');
  },
);

long('FOL-5 FOL-6 the profile keeps what one hears in general', async () => {
  await desk.visit('/web/profile');
  await desk.page.getByLabel('What you hear of records that you follow').selectOption('states');
  const stored = () => app.rpc('sys.user.setting', 'search_read', [[['key', '=', 'following']], ['value']]);
  await expect.poll(stored).toMatchObject([{ value: { hears: 'states', digest: null } }]);
  await desk.checkAccessible();
});
