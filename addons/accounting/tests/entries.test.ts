import type { Env } from '@kontor/addon';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Books, credit, draft, openBooks, pay, post, postings, refusal } from './books.ts';

let books: Books;
beforeAll(async () => {
  books = await openBooks();
});
afterAll(() => books.close());

const entries = (env: Env) => env.model('accounting.entry');
const setRate = (rate: string) =>
  books.run((env) =>
    env
      .model('core.currency')
      .write([books.ids.dollar], { rate })
      .then(() => undefined),
  );

describe('an entry', () => {
  it('BKS-1 books an invoice: receivables to revenue for each set of taxes, and to each tax', async () => {
    const { vat, reduced } = books.ids;
    const id = await post(books, [
      ['100', [vat]],
      ['50', [reduced]],
      ['10', []],
      ['20', [vat]],
    ]);
    expect(await postings(books, 'invoice_id', id)).toEqual([
      '1400 8400 120.00',
      '1400 8300 50.00',
      '1400 8200 10.00',
      '1400 1776 22.80',
      '1400 1771 3.50',
    ]);
  });

  it('BKS-1 books invoices that are posted by a plain write, many at once, and a credit note the other way round', async () => {
    const ids = [await draft(books, [['100', [books.ids.vat]]]), await draft(books, [['10', []]])];
    await books.run((env) => env.model('invoice.invoice').write(ids, { state: 'posted' }), books.clerk);
    for (const id of ids) expect((await postings(books, 'invoice_id', id)).length).toBeGreaterThan(0);
    const [invoice = 0] = ids;
    const note = await books.run((env) => credit(env, invoice), books.clerk);
    expect(await postings(books, 'invoice_id', note)).toEqual(['8400 1400 100.00', '1776 1400 19.00']);
  });

  it('BKS-1 says which kind of sale has no tax', async () => {
    const id = await post(books, [['100', []]], { tax_treatment: 'reverse' });
    expect(await postings(books, 'invoice_id', id)).toEqual(['1400 8336 100.00']);
  });

  it('BKS-2 books a payment, and its undo by an entry that reverses it', async () => {
    const invoice = await post(books, [['100', []]]);
    const payment = await pay(books, invoice);
    expect(await postings(books, 'payment_id', payment)).toEqual(['1200 1400 100.00']);
    await books.run((env) => env.model('invoice.payment').call([payment], 'undo'), books.clerk);
    expect(await postings(books, 'payment_id', payment)).toEqual(['1200 1400 100.00', '1400 1200 100.00']);
    const cash = await pay(books, invoice, { method: 'cash' });
    expect(await postings(books, 'payment_id', cash)).toEqual(['1000 1400 100.00']);
  });

  it('BKS-4 has amounts in both currencies, and books the difference when the rate has changed', async () => {
    await setRate('1.10');
    const invoice = await post(books, [['110', []]], { currency_id: books.ids.dollar });
    await setRate('1.00');
    const payment = await pay(books, invoice, { amount: '50' });
    expect(await postings(books, 'payment_id', payment)).toEqual(['1200 1400 50.00', '1400 2660 4.55']);
    const rest = await pay(books, invoice, { amount: '60' });
    expect(await postings(books, 'payment_id', rest)).toEqual(['1200 1400 60.00', '1400 2660 5.45']);
    const [row] = await books.run((env) =>
      env
        .model('accounting.posting')
        .searchRead([['entry_id.invoice_id', '=', invoice]], ['amount', 'document_amount'], {
          order: 'id',
          limit: 1,
        }),
    );
    expect([String(row?.amount), String(row?.document_amount)]).toEqual(['100', '110']);
    await books.run((env) => env.model('invoice.payment').call([payment], 'undo'), books.clerk);
    expect(await postings(books, 'payment_id', payment)).toEqual([
      '1200 1400 50.00',
      '1400 2660 4.55',
      '2660 1400 4.55',
      '1400 1200 50.00',
    ]);
  });

  it('BKS-4 needs rates for a document in another currency', async () => {
    const id = await draft(books, [['10', []]], { currency_id: books.ids.dollar });
    await books.run((env) => env.model('core.currency').write([books.ids.dollar], { rate: null }));
    const posting = books.run((env) => env.model('invoice.invoice').call([id], 'post'), books.clerk);
    expect((await refusal(posting)).message).toContain('Enter the rates of USD and EUR first.');
    await setRate('1.10');
  });

  it('BKS-7 stays as it was booked, for everyone and for the server; only accountants read it, in their company', async () => {
    const invoice = await post(books, [['100', []]]);
    const [entry = 0] = await books.run((env) => entries(env).search([['invoice_id', '=', invoice]]));
    for (const way of [
      (env: Env) => entries(env).write([entry], { date: '2020-01-01' }),
      (env: Env) => entries(env).unlink([entry]),
      (env: Env) => env.model('accounting.posting').write([1], { amount: '1' }),
      (env: Env) => env.model('accounting.posting').unlink([1]),
    ]) {
      expect((await refusal(books.run(way, books.manager))).code).toBe('ACCESS_DENIED');
      expect((await refusal(books.run((env) => way(env.sudo())))).message).toContain(
        'Entries stay as they were booked',
      );
    }
    const theirs = books.run((env) => entries(env).search([]), books.clerk);
    expect((await refusal(theirs)).code).toBe('ACCESS_DENIED');
    const other = await books.run((env) =>
      env.model('core.company').create({ name: 'Elsewhere', currency_id: books.ids.dollar }),
    );
    const stranger = await books.person('Ella Elsewhere', ['accounting.group_manager'], { company_id: other });
    expect(await books.run((env) => entries(env).search([]), stranger)).toEqual([]);
    expect(await books.run((env) => env.model('accounting.account').count([['code', '=', '1400']]), stranger)).toBe(0);
  });

  it('BKS-7 follows its customer when contacts are merged', async () => {
    const { customer: keep } = books.ids;
    const gone = await books.run((env) => env.model('core.partner').create({ name: 'Hotel Lac' }));
    const invoice = await post(books, [['100', []]], { partner_id: gone });
    await books.run((env) => env.model('core.partner').call([keep, gone], 'merge', { keep: String(keep) } as never));
    const [entry] = await books.run((env) =>
      entries(env).searchRead([['invoice_id', '=', invoice]], ['partner_id', { posting_ids: ['partner_id'] }] as never),
    );
    expect(entry).toMatchObject({ partner_id: keep, posting_ids: [{ partner_id: keep }] });
  });

  it('BKS-8 needs an account of the company; a company has those of its country, named in its language', async () => {
    const codes = await books.run(async (env) => {
      const [france = 0] = await env.model('core.country').search([['code', '=', 'FR']]);
      const company = await env.model('core.company').create({ name: 'Lumière', country_id: france, lang: 'fr_FR' });
      return env
        .sudo()
        .model('accounting.account')
        .searchRead([['company_id', '=', company]], ['code', 'name', 'kind'], { order: 'code' });
    });
    expect(codes.find((row) => row.kind === 'receivable')).toMatchObject({ code: '411000', name: 'Clients' });
    await books.run((env) =>
      env
        .model('accounting.account')
        .search([['kind', '=', 'bank']])
        .then((ids) => env.model('accounting.account').write(ids, { kind: 'other' })),
    );
    const invoice = await post(books, [['100', []]]);
    expect((await refusal(pay(books, invoice))).message).toContain('Accounting needs an account for Bank.');
  });
});
