import { startMail } from '@kontor/parts';
import { pdfPages, startMailServer, type TestMailServer } from '@kontor/testing';
import { buildWorkspace, readWorkspaceQuery } from '@kontor/workspace';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { makeOrder, openShop, refusal, type Shop } from './shop.ts';

const waiting = { timeout: 30_000, interval: 20 };
let server: TestMailServer;
let shop: Shop;
let worker: ReturnType<typeof startMail>;
beforeAll(async () => {
  server = await startMailServer();
  shop = await openShop(['sale'], {
    KONTOR_SMTP_HOST: '127.0.0.1',
    KONTOR_SMTP_PORT: String(server.port),
    KONTOR_SMTP_FROM: 'Nordlicht <office@nordlicht.example>',
    KONTOR_SMTP_TLS: 'none',
  });
  worker = startMail(shop.kernel, 'worker');
});
afterAll(async () => {
  await worker.stop();
  await shop.close();
  await server.close();
});

/** The one mail to an address, with its headers and its files. */
async function mailTo(address: string) {
  const text = await vi.waitFor(() => {
    const found = server.accepted.find((mail) => mail.includes(`To: ${address}`));
    if (found === undefined) throw new Error(`There is no mail to ${address}.`);
    return found;
  }, waiting);
  const file = /Content-Type: application\/pdf; name=(\S+)[\s\S]*?\r\n\r\n([A-Za-z0-9+/=\r\n]+)/.exec(text);
  return { text, fileName: file?.[1], file: Buffer.from((file?.[2] ?? '').replaceAll(/\s/g, ''), 'base64') };
}
const customer = (name: string, email: string, lang: string | null = null) =>
  shop.run((env) => env.model('core.partner').create({ name, email, lang }));
const read = async (id: number) => (await shop.run((env) => env.model('sale.order').read([id], ['name', 'state'])))[0];

describe('a quotation by mail', () => {
  it('SAL-25 goes to the customer with the PDF, in their language, and an answer goes to the salesperson', async () => {
    const partner_id = await customer('Hafenkante GmbH', 'post@hafenkante.example', 'de_DE');
    const id = await makeOrder(shop, { partner_id });
    await shop.run((env) => env.model('sale.order').call([id], 'send'), shop.seller);
    const { name, state } = (await read(id)) as { name: string; state: string };
    expect(state).toBe('sent');
    const mail = await mailTo('post@hafenkante.example');
    expect(mail.text).toContain(`Subject: Angebot ${name} von Nordlicht Trading`);
    expect(mail.text).toContain('Reply-To: selma@nordlicht.example');
    expect(mail.fileName).toBe(`${name}.pdf`);
    expect(pdfPages(mail.file)[0]).toContain(`Angebot ${name}`);
    const said = await shop.run((env) =>
      env
        .sudo()
        .model('mail.message')
        .searchRead(
          [
            ['model', '=', 'sale.order'],
            ['res_id', '=', id],
            ['kind', '=', 'system'],
          ],
          ['body'],
        ),
    );
    expect(said[0]?.body).toContain('post@hafenkante.example');
  });

  it('SAL-25 the dialog proposes the letter and sends what was made of it', async () => {
    const partner_id = await customer('Café Ronde', 'bonjour@ronde.example', 'fr_FR');
    const id = await makeOrder(shop, { partner_id });
    const caller = { actor: shop.seller, csrf: 'token', lastWrite: null };
    const query = readWorkspaceQuery({ action: 'sale.send_quotation', active_ids: String(id) });
    const { defaults, arch } = await buildWorkspace(shop.kernel, caller, query);
    expect(arch.target).toBe('dialog');
    expect(defaults).toMatchObject({
      order_id: id,
      recipient: 'bonjour@ronde.example',
      subject: expect.stringMatching(/^Devis S\d+ de Nordlicht Trading$/),
      body: expect.stringContaining('Bonjour Café Ronde,'),
    });
    const values = { order_id: id, recipient: 'chef@ronde.example', subject: 'As we said', body: 'Here it is.' };
    await shop.run(async (env) => {
      const dialog = await env.model('sale.order.send').create(values);
      await env.model('sale.order.send').call([dialog], 'send');
    }, shop.seller);
    const mail = await mailTo('chef@ronde.example');
    expect(mail.text).toContain('Subject: As we said');
    expect(mail.text).toContain('Here it is.');
    expect(mail.file.subarray(0, 5).toString()).toBe('%PDF-');
    expect(await read(id)).toMatchObject({ state: 'sent' });
  });

  it('SAL-25 says what is missing, sends nobody what they may not see, and marks what went another way', async () => {
    const id = await makeOrder(shop);
    const dialog = (values: object, actor = shop.seller) =>
      shop.run((env) => env.model('sale.order.send').create({ order_id: id, ...values }), actor);
    const press = (action: 'send' | 'mark_sent', row: number, actor = shop.seller) =>
      shop.run((env) => env.model('sale.order.send').call([row], action), actor);
    expect(await refusal(dialog({ recipient: 'two@a.example, three@b.example' }))).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { fields: { recipient: ['This is no e-mail address.'] } },
    });
    expect(await refusal(press('send', await dialog({})))).toMatchObject({ code: 'USER_ERROR' });
    const letter = { recipient: 'other@example.com', subject: 'x', body: 'y' };
    const stolen = dialog(letter, shop.other).then((row) => press('send', row, shop.other));
    expect(await refusal(stolen)).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(await read(id)).toMatchObject({ state: 'draft' });
    await press('mark_sent', await dialog({}));
    expect(await read(id)).toMatchObject({ state: 'sent' });
  });
});

describe('without a mail server', () => {
  it('SAL-25 the dialog says so and changes nothing', async () => {
    const poor = await openShop();
    try {
      const id = await makeOrder(poor);
      const sent = poor.run(async (env) => {
        const values = { order_id: id, recipient: 'a@example.com', subject: 'x', body: 'y' };
        const row = await env.model('sale.order.send').create(values);
        await env.model('sale.order.send').call([row], 'send');
      }, poor.seller);
      expect(await refusal(sent)).toMatchObject({ code: 'USER_ERROR', message: /No mail server/ });
      const [order] = await poor.run((env) => env.model('sale.order').read([id], ['state']));
      expect(order).toMatchObject({ state: 'draft' });
    } finally {
      await poor.close();
    }
  });
});
