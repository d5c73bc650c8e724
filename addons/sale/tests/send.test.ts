import { anyModel } from '@kontor/addon';
import { startMail } from '@kontor/parts';
import { pdfPages, startMailServer, type TestMailServer } from '@kontor/testing';
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
    const proposed = await shop.run((env) => anyModel(env, 'sale.order').proposeAnswers([id], 'send'), shop.seller);
    const { name } = (await read(id)) as { name: string };
    expect(proposed.value).toEqual({
      recipient: 'bonjour@ronde.example',
      subject: `Devis ${name} de Nordlicht Trading`,
      body: expect.stringContaining('Bonjour Café Ronde,'),
      file_name: `${name}.pdf`,
    });
    const said = { recipient: 'chef@ronde.example', subject: 'As we said', body: 'Here it is.' };
    await shop.run((env) => env.model('sale.order').call([id], 'send', said), shop.seller);
    const mail = await mailTo('chef@ronde.example');
    expect(mail.text).toContain('Subject: As we said');
    expect(mail.text).toContain('Here it is.');
    expect(mail.file.subarray(0, 5).toString()).toBe('%PDF-');
    expect(await read(id)).toMatchObject({ state: 'sent' });
  });

  it.each([
    [
      'en_US',
      'Quotation NUMBER from Nordlicht Trading',
      'Dear Somebody,\n\nplease find attached our quotation NUMBER over $329.00. It is valid until Mar 31, 2026.\n\nIf you have any questions, just reply to this e-mail.',
    ],
    [
      'de_DE',
      'Angebot NUMBER von Nordlicht Trading',
      'Guten Tag Somebody,\n\nim Anhang finden Sie unser Angebot NUMBER über 329,00\u00a0$. Es ist gültig bis 31.03.2026.\n\nWenn Sie Fragen haben, antworten Sie einfach auf diese E-Mail.',
    ],
    [
      'fr_FR',
      'Devis NUMBER de Nordlicht Trading',
      'Bonjour Somebody,\n\nveuillez trouver ci-joint notre devis NUMBER d’un montant de 329,00\u00a0$. Il est valable jusqu’au 31 mars 2026.\n\nPour toute question, répondez simplement à ce message.',
    ],
  ])('SAL-25 the letter in %s', async (lang, subject, body) => {
    const partner_id = await customer('Somebody', 'somebody@example.com', lang);
    const id = await makeOrder(shop, {
      partner_id,
      date_order: '2026-03-01T09:00:00Z',
      validity_date: '2026-03-31',
      line_ids: [['create', { product_id: shop.ids.desk, quantity: 1, tax_ids: [['clear']] }]],
    });
    const propose = () => shop.run((env) => anyModel(env, 'sale.order').proposeAnswers([id], 'send'), shop.seller);
    const { name } = (await read(id)) as { name: string };
    expect((await propose()).value).toMatchObject({
      subject: subject.replaceAll('NUMBER', name),
      body: `${body.replaceAll('NUMBER', name)}\n\nSelma Seller\nNordlicht Trading`,
    });
    await shop.run((env) => env.model('sale.order').write([id], { validity_date: null }), shop.seller);
    const [, letter] = String((await propose()).value?.body).split('\n\n');
    expect(letter).toContain(name);
    expect(letter).not.toContain('2026');
  });

  it('SAL-25 a letter that somebody worded goes to somebody; without words, customers without an address are left out', async () => {
    const partner_id = await shop.run((env) => env.model('core.partner').create({ name: 'No Mail' }));
    const id = await makeOrder(shop, { partner_id });
    const send = (said: Record<string, string>) =>
      shop.run((env) => env.model('sale.order').call([id], 'send', said), shop.seller);
    expect(await refusal(send({ recipient: '', subject: 'x', body: 'y' }))).toMatchObject({
      code: 'USER_ERROR',
      message: /^Enter a recipient for S\d+:/,
    });
    expect(await read(id)).toMatchObject({ state: 'draft' });
    await send({});
    expect(await read(id)).toMatchObject({ state: 'sent' });
  });

  it('SAL-25 says what is wrong, sends nobody what they may not see, and marks what went another way', async () => {
    const id = await makeOrder(shop);
    const send = (said: Record<string, string>, actor = shop.seller) =>
      shop.run((env) => env.model('sale.order').call([id], 'send', said), actor);
    expect(await refusal(send({ recipient: 'two@a.example, three@b.example' }))).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { fields: { recipient: ['Enter a valid e-mail address.'] } },
    });
    expect(await refusal(send({ file_name: 'other.pdf' }))).toMatchObject({ code: 'ACCESS_DENIED' });
    const letter = { recipient: 'other@example.com', subject: 'x', body: 'y' };
    expect(await refusal(send(letter, shop.other))).toMatchObject({ code: 'ACCESS_DENIED' });
    expect(await read(id)).toMatchObject({ state: 'draft' });
    await shop.run((env) => env.model('sale.order').call([id], 'mark_sent'), shop.seller);
    expect(await read(id)).toMatchObject({ state: 'sent' });
  });
});

describe('without a mail server', () => {
  it('SAL-25 the dialog says so and changes nothing', async () => {
    const poor = await openShop();
    try {
      const id = await makeOrder(poor);
      const said = { recipient: 'a@example.com', subject: 'x', body: 'y' };
      const sent = poor.run((env) => env.model('sale.order').call([id], 'send', said), poor.seller);
      expect(await refusal(sent)).toMatchObject({ code: 'USER_ERROR', message: /No mail server/ });
      const [order] = await poor.run((env) => env.model('sale.order').read([id], ['state']));
      expect(order).toMatchObject({ state: 'draft' });
    } finally {
      await poor.close();
    }
  });
});
