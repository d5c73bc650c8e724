import { createHash } from 'node:crypto';
import { createApiKey } from '@kontor/parts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Browser } from './browser.ts';
import { openPortal, type PortalWorld } from './portal-world.ts';

let world: PortalWorld;
beforeAll(async () => {
  world = await openPortal();
});
afterAll(() => world.close());

describe('an account', () => {
  const signInLink = async () => {
    const address = await world.work(async (env) => {
      const secret = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url');
      await env.sudo().model('core.partner').write([world.ids.ines], { has_portal: true });
      await env
        .sudo()
        .model('portal.link')
        .create({
          kind: 'sign_in',
          partner_id: world.ids.ines,
          recipient: 'ines@lac.example',
          secret_hash: createHash('sha256').update(secret).digest('hex'),
          expires_at: new Date(Date.now() + 600_000).toISOString(),
        });
      return `/portal/in/${secret}`;
    });
    return address;
  };

  it('PTL-12 is opened once by a link, also by two who use it at the same moment', async () => {
    const path = await signInLink();
    const statuses = await Promise.all([1, 2, 3].map(async () => (await world.customer().form(path, {})).status));
    expect(statuses.toSorted()).toEqual([303, 404, 404]);
  });

  it('PTL-12 is opened once by a mailed link, shows the documents of the contact and their company, and ends', async () => {
    const [own, ours, foreign] = [
      await world.quotation({ partner_id: world.ids.ines }),
      await world.quotation(),
      await world.quotation({ partner_id: world.ids.other }),
    ];
    const path = await signInLink();
    const ines = world.customer();
    expect(await (await ines.get(path)).text()).toContain('Sign in');
    const signedIn = await ines.form(path, {});
    expect([signedIn.status, signedIn.headers.get('location')]).toEqual([303, '/portal']);
    expect(signedIn.headers.get('set-cookie')).toMatch(
      /^portal_account=[\w-]{43}; HttpOnly; SameSite=Lax; Path=\/portal/,
    );
    expect((await world.customer().form(path, {})).status).toBe(404);
    const list = await (await ines.get('/portal')).text();
    for (const id of [own, ours]) expect(list).toContain(`/portal/my/sale.order/${id}`);
    expect(list).not.toContain(`/portal/my/sale.order/${foreign}"`);
    expect((await ines.get(`/portal/my/sale.order/${ours}`)).status).toBe(200);
    const nothing = await ines.get(`/portal/my/sale.order/${foreign}`);
    const never = await ines.get('/portal/my/sale.order/999999');
    expect([nothing.status, await nothing.text()]).toEqual([404, await never.text()]);
    for (const model of ['core.user', 'portal.link', 'sale.order.line', 'nothing'])
      expect((await ines.get(`/portal/my/${model}/1`)).status).toBe(404);
    expect((await world.customer().get(`/portal/my/sale.order/${ours}`)).status).toBe(404);

    const comment = (headers: Record<string, string>) =>
      ines.form(`/portal/my/sale.order/${ours}/comment`, { body: 'Hello' }, { accept: 'application/json', ...headers });
    expect((await comment({ 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await comment({ origin: 'https://evil.example' })).status).toBe(403);
    expect((await comment({ origin: 'null' })).status).toBe(403);
    expect((await comment({ 'sec-fetch-site': 'same-site', origin: world.url })).status).toBe(403);
    // The pages tell nobody their address, so browsers send their origin as null.
    expect((await comment({ 'sec-fetch-site': 'same-origin', origin: 'null' })).status).toBe(303);
    expect((await comment({ 'sec-fetch-site': 'same-origin' })).status).toBe(303);
    const rpc = await ines.call({ model: 'sale.order', method: 'search', args: [[]] });
    expect(rpc.status).toBe(401);

    await world.work((env) => env.model('core.partner').call([world.ids.ines], 'end_portal'));
    expect(await (await ines.get('/portal')).text()).not.toContain('/portal/my/');
    expect((await ines.get(`/portal/my/sale.order/${ours}`)).status).toBe(404);
  });

  it('PTL-12 answers every address alike, and sends a known one a few links an hour alone', async () => {
    await signInLink();
    const ask = async (email: string) => (await world.customer().form('/portal/sign-in', { email })).text();
    const unknown = await ask('nobody@nowhere.example');
    for (let count = 0; count < 7; count++) expect(await ask('ines@lac.example')).toBe(unknown);
    expect(await ask('not an address')).toBe(unknown);
    const links = await world.work((env) =>
      env
        .sudo()
        .model('portal.link')
        .count([
          ['kind', '=', 'sign_in'],
          ['partner_id', '=', world.ids.ines],
        ]),
    );
    expect(links).toBeLessThanOrEqual(7);
  });

  it('PTL-12 is no sign-in of the office, and a link to a document is none of an account', async () => {
    const path = await world.link('sale.order', await world.quotation());
    const secret = path.split('/').at(-1) ?? '';
    expect((await world.customer().form(`/portal/in/${secret}`, {})).status).toBe(404);
    const visitor = world.customer();
    visitor.cookies.set('portal_account', secret);
    expect(await (await visitor.get('/portal')).text()).not.toContain('/portal/my/');
  });

  it('KEY-11 an agent, and a key with a scope, get no link, whose page shows and does more than the key may', async () => {
    const id = await world.quotation();
    const address = `${world.url}/portal/${'k'.repeat(43)}`;
    const scope = { 'sale.order': ['read', 'call'], 'core.partner': ['read', 'call'] };
    const agent = { name: 'Scout', held: null, approverId: null };
    for (const limits of [{ scope }, { scope: null, agent }, { scope, agent }]) {
      const made = await world.work((env) =>
        createApiKey(env, { userId: world.admin.uid, name: 'k', expiresAt: null, ...limits }),
      );
      const key = Browser.withKey(world.url, made.secret);
      const share = { recipient: 'ines@lac.example', days: '30', address };
      expect(await key.outcome('sale.order', 'call', [id, 'action_share', share])).toBe('403 ACCESS_DENIED');
      expect(await key.outcome('sale.order', 'call', [id, 'action_preview'])).toBe('403 ACCESS_DENIED');
      const invited = await key.outcome('core.partner', 'call', [world.ids.ines, 'action_invite_to_portal']);
      expect(invited).toBe('403 ACCESS_DENIED');
    }
    expect((await world.customer().get(new URL(address).pathname)).status).toBe(404);
  });
});
