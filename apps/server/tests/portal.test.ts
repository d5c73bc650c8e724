import { sql } from '@kontor/database';
import { pdfPages } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Browser } from './browser.ts';
import { openPortal, optionsIn, type PortalWorld, png, versionIn } from './portal-world.ts';

let world: PortalWorld;
beforeAll(async () => {
  world = await openPortal({ KONTOR_TRUSTED_PROXIES: '127.0.0.1' });
});
afterAll(() => world.close());

const open = async (path: string) => {
  const answer = await world.customer().get(path);
  return { answer, page: await answer.text() };
};
const post = (path: string, fields: Record<string, string> | URLSearchParams) =>
  world.customer().fetch(path, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: { accept: 'application/json' },
  });
const refusal = async (answer: Response) => {
  const { code, message } = await Browser.errorOf(answer);
  return `${answer.status} ${code}: ${message}`;
};
const order = async (id: number) =>
  (
    await world.seller.browser.rpc<Record<string, unknown>[]>('sale.order', 'read', [[id], ['state', 'amount_total']])
  )[0];
const sign = async (path: string, more: Record<string, string> = {}) =>
  post(`${path}/accept`, { version: versionIn((await open(path)).page), name: 'Inès Roux', picture: png(), ...more });
const waitingForLocks = async () => {
  const [found] = await world.kernel.database.query<{ n: number }>(sql`
    select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`);
  return found?.n;
};
const messages = (id: number) =>
  world.work((env) =>
    env
      .sudo()
      .model('mail.message')
      .searchRead(
        [
          ['model', '=', 'sale.order'],
          ['res_id', '=', id],
        ],
        ['kind', 'body', 'is_shared', 'partner_id'],
        {
          order: 'id',
        },
      ),
  );

describe('the page of a customer', () => {
  it('PTL-2 shows a quotation with its lines, options, sums and what may be done, and nothing that is not declared', async () => {
    const id = await world.quotation({ note: 'Delivery in nine weeks <b>', client_reference: 'PO 7' });
    const { answer, page } = await open(await world.link('sale.order', id));
    expect(answer.status).toBe(200);
    for (const words of ['Armchair Sable', 'In graphite', 'Parasol', 'PO 7', 'Nordlicht Trading', 'Accept and sign'])
      expect(page).toContain(words);
    expect(page).toContain('Delivery in nine weeks &#60;b&#62;');
    expect(page).toContain('$240.00');
    expect(page).toContain('data-total="120"');
    expect(page).not.toMatch(/margin|unit_cost|Team|pricelist/i);
    expect(page).not.toMatch(/(?:src|href)="https?:/);
  });

  it('PTL-3 tells nobody its address: no referrer, no cache, no search engine, no log', async () => {
    const path = await world.link('sale.order', await world.quotation());
    const { answer } = await open(path);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow, noarchive',
      'cache-control': 'private, no-store',
    });
    expect(world.log.join('\n')).not.toContain(path.split('/').at(-1));
    const stored = await world.work((env) => env.sudo().model('portal.link').searchRead([], ['secret_hash']));
    expect(JSON.stringify(stored)).not.toContain(path.split('/').at(-1));
  });

  it('PTL-3 is the same nothing for a wrong, withdrawn or foreign link, and an expired one can be mailed again', async () => {
    const id = await world.quotation();
    const path = await world.link('sale.order', id);
    const nothing = await open(`/portal/${'A'.repeat(43)}`);
    expect(nothing.answer.status).toBe(404);
    await world.seller.browser.rpc('sale.order', 'call', [id, 'action_share', { withdraw: 'true' }]);
    const withdrawn = await open(path);
    expect([withdrawn.answer.status, withdrawn.page]).toEqual([404, nothing.page]);
    const second = await world.link('sale.order', id);
    await world.work(async (env) => {
      const links = env.sudo().model('portal.link');
      const [newest = 0] = await links.search([], { order: '-id', limit: 1 });
      await links.write([newest], { expires_at: '2020-01-01T00:00:00Z' });
    });
    const expired = await open(second);
    expect([expired.answer.status, expired.page.includes('Send a new link')]).toEqual([404, true]);
    const [asked, guessed] = [await post(`${second}/renew`, {}), await post(`/portal/${'B'.repeat(43)}/renew`, {})];
    expect([asked.status, await asked.text()]).toEqual([guessed.status, await guessed.text()]);
    expect((await post(`${second}/comment`, { body: 'x' })).status).toBe(404);
  });

  it('PTL-4 is not for a former contact, an archived one, another customer or a draft', async () => {
    const id = await world.quotation();
    const path = await world.link('sale.order', id);
    const status = async () => (await open(path)).answer.status;
    const change = (values: object) =>
      world.work((env) => env.model('core.partner').write([world.ids.ines], { ...values }));
    expect(await status()).toBe(200);
    await change({ parent_id: null });
    expect(await status()).toBe(404);
    await change({ parent_id: world.ids.hotel, active: false });
    expect(await status()).toBe(404);
    await change({ active: true });
    expect(await status()).toBe(200);
    await world.seller.browser.rpc('sale.order', 'write', [[id], { partner_id: world.ids.other }]);
    expect(await status()).toBe(404);
    const draft = await world.link('sale.order', await world.quotation({}, false));
    expect((await open(draft)).answer.status).toBe(404);
  });

  it('PTL-6 takes comments into the discussion, tells the person responsible, and never shows notes of the office', async () => {
    const id = await world.quotation();
    const path = await world.link('sale.order', id);
    await world.seller.browser.json('/web/chatter/post', {
      model: 'sale.order',
      id,
      body: 'Internal: they always haggle',
    });
    await world.seller.browser.rpc('sale.order', 'call', [id, 'action_answer', { body: 'Yes, at 30 °C.' }]);
    expect((await post(`${path}/comment`, { body: 'Washable?\n<script>alert(1)</script>' })).status).toBe(303);
    const { page } = await open(path);
    expect(page).toContain('Washable?\n&#60;script&#62;alert(1)&#60;/script&#62;');
    expect(page).toContain('Yes, at 30 °C.');
    expect(page).not.toContain('haggle');
    const written = (await messages(id)).find(({ partner_id: partner }) => partner === world.ids.ines);
    expect(written).toMatchObject({ is_shared: true, body: expect.stringContaining('Washable?') });
    expect(String(written?.body)).not.toContain('<script');
    const told = await world.work((env) =>
      env
        .sudo()
        .model('sys.notification')
        .searchRead([['user_id', '=', world.seller.id]], ['title']),
    );
    expect(JSON.stringify(told)).toContain('Inès Roux');
  });

  it('PTL-6 takes files of known types and sizes alone, and gives them back to their record alone', async () => {
    const path = await world.link('sale.order', await world.quotation());
    const elsewhere = await world.link('sale.order', await world.quotation());
    const send = (name: string, content: string | Uint8Array<ArrayBuffer>) => {
      const form = new FormData();
      form.set('body', 'See the file');
      form.set('file', new Blob([content]), name);
      return world
        .customer()
        .fetch(`${path}/comment`, { method: 'POST', body: form, headers: { accept: 'application/json' } });
    };
    for (const [name, content] of [
      ['page.html', '<script>alert(1)</script>'],
      ['picture.svg', '<svg/>'],
      ['program.pdf', 'MZ'],
      ['list.csv', 'a\0b'],
    ] as const)
      expect(await refusal(await send(name, content))).toMatch(/^422 USER_ERROR: Send PDF/);
    expect(await refusal(await send('big.pdf', `%PDF-${'x'.repeat(3_000_001)}`))).toMatch(/up to 3 MB/);
    expect((await send('../plan.pdf', '%PDF-1.7 plan')).status).toBe(303);
    const [, file] = /files\/(\d+)/.exec((await open(path)).page) ?? [];
    const answer = await world.customer().get(`${path}/files/${file}`);
    expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([
      200,
      'application/octet-stream',
      '%PDF-1.7 plan',
    ]);
    expect((await world.customer().get(`${elsewhere}/files/${file}`, { accept: 'application/json' })).status).toBe(404);
  });

  it('PTL-6 bounds how much a customer may write in a day', async () => {
    const path = await world.link('sale.order', await world.quotation());
    for (let count = 0; count < 20; count++)
      expect((await post(`${path}/comment`, { body: `${count}` })).status).toBe(303);
    expect(await refusal(await post(`${path}/comment`, { body: 'more' }))).toMatch(/^422 USER_ERROR: That is enough/);
    expect(await refusal(await post(`${path}/comment`, { body: 'x'.repeat(4_001) }))).toMatch(
      /at most 4000 characters/,
    );
  });

  it('PTL-7 PTL-9 takes a signature under what was read, with the ticked options, and confirms the order', async () => {
    const id = await world.quotation();
    const path = await world.link('sale.order', id);
    const { page } = await open(path);
    const [option = ''] = optionsIn(page);
    const foreign = optionsIn((await open(await world.link('sale.order', await world.quotation()))).page);
    const fields = new URLSearchParams({ version: versionIn(page), name: 'Inès <i>Roux', picture: png() });
    for (const each of [option, ...foreign]) fields.append('chosen', each);
    expect((await post(`${path}/accept`, fields)).status).toBe(303);
    expect(await order(id)).toEqual({ id, state: 'sale', amount_total: 360 });
    const [signature] = await world.work((env) =>
      env
        .sudo()
        .model('portal.signature')
        .searchRead([['res_id', '=', id]], ['name', 'address', 'sha256', 'content', 'signed_at']),
    );
    expect(signature).toMatchObject({
      name: 'Inès <i>Roux',
      address: '127.0.0.1',
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const after = (await open(path)).page;
    expect(after).toContain('Inès &#60;i&#62;Roux');
    expect(after).not.toContain('Accept and sign');
    const pdf = Buffer.from(await (await world.customer().get(`${path}/document.pdf`)).arrayBuffer());
    expect(pdfPages(pdf).join(' ')).toContain(String(signature?.sha256));
    expect(await refusal(await post(`${path}/accept`, fields))).toMatch(
      /^422 USER_ERROR: This can no longer be accepted/,
    );
    expect(await refusal(await post(`${path}/decline`, { reason: 'no' }))).toMatch(/can no longer be declined/);
  });

  it('PTL-7 refuses a signature under an outdated version, without a picture, with a huge one, or after the last day', async () => {
    const id = await world.quotation();
    const path = await world.link('sale.order', id);
    const stale = versionIn((await open(path)).page);
    const lines = await world.seller.browser.rpc<{ id: number }[]>('sale.order.line', 'search', [
      [['order_id', '=', id]],
    ]);
    await world.seller.browser.rpc('sale.order.line', 'write', [[lines[0]?.id], { price_unit: '150' }]);
    expect(await refusal(await sign(path, { version: stale }))).toMatch(/has changed since you opened it/);
    expect(await refusal(await sign(path, { picture: '' }))).toMatch(/Draw or type your signature/);
    expect(await refusal(await sign(path, { picture: 'data:image/svg+xml;base64,AAAA' }))).toMatch(/Draw or type/);
    expect(await refusal(await sign(path, { picture: png(20_000, 2) }))).toMatch(/too large/);
    expect(await refusal(await sign(path, { name: ' ' }))).toMatch(/Enter your name/);
    await world.seller.browser.rpc('sale.order', 'write', [
      [id],
      { date_order: '2020-01-01T00:00:00Z', validity_date: '2020-02-01' },
    ]);
    expect(await refusal(await sign(path))).toMatch(/can no longer be accepted/);
    expect(await order(id)).toMatchObject({ state: 'sent' });
  });

  it('PTL-7 two signatures at once confirm once, also when one waits for the other halfway', async () => {
    const id = await world.quotation();
    const path = await world.link('sale.order', id);
    const { page } = await open(path);
    const [option = ''] = optionsIn(page);
    // Both have seen the quotation as open when they wait for the line that they ticked.
    const given = { version: versionIn(page), name: 'Inès', picture: png(), chosen: option };
    const both = await world.kernel.database.transaction(async (tx) => {
      await tx.execute(sql`select from sale_order_line where id = ${Number(option)} for update`);
      const posted = [1, 2].map(() => post(`${path}/accept`, given));
      await expect.poll(waitingForLocks).toBe(2);
      return posted;
    });
    expect((await Promise.all(both)).map(({ status }) => status).sort()).toEqual([303, 422]);
    const count = await world.work((env) =>
      env
        .sudo()
        .model('portal.signature')
        .count([['res_id', '=', id]]),
    );
    expect(count).toBe(1);
  });

  it('PTL-7 a signature is no longer shown once what was signed has changed', async () => {
    const id = await world.quotation();
    const path = await world.link('sale.order', id);
    expect((await sign(path)).status).toBe(303);
    expect((await open(path)).page).toContain('class="signature"');
    await world.work(async (env) => {
      const orders = env.model('sale.order');
      await orders.call([id], 'amend', { amend_reason: 'Another colour' });
      await orders.write([id], { client_reference: 'PO 8' });
      await orders.call([id], 'confirm');
    });
    expect((await open(path)).page).not.toContain('class="signature"');
  });

  it('PTL-8 declines with a reason, which is in the discussion', async () => {
    const id = await world.quotation();
    const path = await world.link('sale.order', id);
    expect(await refusal(await post(`${path}/decline`, { reason: ' ' }))).toMatch(/why you decline/);
    expect((await post(`${path}/decline`, { reason: 'Too expensive' })).status).toBe(303);
    expect(await order(id)).toMatchObject({ state: 'cancel' });
    expect(JSON.stringify(await messages(id))).toContain('Too expensive');
  });

  it('PTL-10 shows an invoice with its PDF, what is due, the bank and a payment code', async () => {
    const invoice = await world.work(async (env) => {
      const currencies = env.model('core.currency');
      const [euro = 0] = await currencies.search([
        ['name', '=', 'EUR'],
        ['active', 'in', [true, false]],
      ]);
      const [dollar = 0] = await currencies.search([['name', '=', 'USD']]);
      await currencies.write([euro], { rate: '1' });
      await currencies.write([dollar], { rate: '1.1' });
      await env.model('core.company').write([1], { bank_name: 'Sparkasse', iban: 'DE02120300000000202051' });
      const id = await env.model('invoice.invoice').create({
        partner_id: world.ids.hotel,
        currency_id: euro,
        line_ids: [['create', { name: 'Chairs', price_unit: '100', quantity: 2, tax_ids: [] }]],
      });
      await env.model('invoice.invoice').call([id], 'post');
      return id;
    });
    const path = await world.link('invoice.invoice', invoice);
    const { page } = await open(path);
    for (const words of ['DE02 1203 0000 0000 2020 51', 'Sparkasse', '€200.00', 'data:image/svg+xml'])
      expect(page).toContain(words);
    const pdf = await world.customer().get(`${path}/document.pdf`);
    expect([pdf.status, pdf.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    const stranger = world.customer();
    stranger.headers = { 'x-forwarded-for': '198.51.100.9' };
    const statuses: number[] = [];
    for (let count = 0; count < 31; count++) {
      const { status } = await stranger.get(`${path.replace(/.$/, (end) => (end === 'A' ? 'B' : 'A'))}/document.pdf`);
      statuses.push(status);
    }
    expect([new Set(statuses.slice(0, 30)).has(429), statuses.at(-1)]).toEqual([false, 429]);
    expect(await refusal(await post(`${path}/accept`, { version: 'x', name: 'x', picture: png() }))).toMatch(
      /no longer be accepted/,
    );
  });

  it('PTL-2 shows a project with its tasks in the language of the customer', async () => {
    await world.work((env) => env.model('core.partner').write([world.ids.ines], { lang: 'ar' }));
    const [project, hidden] = await world.work(async (env) => {
      const task_ids = [['create', { name: 'Assemble' }]];
      const id = await env.model('project.project').create({ name: 'Terrace', partner_id: world.ids.hotel, task_ids });
      await env.model('project.project').call([id], 'start');
      return [id, await env.model('project.project').create({ name: 'Next', partner_id: world.ids.hotel })] as const;
    });
    const { page } = await open(await world.link('project.project', project));
    expect(page).toContain('dir="rtl"');
    expect(page).toContain('Assemble');
    expect((await open(await world.link('project.project', hidden))).answer.status).toBe(404);
    await world.work((env) => env.model('core.partner').write([world.ids.ines], { lang: 'en_US' }));
  });

  it('PTL-11 the office sees who has a link and looked when, and previews the page without changing anything', async () => {
    const id = await world.quotation();
    const path = await world.link('sale.order', id);
    const history = async () => {
      const { result } = await world.seller.browser.call({
        model: 'sale.order',
        method: 'onchange',
        args: [{}, []],
        kwargs: { action: 'action_share', active_ids: [id] },
      });
      return JSON.stringify(result);
    };
    expect(await history()).toContain('not opened');
    await open(path);
    expect(await history()).toContain('not opened');
    expect((await post(`${path}/seen`, {})).status).toBe(204);
    expect(await history()).toContain('last opened');
    const { redirect: away } = await world.seller.browser.rpc<{ redirect: string }>('sale.order', 'call', [
      id,
      'action_preview',
    ]);
    const redirect = (await world.seller.browser.get(away)).headers.get('location') ?? '';
    const preview = await open(redirect);
    expect(preview.page).toContain('This is what the customer sees');
    expect((await post(`${redirect}/comment`, { body: 'x' })).status).toBe(403);
    expect((await post(`${redirect}/seen`, {})).status).toBe(403);
    const outsider = await world.user('Otto Outsider', ['base.group_user']);
    expect(await outsider.browser.outcome('sale.order', 'call', [id, 'action_share', {}])).toMatch(/^403/);
    for (const method of ['search', 'create'])
      expect(await world.seller.browser.outcome('portal.link', method, [method === 'search' ? [] : {}])).toMatch(
        /^403/,
      );
  });

  it('PTL-5 a link is no way into anything else', async () => {
    const path = await world.link('sale.order', await world.quotation());
    const secret = path.split('/').at(-1) ?? '';
    const visitor = world.customer();
    visitor.cookies.set('svc_session', secret);
    const answer = await visitor.call({ model: 'sale.order', method: 'search', args: [[]] });
    expect(answer.status).toBe(401);
    const keyed = await Browser.withKey(world.url, secret).call({ model: 'sale.order', method: 'search', args: [[]] });
    expect(keyed.status).toBe(401);
    for (const bad of [
      `/portal/${secret}x`,
      '/portal/..%2f..',
      `/portal/${secret}/files/1e9`,
      `/portal/${secret}/write`,
    ])
      expect((await world.customer().get(bad, { accept: 'application/json' })).status).toBe(404);
    expect((await post(`${path}/seen?model=core.user&id=1`, { state: 'sale', amount_total: '1' })).status).toBe(204);
  });
});
