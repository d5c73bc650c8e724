import { pdfPages } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPortal, type PortalWorld, png, versionIn } from './portal-world.ts';

let world: PortalWorld;
beforeAll(async () => {
  world = await openPortal();
});
afterAll(() => world.close());

const open = async (path: string) => ({ page: await (await world.customer().get(path)).text() });
const sign = async (path: string) =>
  world.customer().fetch(`${path}/accept`, {
    method: 'POST',
    body: new URLSearchParams({ version: versionIn((await open(path)).page), name: 'Inès Roux', picture: png() }),
    headers: { accept: 'application/json' },
  });

describe('the page of a customer', () => {
  it('PTL-7 a signature stays with another salesperson, another name of theirs and another street of the delivery', async () => {
    const place = await world.work((env) => env.model('core.partner').create({ name: 'Warehouse', street: 'Quai 1' }));
    const id = await world.quotation({ delivery_id: place });
    const path = await world.link('sale.order', id);
    expect((await sign(path)).status).toBe(303);
    await world.work(async (env) => {
      const users = env.model('core.user');
      const [seller = 0] = await users.search([['name', '=', 'Selma Seller']]);
      await env.model('core.partner').write([place], { street: 'Quai 2' });
      await users.write([seller], { name: 'Selma Weber' });
    });
    expect((await open(path)).page).toContain('class="signature"');
    await world.work(async (env) => {
      await env.sudo().model('sale.order').write([id], { user_id: env.uid });
      await env.model('core.user').write(await env.model('core.user').search([['name', '=', 'Selma Weber']]), {
        name: 'Selma Seller',
      });
    });
    expect((await open(path)).page).toContain('class="signature"');
    const pdf = Buffer.from(await (await world.customer().get(`${path}/document.pdf`)).arrayBuffer());
    expect(pdfPages(pdf).join(' ')).toContain('SHA-256');
  });

  it('PTL-2 shows and prints units in the language of the customer, and the office keeps its own', async () => {
    await world.work((env) => env.model('core.partner').write([world.ids.hotel, world.ids.ines], { lang: 'de_DE' }));
    const path = await world.link('sale.order', await world.quotation());
    expect((await open(path)).page).toContain('2 Stk. ×');
    const pdf = Buffer.from(await (await world.customer().get(`${path}/document.pdf`)).arrayBuffer());
    expect(pdfPages(pdf).join(' ')).toContain('2 Stk.');
    const units = await world.seller.browser.rpc('product.uom', 'search_read', [[['name', '=', 'pc']], ['name']]);
    expect(units).toMatchObject([{ name: 'pc' }]);
    await world.work((env) => env.model('core.partner').write([world.ids.hotel, world.ids.ines], { lang: 'en_US' }));
  });
});
