import { createHash } from 'node:crypto';
import { startMail } from '@kontor/parts';
import { pdfPages, startMailServer, type TestMailServer } from '@kontor/testing';
import { long } from '@kontor/testing/long';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { loadInvoice } from '../document/load-invoice.ts';
import { paymentCode } from '../document/payment-code.ts';
import { type Desk, look, makeInvoice, openDesk, postInvoice, refusal } from './desk.ts';

const waiting = { timeout: 120_000, interval: 20 };
let server: TestMailServer;
let desk: Desk;
let worker: ReturnType<typeof startMail>;
beforeAll(async () => {
  server = await startMailServer();
  desk = await openDesk({
    KONTOR_SMTP_HOST: '127.0.0.1',
    KONTOR_SMTP_PORT: String(server.port),
    KONTOR_SMTP_FROM: 'Nordlicht <office@nordlicht.example>',
    KONTOR_SMTP_TLS: 'none',
  });
  worker = startMail(desk.kernel, 'worker');
  await desk.run(async (env) => {
    const [eur] = await env.model('core.currency').search([['name', '=', 'EUR']]);
    await env.model('product.product').write([desk.ids.desk], { currency_id: eur as number, list_price: '329' });
    await env.model('product.product').write([desk.ids.lamp], { currency_id: eur as number, list_price: '89.95' });
    await env.model('core.company').write([desk.admin.companyId as number], {
      street: 'Hafenstraße 5',
      zip: '20457',
      city: 'Hamburg',
      vat: 'DE123456789',
      tax_number: '22/815/0815',
      bank_name: 'Hansebank',
      iban: 'DE89370400440532013000',
      bic: 'COBADEFFXXX',
      currency_id: eur as number,
    });
  });
});
afterAll(async () => {
  await worker.stop();
  await desk.close();
  await server.close();
});

async function documentsOf(id: number) {
  const [invoice] = await desk.run((env) =>
    env
      .sudo()
      .model('invoice.invoice')
      .read([id], [{ document_ids: ['id', 'data', 'sha256', 'recipient', 'kind'] }] as never),
  );
  return (
    invoice as unknown as { document_ids: { id: number; data: string; sha256: string; recipient: string | null }[] }
  ).document_ids;
}
const print = (id: number) => desk.run((env) => env.model('invoice.invoice').call([id], 'print'), desk.clerk);
async function pageOf(id: number): Promise<string> {
  await print(id);
  const [document] = await documentsOf(id);
  return pdfPages(Buffer.from(document?.data ?? '', 'base64'))
    .join(' ')
    .replaceAll(/\s+/g, ' ');
}

describe('the document', () => {
  it('INV-31 is legally complete: parties, tax ids, number, dates, lines, rates, sums for each rate, bank and terms', async () => {
    const dates = { invoice_date: '2026-10-26', delivery_date: '2026-10-01', delivery_end: '2026-10-09' };
    const id = await postInvoice(desk, { ...dates, client_reference: 'PO 31', payment_days: 30 });
    const { name } = await look(desk, 'invoice.invoice', id, 'name');
    const page = await pageOf(id);
    const expected = [
      ...['Nordlicht Trading', 'Hafenstraße 5', '20457 Hamburg', 'DE123456789', '22/815/0815'],
      ...['Hôtel du Lac SARL', 'Quai 1', '74000 Annecy', 'FR26481554209', 'PO 31'],
      ...[`Invoice ${name}`, 'Oct 26, 2026', 'Oct 1, 2026', 'Oct 9, 2026', 'Nov 25, 2026'],
      ...['Desk', 'Lamp', '19 %', '7 %', 'VAT 19 % on €329.00', '€62.51', 'VAT 7 % on €179.90', '€12.59', '€584.00'],
      ...['DE89 3704 0044 0532 0130 00', 'COBADEFFXXX', 'Please pay by'],
    ];
    const missing = expected.filter((words) => !page.includes(words));
    expect(missing).toEqual([]);
  });

  long('INV-32 says why no tax is charged, and what a credit note corrects', async () => {
    const id = await postInvoice(desk, { tax_treatment: 'reverse' });
    expect(await pageOf(id)).toContain('Reverse charge: the recipient is liable for the tax.');
    const { name } = await look(desk, 'invoice.invoice', id, 'name');
    const said = await desk.run(
      (env) => env.model('invoice.invoice').call([id], 'credit', { reason: 'Lamp broken' }),
      desk.clerk,
    );
    const note = Number(new URL((said as { redirect: string }).redirect, 'http://x').searchParams.get('id'));
    await desk.run((env) => env.model('invoice.invoice').call([note], 'post'), desk.clerk);
    const page = await pageOf(note);
    for (const words of ['Credit note', `Corrects invoice ${name}`, 'Lamp broken']) expect(page).toContain(words);
    expect(page).not.toContain('Please pay');
  });

  it('TXT-9 INV-32 has its title and sentences as texts, which an administrator changes and cannot empty', async () => {
    const change = (key: string, body: string) =>
      desk.run(async (env) => {
        const [text] = await env.model('sys.text').search([['key', '=', key]]);
        return env.model('sys.text.edit').create({ text_id: text as number, lang: 'en_US', body });
      });
    const edits = [
      await change('invoice.invoice_title', 'Tax invoice\n{number}'),
      await change('invoice.reverse_print', 'VAT reverse charged to {customer}.'),
      await change('invoice.code_print', 'Pay {open} with your phone.'),
      await change('invoice.correction_print', 'In place of {corrected}, {corrected_date}.'),
      await change('invoice.credit_title', 'Refund {number}'),
    ];
    const id = await postInvoice(desk, { tax_treatment: 'reverse' });
    const { name } = await look(desk, 'invoice.invoice', id, 'name');
    const page = await pageOf(id);
    const said = [`Tax invoice ${name}`, 'VAT reverse charged to Hôtel du Lac', 'Pay €508.90 with your phone.'];
    expect(said.filter((words) => !page.includes(words))).toEqual([]);
    expect(page).not.toContain('Reverse charge:');
    const drafted = await desk.run(
      (env) => env.model('invoice.invoice').call([id], 'credit', { reason: 'Lamp' }),
      desk.clerk,
    );
    const note = Number(new URL((drafted as { redirect: string }).redirect, 'http://x').searchParams.get('id'));
    await desk.run((env) => env.model('invoice.invoice').call([note], 'post'), desk.clerk);
    const credit = await pageOf(note);
    for (const words of ['Refund', `In place of ${name},`]) expect(credit).toContain(words);
    await expect(change('invoice.exempt_print', ' ')).rejects.toThrow('Write a text');
    await desk.run((env) => env.model('sys.text.edit').unlink(edits));
    await expect(change('invoice.invoice_title', 'Invoice')).rejects.toThrow('The text must contain {number}');
  });

  it('INV-33 has a payment code that banking apps read, for euros with an IBAN alone', async () => {
    const id = await postInvoice(desk);
    const { name } = await look(desk, 'invoice.invoice', id, 'name');
    const invoice = await desk.run((env) => loadInvoice(env, id), desk.clerk);
    expect(paymentCode(invoice)).toBe(
      [
        'BCD',
        '002',
        '1',
        'SCT',
        'COBADEFFXXX',
        'Nordlicht Trading',
        'DE89370400440532013000',
        'EUR584.00',
        '',
        '',
        name,
      ].join('\n'),
    );
    const without = [
      { ...invoice, type: 'credit' as const },
      { ...invoice, currency_id: { ...invoice.currency_id, name: 'USD' } },
      { ...invoice, company_id: { ...invoice.company_id, iban: '12345' } },
    ];
    for (const each of without) expect(paymentCode(each)).toBeNull();
  });

  it('INV-34 is archived as it was sent, with its hash: the same bytes ever after, which nobody changes or deletes', async () => {
    const id = await postInvoice(desk);
    const first = await print(id);
    await desk.run((env) => env.model('core.company').write([desk.admin.companyId as number], { phone: '040 1' }));
    expect(await print(id)).toEqual(first);
    await desk.run(
      (env) => env.model('invoice.invoice').call([id], 'send', { recipient: 'a@example.com' }),
      desk.clerk,
    );
    const [sent, printed] = (await documentsOf(id)).toSorted((a, b) => b.id - a.id);
    expect([sent?.data === printed?.data, sent?.recipient, printed?.recipient]).toEqual([true, 'a@example.com', null]);
    const hash = createHash('sha256')
      .update(Buffer.from(sent?.data ?? '', 'base64'))
      .digest('hex');
    expect(sent?.sha256).toBe(hash);
    const document = sent?.id ?? 0;
    const data = Buffer.from('x').toString('base64');
    for (const actor of [desk.clerk, desk.manager, desk.admin]) {
      const ways = [
        desk.run((env) => env.model('invoice.document').write([document], { data }), actor),
        desk.run((env) => env.model('invoice.document').unlink([document]), actor),
        desk.run(
          (env) => env.model('invoice.document').create({ invoice_id: id, name: 'x', data, sha256: 'x' }),
          actor,
        ),
      ].map(refusal);
      for (const way of ways) expect((await way).code).toMatch(/ACCESS_DENIED|USER_ERROR/);
    }
    const asServer = [
      desk.run((env) => env.sudo().model('invoice.document').write([document], { data })),
      desk.run((env) => env.sudo().model('invoice.document').unlink([document])),
    ].map(refusal);
    for (const way of asServer) expect((await way).message).toContain('stays as it was');
  });

  it('INV-35 is mailed in the customer’s language, answers go to the person responsible', async () => {
    const partner_id = await desk.run((env) =>
      env.model('core.partner').create({ name: 'Hafenkante GmbH', email: 'post@hafenkante.example', lang: 'de_DE' }),
    );
    const id = await postInvoice(desk, { partner_id });
    await desk.run((env) => env.model('invoice.invoice').call([id], 'send'), desk.clerk);
    const { name } = await look(desk, 'invoice.invoice', id, 'name');
    const mail = await vi.waitFor(() => {
      const found = server.accepted.find((each) => each.includes('To: post@hafenkante.example'));
      if (found === undefined) throw new Error('There is no mail.');
      return found;
    }, waiting);
    expect(mail).toContain(`Subject: Rechnung ${name} von Nordlicht Trading`);
    expect(mail).toContain('Reply-To: clara@nordlicht.example');
    expect(mail).toContain(`name=${name}.pdf`);
  });

  it('OUM-23 answers to a mailed invoice are filed on it where there is a mailbox', async () => {
    await desk.run((env) =>
      env.sudo().model('mail.mailbox').create({ name: 'Office', address: 'office@nordlicht.example' }),
    );
    const partner_id = await desk.run((env) =>
      env.model('core.partner').create({ name: 'Elbufer', email: 'post@elbufer.example' }),
    );
    const id = await postInvoice(desk, { partner_id });
    await desk.run((env) => env.model('invoice.invoice').call([id], 'send'), desk.clerk);
    const mail = await vi.waitFor(() => {
      const found = server.accepted.find((each) => each.includes('To: post@elbufer.example'));
      if (found === undefined) throw new Error('There is no mail.');
      return found;
    }, waiting);
    expect(mail).toMatch(/^Reply-To: office\+[0-9a-z]+-[0-9a-f]{20}@nordlicht\.example/m);
    const [, key] = /^Message-ID: <([^@>]+)@/m.exec(mail) ?? [];
    const found = await desk.run((env) =>
      env
        .sudo()
        .model('mail.message')
        .searchRead([['message_ref', '=', key ?? '']], ['model', 'res_id']),
    );
    expect(found).toMatchObject([{ model: 'invoice.invoice', res_id: id }]);
  });

  it('INV-36 a draft is printed as one and not sent; who may not read an invoice gets no document', async () => {
    const draft = await makeInvoice(desk);
    expect(await print(draft)).toEqual({ redirect: `/web/invoice/draft/${draft}.pdf` });
    expect(await documentsOf(draft)).toEqual([]);
    const send = desk.run((env) => env.model('invoice.invoice').call([draft], 'send'), desk.clerk);
    expect((await refusal(send)).message).toContain('Post the invoice first');
    const id = await postInvoice(desk);
    await print(id);
    const [document] = await documentsOf(id);
    const read = desk.run((env) => env.model('invoice.document').read([document?.id ?? 0], ['data']), desk.seller);
    expect((await refusal(read)).code).toBe('ACCESS_DENIED');
    const bad = desk.run((env) => env.model('invoice.invoice').call([id], 'send', { recipient: 'nobody' }), desk.clerk);
    expect((await refusal(bad)).code).toBe('VALIDATION_ERROR');
  });
});
