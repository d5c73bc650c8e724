import { sql } from '@kontor/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Browser } from './browser.ts';
import { startTestServer, type TestServer, type TestUser } from './test-server.ts';

let world: TestServer;
let admin: Browser;
let seller: TestUser;
let other: TestUser;
beforeAll(async () => {
  world = await startTestServer({ modules: ['crm', 'sale', 'project'] });
  admin = await world.signedIn();
  seller = await world.user('Selma Seller', ['crm.group_user', 'sale.group_user', 'project.group_user']);
  other = await world.user('Otto Other', ['crm.group_user', 'sale.group_user']);
});
afterAll(() => world.close());

async function keyFor(userId: number): Promise<Browser> {
  await admin.form('/web/action/create_api_key', { name: 'till', user_id: String(userId) });
  return Browser.withKey(world.url, (await admin.takeFlash()).body);
}

describe('a restricted salesperson', () => {
  it('SCR-8 AUD-8 takes a lead to a printed order and its project with an API key alone', async () => {
    const units = await admin.rpc<{ id: number }[]>('product.uom', 'search', [[['name', '=', 'pc']]]);
    const product = await admin.rpc('product.product', 'create', [
      { name: 'Assembly', type: 'service', uom_id: units[0]?.id, list_price: '329.00' },
    ]);
    const key = await keyFor(seller.id);
    const lead = await key.rpc<number>('crm.lead', 'create', [
      { name: 'New offices', partner_name: 'Fjordkontoret AS', email_from: 'post@fjord.example' },
    ]);
    await key.rpc('crm.lead', 'call', [lead, 'action_convert']);
    const { redirect } = await key.rpc<{ redirect: string }>('crm.lead', 'call', [lead, 'action_new_quotation']);
    const order = Number(new URL(redirect, world.url).searchParams.get('id'));

    expect(await key.outcome('sale.order', 'call', [order, 'action_confirm'])).toBe('422 USER_ERROR');
    await key.rpc('sale.order.line', 'create', [{ order_id: order, product_id: product, quantity: 3 }]);
    await key.rpc('sale.order', 'call', [order, 'action_send']);
    await key.rpc('sale.order', 'call', [order, 'action_confirm']);
    const [row] = await key.rpc<Record<string, unknown>[]>('sale.order', 'read', [
      [order],
      ['state', 'amount_total', 'lead_id.state', 'partner_id.name'],
    ]);
    expect(row).toMatchObject({
      state: 'sale',
      amount_total: 987,
      'lead_id.state': 'won',
      'partner_id.name': 'Fjordkontoret AS',
    });
    expect(await key.outcome('sale.order', 'unlink', [[order]])).toBe('422 USER_ERROR');
    expect(await key.outcome('sale.order', 'write', [[order], { state: 'cancel' }])).toBe('422 USER_ERROR');

    const answer = await key.get(`/api/sale/quotation/${order}.pdf`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/pdf');
    expect(answer.headers.get('content-disposition')).toMatch(/^inline; filename="S\d+\.pdf"$/);
    expect(
      Buffer.from(await answer.arrayBuffer())
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-');

    const followed = await key.rpc<{ redirect: string }>('sale.order', 'call', [order, 'action_create_project']);
    const project = Number(new URL(followed.redirect, world.url).searchParams.get('id'));
    const [task] = await key.rpc<{ id: number }[]>('project.task', 'search_read', [
      [['project_id', '=', project]],
      ['name', 'state'],
    ]);
    expect(task).toMatchObject({ name: 'Assembly', state: 'open' });
    await key.rpc('project.task', 'call', [task?.id, 'action_done']);
    const [done] = await key.rpc<unknown[]>('project.project', 'read', [[project], ['progress', 'partner_id.name']]);
    expect(done).toMatchObject({ progress: 100, 'partner_id.name': 'Fjordkontoret AS' });

    const { browser } = seller;
    const printed = await browser.rpc<{ redirect: string }>('sale.order', 'call', [order, 'action_print']);
    expect((await browser.get(printed.redirect)).headers.get('content-type')).toBe('application/pdf');
    expect((await browser.get(`/api/sale/quotation/${order}.pdf`)).status).toBe(401);
    expect((await other.browser.get(printed.redirect, { accept: 'application/json' })).status).toBe(403);
    expect((await world.browser().get(printed.redirect)).status).toBe(302);
    expect((await browser.get('/web/sale/quotation/999999.pdf', { accept: 'application/json' })).status).toBe(404);
    expect((await browser.get('/web/sale/quotation/x.pdf', { accept: 'application/json' })).status).toBe(404);

    // Those that were refused are no prints.
    const prints = await world.kernel.database.query<{ via: string }>(sql`
      select via from sys_audit where kind = 'print' and model = 'sale.order' and res_id = ${order} order by id`);
    expect(prints.map(({ via }) => via.split(' ')[0])).toEqual(['key', 'session']);
  });
});
