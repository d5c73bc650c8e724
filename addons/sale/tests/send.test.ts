import { hash } from 'node:crypto';
import { anyModel, type Env } from '@kontor/addon';
import { startMail } from '@kontor/parts';
import { pdfPages, startMailServer, type TestMailServer } from '@kontor/testing';
import { long } from '@kontor/testing/long';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { makeOrder, openShop, refusal, type Shop } from './shop.ts';

const waiting = { timeout: 120_000, interval: 20 };
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
  return {
    text,
    subject: subjectOf(text),
    fileName: file?.[1],
    file: Buffer.from((file?.[2] ?? '').replaceAll(/\s/g, ''), 'base64'),
  };
}
/** Without folding and encoded words (RFC 2047). */
function subjectOf(mail: string): string {
  const [, folded = ''] = /^Subject: (.*(?:\r\n[ \t].*)*)/m.exec(mail) ?? [];
  const bytes = folded
    .replaceAll(/\?=\r\n[ \t]=\?UTF-8\?Q\?/gi, '')
    .replaceAll(/\r\n(?=[ \t])/g, '')
    .replaceAll(/=\?UTF-8\?Q\?(.*?)\?=/gi, (_, word: string) =>
      word
        .replaceAll('_', ' ')
        .replaceAll(/=([0-9A-F]{2})/gi, (_hex, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    );
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
const customer = (name: string, email: string, lang: string | null = null) =>
  shop.run((env) => env.model('core.partner').create({ name, email, lang }));
const read = async (id: number) => (await shop.run((env) => env.model('sale.order').read([id], ['name', 'state'])))[0];

describe('a quotation by mail', () => {
  long(
    'SAL-25 goes to the customer with the PDF, in their language, and an answer goes to the salesperson',
    async () => {
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
    },
  );

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
      'Dear Somebody,\n\nplease find attached our quotation NUMBER for $329.00.\nIt is valid until Mar 31, 2026.\n\nIf you have any questions, just reply to this e-mail.',
    ],
    [
      'de_DE',
      'Angebot NUMBER von Nordlicht Trading',
      'Guten Tag Somebody,\n\nim Anhang finden Sie unser Angebot NUMBER über 329,00\u00a0$.\nEs ist gültig bis 31.03.2026.\n\nWenn Sie Fragen haben, antworten Sie einfach auf diese E-Mail.',
    ],
    [
      'fr_FR',
      'Devis NUMBER de Nordlicht Trading',
      'Bonjour Somebody,\n\nveuillez trouver ci-joint notre devis NUMBER d’un montant de 329,00\u00a0$.\nIl est valable jusqu’au 31 mars 2026.\n\nPour toute question, répondez simplement à ce message.',
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

describe('what was sent', () => {
  const write = (id: number, values: object, actor = shop.seller) =>
    shop.run((env) => env.model('sale.order').write([id], values as never), actor);
  const send = (id: number) => shop.run((env) => env.model('sale.order').call([id], 'send'), shop.seller);
  const versions = (id: number, actor = shop.seller) =>
    shop.run(async (env) => {
      const paths = [
        'version',
        'kind',
        'recipient',
        'subject',
        'body',
        'changes',
        'name',
        'data',
        'sha256',
        'is_latest',
      ] as const;
      return env.model('sale.order.sent').searchRead([['order_id', '=', id]], paths, { order: 'id' });
    }, actor);
  const firstLine = async (id: number) =>
    (await shop.run((env) => env.model('sale.order.line').search([['order_id', '=', id]])))[0] as number;

  it('SAL-29 is kept with its mail, its page and its version, and nobody changes it', async () => {
    const partner_id = await customer('Kept', 'kept@example.com');
    const id = await makeOrder(shop, { partner_id });
    await send(id);
    const { name } = (await read(id)) as { name: string };
    const [first] = await versions(id);
    expect(first).toMatchObject({
      ...{ version: 1, kind: 'quotation', recipient: 'kept@example.com', name: `${name}.pdf`, changes: null },
      subject: `Quotation ${name} from Nordlicht Trading`,
      body: expect.stringContaining('Dear Kept,'),
      is_latest: true,
    });
    const page = Buffer.from(String(first?.data), 'base64');
    expect(page.equals((await mailTo('kept@example.com')).file)).toBe(true);
    expect(first?.sha256).toBe(hash('sha256', page));
    for (const actor of [shop.seller, shop.manager, shop.admin]) {
      const change = (work: (env: Env) => Promise<unknown>) => refusal(shop.run(work, actor));
      const sent = first?.id as number;
      expect(await change((env) => env.model('sale.order.sent').write([sent], { subject: 'x' }))).toMatchObject({
        code: 'ACCESS_DENIED',
      });
      expect(await change((env) => env.model('sale.order.sent').unlink([sent]))).toMatchObject({
        code: 'ACCESS_DENIED',
      });
    }
    await expect(versions(id, shop.other)).resolves.toEqual([]);
  });

  long('SAL-29 a revised quotation is a new version with what changed; the same page sent again is not', async () => {
    const partner_id = await customer('Revised', 'revised@example.com');
    const id = await makeOrder(shop, { partner_id });
    await send(id);
    await send(id);
    const line = await firstLine(id);
    await write(id, {
      line_ids: [
        ['update', line, { quantity: 3 }],
        ['create', { product_id: shop.ids.lamp }],
      ],
    });
    await send(id);
    const { name } = (await read(id)) as { name: string };
    const rows = await versions(id);
    expect(rows.map(({ version, name: file, is_latest }) => [version, file, is_latest])).toEqual([
      [1, `${name}.pdf`, false],
      [1, `${name}.pdf`, false],
      [2, `${name}-2.pdf`, true],
    ]);
    expect(String(rows[2]?.changes).split('\n')).toEqual([
      'Desk, Quantity: 1 pc → 3 pc',
      'Added: Lamp',
      expect.stringMatching(/^Total: \$391\.51 → \$/),
    ]);
    expect(pdfPages(Buffer.from(String(rows[2]?.data), 'base64'))[0]).toContain(`Quotation ${name}, version 2`);
  });

  it('SAL-30 a confirmed order goes out as a confirmation, and only a manager amends it, with a reason', async () => {
    const partner_id = await customer('Confirmed', 'confirmed@example.com', 'de_DE');
    const id = await makeOrder(shop, { partner_id });
    const call = (action: 'confirm' | 'amend', actor: Shop['admin'], answers = {}) =>
      shop.run((env) => env.model('sale.order').call([id], action, answers), actor);
    await call('confirm', shop.seller);
    await send(id);
    const { name } = (await read(id)) as { name: string };
    const mail = await mailTo('confirmed@example.com');
    expect(mail.subject).toContain(`Auftragsbestätigung ${name}`);
    expect(pdfPages(mail.file)[0]).toContain(`Auftragsbestätigung ${name}`);
    expect(await versions(id)).toMatchObject([{ version: 1, kind: 'confirmation' }]);
    expect(await read(id)).toMatchObject({ state: 'sale' });
    const amend_reason = 'Two more <desks>';
    expect(await refusal(call('amend', shop.seller, { amend_reason }))).toMatchObject({
      message: 'This order is confirmed. Ask a sales manager to amend it.',
    });
    expect(await refusal(call('amend', shop.manager))).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(await refusal(write(id, { state: 'draft' }, shop.manager))).toMatchObject({
      message: expect.stringContaining('Press "Amend order" and say why.'),
    });
    await call('amend', shop.manager, { amend_reason });
    expect(await read(id)).toMatchObject({ state: 'draft' });
    await write(id, { line_ids: [['update', await firstLine(id), { quantity: 3 }]] }, shop.manager);
    await call('confirm', shop.seller);
    const said = await shop.run((env) =>
      env
        .sudo()
        .model('mail.message')
        .searchRead(
          [
            ['model', '=', 'sale.order'],
            ['res_id', '=', id],
          ],
          ['body'],
        ),
    );
    expect(said.map(({ body }) => body)).toContain('<p>Amended: Two more &lt;desks&gt;</p>');
  });
});

describe('without a mail server', () => {
  it('SAL-25 SAL-31 the dialog says so before anybody writes, and changes nothing', async () => {
    const poor = await openShop();
    try {
      const id = await makeOrder(poor);
      const propose = (actor: Shop['admin']) =>
        poor.run((env) => anyModel(env, 'sale.order').proposeAnswers([id], 'send'), actor);
      expect((await propose(poor.seller)).value?.notice).toMatch(
        /^<p>No mail server is set up.*Ask an administrator[^<]*<\/p>$/,
      );
      expect((await propose(poor.admin)).value?.notice).toContain(
        '<a href="/web?action=base.mail_servers&amp;view_type=form">Set up a mail server</a>',
      );
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
