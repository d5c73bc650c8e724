import { inflateSync } from 'node:zlib';
import type { Env, RouteRequest } from '@kontor/addon';
import { pdfPages } from '@kontor/testing';
import { long } from '@kontor/testing/long';
import fc from 'fast-check';
import { XmlDocument } from 'libxml2-wasm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PrintedInvoice } from '../document/load-invoice.ts';
import { showDocument } from '../document/routes.ts';
import { crossIndustryInvoice } from '../electronic/cross-industry-invoice.ts';
import { missingFacts } from '../electronic/missing-facts.ts';
import { type Desk, look, openDesk, postInvoice, refusal } from './desk.ts';
import { type Checker, line, openChecker, printed } from './electronic-checks.ts';

let checker: Checker;
const check = (xml: string) => checker.check(xml);
let desk: Desk;
beforeAll(async () => {
  checker = openChecker();
  desk = await openDesk();
  await desk.run(async (env) => {
    const [germany = 0] = await env.model('core.country').search([['code', '=', 'DE']]);
    const [france = 0] = await env.model('core.country').search([['code', '=', 'FR']]);
    const company = await env.ref('base.main_company');
    await env.model('core.company').write([company], {
      ...{ name: 'Nordlicht & Söhne <GmbH>', street: 'Kai 3', zip: '20457', city: 'Hamburg', country_id: germany },
      ...{ vat: 'DE 123456789', iban: 'DE02 1203 0000 0000 2020 51', bic: 'BYLADEM1001' },
    });
    await env.model('core.partner').write([desk.ids.customer], { country_id: france });
  });
});
afterAll(async () => {
  checker.close();
  await desk.close();
});

describe('the data of an invoice', () => {
  long('INV-50 agrees with the published schema and the business rules of EN 16931, for any lines and rates', () => {
    const treatment = fc.constantFrom('normal', 'reverse', 'export', 'exempt');
    const rounding = fc.constantFrom('line', 'document');
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 8 }), treatment, rounding, (lines, kind, mode) => {
        for (const profile of ['factur-x', 'xrechnung'] as const) {
          expect(check(crossIndustryInvoice(printed(lines, kind, mode), profile))).toEqual([]);
        }
      }),
    );
  });

  it('INV-50 needs the VAT id of the company for an export (BR-G-02), and not for an exempt sale', () => {
    const lines = [{ name: 'Desk', quantity: 1, price: 100, discount: 0, percent: 0, isInside: false }] as const;
    const missing = (kind: string) => {
      const invoice = printed(lines, kind, 'line');
      const company = { ...invoice.company_id, vat: null, tax_number: '22/123/45678' };
      return missingFacts({ ...invoice, company_id: company } as PrintedInvoice, 'factur-x').map(String);
    };
    expect(missing('export')).toEqual(['the VAT id of your company, for an export']);
    expect(missing('exempt')).toEqual([]);
  });

  it('INV-50 is refused by schema and rules if it is wrong', () => {
    const good = crossIndustryInvoice(
      printed(
        [{ name: 'Desk', quantity: 1000, price: 1_000_000, discount: 0, percent: 19, isInside: false }],
        'normal',
      ),
      'factur-x',
    );
    expect(check(good)).toEqual([]);
    expect(() => check(good.replace('<ram:TypeCode>380</ram:TypeCode>', ''))).toThrow('not expected');
    expect(() => check(good.replace('ram:LineID>', 'ram:Number>').replace('/ram:LineID>', '/ram:Number>'))).toThrow(
      'not expected',
    );
    expect(check(good.replace('100.00</ram:BasisAmount>', '100.01</ram:BasisAmount>'))).toEqual(['S 8']);
    expect(check(good.replace('<ram:GrandTotalAmount>119.00', '<ram:GrandTotalAmount>119.01'))).toEqual([
      'CO 15',
      'CO 16',
    ]);
  });
});

const print = async (id: number) => {
  await desk.run((env) => env.model('invoice.invoice').call([id], 'print'), desk.clerk);
  const [row] = await desk.run((env) =>
    env.model('invoice.document').searchRead([['invoice_id', '=', id]], ['data'], { order: '-id', limit: 1 }),
  );
  return Buffer.from(row?.data ?? '', 'base64');
};

/** The content of the file inside a PDF. */
function carriedFile(pdf: Buffer): string | null {
  const at = pdf.indexOf('/Type /EmbeddedFile');
  if (at < 0) return null;
  const from = pdf.indexOf('stream\n', at) + 'stream\n'.length;
  return inflateSync(pdf.subarray(from, pdf.indexOf('\nendstream', from))).toString();
}

describe('a posted invoice', () => {
  it('INV-51 carries its data in a PDF/A-3, with metadata that says so', async () => {
    const id = await postInvoice(desk, { delivery_date: '2026-11-01', tax_position_id: null });
    const pdf = await print(id);
    const xml = carriedFile(pdf) ?? '';
    expect(check(xml)).toEqual([]);
    const { name } = await look(desk, 'invoice.invoice', id, 'name');
    expect(xml).toContain(`<ram:ID>${String(name)}</ram:ID>`);
    expect(xml).toContain('<ram:GrandTotalAmount>584.00');
    const text = pdf.toString('latin1');
    expect(text).toMatch(/^%PDF-1\.7/);
    for (const part of [
      '/AFRelationship /Alternative',
      '(factur-x.xml)',
      '/GTS_PDFA1',
      '/Subtype /text#2Fxml',
      '/AF [',
    ]) {
      expect(text, part).toContain(part);
    }
    const [, metadata = ''] = /(<x:xmpmeta[\s\S]*<\/x:xmpmeta>)/.exec(pdf.toString('utf8')) ?? [];
    const document = XmlDocument.fromString(metadata);
    for (const words of ['Nordlicht & Söhne <GmbH>', 'factur-x.xml', 'EN 16931', 'Factur-X PDFA Extension Schema']) {
      expect(document.root.content, words).toContain(words);
    }
    expect(metadata).toMatch(/<pdfaid:part>3<\/pdfaid:part>\s*<pdfaid:conformance>B<\/pdfaid:conformance>/);
    document.dispose();
    expect(pdfPages(pdf).join(' ')).toContain(String(name));
  });

  it('INV-51 has no data if the standard cannot express it: several taxes on a line, an unknown country', async () => {
    const taxes = [['set', [desk.ids.vat, desk.ids.reduced]]];
    const twice = await postInvoice(desk, {
      tax_position_id: null,
      line_ids: [['create', { name: 'Work', price_unit: '10', tax_ids: taxes }]],
    });
    expect(carriedFile(await print(twice))).toBeNull();
    const stranger = await desk.run((env) => env.model('core.partner').create({ name: 'Nowhere' }));
    expect(carriedFile(await print(await postInvoice(desk, { partner_id: stranger })))).toBeNull();
  });

  it('INV-52 is downloaded as an XRechnung, archived, if nothing is missing; a credit note names its invoice', async () => {
    const download = (id: number, actor = desk.clerk) =>
      desk.run((env) => env.model('invoice.invoice').call([id], 'xrechnung'), actor);
    const id = await postInvoice(desk);
    expect((await refusal(download(id))).message).toContain(
      "An XRechnung also needs: the customer's buyer reference (Leitweg-ID), the phone number of your company",
    );
    await desk.run(async (env) => {
      const company = await env.ref('base.main_company');
      await env.model('core.company').write([company], { phone: '+49 40 1', email: 'post@nordlicht.example' });
      await env.model('core.partner').write([desk.ids.customer], { buyer_reference: '04011000-1234512345-06' });
    });
    const second = await postInvoice(desk);
    await download(second);
    const answer = await desk.run(
      (env) => env.model('invoice.invoice').call([second], 'credit', { reason: 'Broken' }),
      desk.clerk,
    );
    const note = Number(new URL((answer as { redirect: string }).redirect, 'http://x').searchParams.get('id'));
    await desk.run((env) => env.model('invoice.invoice').call([note], 'post'), desk.clerk);
    await download(note);
    await download(note);
    const kept = await desk.run((env) =>
      env
        .model('invoice.document')
        .searchRead([['kind', '=', 'xrechnung']], ['mimetype', 'name', 'invoice_id'], { order: 'id' }),
    );
    expect(kept.map((row) => [row.invoice_id, row.mimetype])).toEqual([
      [second, 'application/xml'],
      [note, 'application/xml'],
    ]);
    const show = (env: Env, document: number) =>
      showDocument({ env, params: { id: `${document}` } } as unknown as RouteRequest);
    const { body, headers } = await desk.run((env) => show(env, kept[1]?.id ?? 0), desk.clerk);
    expect(headers['content-disposition']).toMatch(/^attachment; filename="CN-\d{4}-0001\.xml"$/);
    const xml = body.toString();
    expect(check(xml)).toEqual([]);
    const { name } = await look(desk, 'invoice.invoice', second, 'name');
    for (const part of [
      'xrechnung_3.0',
      '<ram:TypeCode>381<',
      `<ram:IssuerAssignedID>${String(name)}<`,
      '04011000-1234512345-06',
    ]) {
      expect(xml, part).toContain(part);
    }
    expect((await refusal(desk.run((env) => show(env, kept[1]?.id ?? 0), desk.seller))).code).toBe('ACCESS_DENIED');
  });

  it('INV-63 has the tax in the currency of the company, where the invoice is in another one (BT-111)', async () => {
    const euro = await desk.run(async (env) => {
      const [eur, usd] = [await env.ref('base.EUR'), await env.ref('base.USD')];
      await env.model('core.currency').write([eur], { rate: '1', active: true });
      await env.model('core.currency').write([usd], { rate: '1.25' });
      return eur;
    });
    const line_ids = [['create', { name: 'Work', price_unit: '100', tax_ids: [['set', [desk.ids.vat]]] }]];
    const about = { currency_id: euro, delivery_date: '2026-11-01', tax_position_id: null };
    const pdf = await print(await postInvoice(desk, { ...about, line_ids }));
    expect(pdfPages(pdf).flat().join(' ')).toContain('Tax in USD: $23.75 (1 EUR = 1.25 USD)');
    const xml = carriedFile(pdf) ?? '';
    expect(check(xml)).toEqual([]);
    expect(xml).toContain('<ram:TaxCurrencyCode>USD</ram:TaxCurrencyCode><ram:InvoiceCurrencyCode>EUR');
    expect(xml).toContain('<ram:TaxTotalAmount currencyID="USD">23.75</ram:TaxTotalAmount>');
  });
});
