import { startMailServer, type TestMailServer } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { long, openTestApp, type TestApp } from './browser.ts';

describe('an order that was sent', () => {
  let mails: TestMailServer;
  let app: TestApp;
  let id: number;
  beforeAll(async () => {
    mails = await startMailServer();
    app = await openTestApp({
      apps: ['sale'],
      env: {
        KONTOR_SMTP_HOST: '127.0.0.1',
        KONTOR_SMTP_PORT: String(mails.port),
        KONTOR_SMTP_FROM: 'Nordlicht <office@nordlicht.example>',
        KONTOR_SMTP_TLS: 'none',
      },
    });
    const { rpc } = app;
    const customer = await rpc('core.partner', 'create', [{ name: 'Fjordkontoret', email: 'post@fjord.example' }]);
    const line_ids = [['create', { name: 'Ten desks', price_unit: 100, quantity: 10 }]];
    id = await rpc<number>('sale.order', 'create', [{ partner_id: customer, line_ids }]);
    await rpc('sale.order', 'call', [id, 'action_send']);
    await rpc('sale.order', 'call', [id, 'action_confirm']);
  });
  afterAll(async () => {
    await app.close();
    await mails.close();
  });

  const read = async () =>
    (
      await app.rpc<Record<string, unknown>[]>('sale.order', 'search_read', [
        [['id', '=', id]],
        ['state', 'amend_reason'],
      ])
    )[0];

  long(
    'SAL-30 shows what the customer has, and is amended with a reason, which it shows until it is confirmed again',
    async () => {
      const open = await app.open({ path: `/web?model=sale.order&view_type=form&id=${id}` });
      const { page } = open;
      await open.click(page.getByRole('tab', { name: 'Sent', exact: true }));
      await page.getByText('post@fjord.example').first().waitFor();
      await open.checkAccessible();

      await open.click(page.getByRole('button', { name: 'Amend order', exact: true }).first());
      const dialog = page.getByRole('dialog');
      const go = dialog.getByRole('button', { name: 'Amend order', exact: true });
      await open.click(go);
      await dialog.getByText('Reason is required.').waitFor();
      expect(await read()).toMatchObject({ state: 'sale' });
      await dialog.getByLabel('Reason').fill('Two desks fewer');
      await open.click(go);
      await dialog.waitFor({ state: 'detached' });
      expect(await read()).toMatchObject({ state: 'draft', amend_reason: 'Two desks fewer' });
      await page.getByText('Being amended').first().waitFor();
      await page.getByText('Two desks fewer').first().waitFor();

      await open.click(page.getByRole('button', { name: 'Confirm', exact: true }).first());
      await expect.poll(read).toMatchObject({ state: 'sale', amend_reason: null });
    },
  );
});
