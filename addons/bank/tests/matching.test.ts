import { Decimal } from '@kontor/addon';
import { long } from '@kontor/testing/long';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { confirmCertain, suggestionsFor } from '../match/confirm.ts';
import { loadEntries } from '../match/matched.ts';
import { type Counter, due, entriesOf, entry, openCounter, owed, refusal } from './counter.ts';
import type { Line } from './files.ts';

let counter: Counter;
beforeAll(async () => {
  counter = await openCounter();
});
afterAll(() => counter.close());

const payer = 'DE02120300000000202051';
const suggested = async (id: number) => {
  const found = await counter.run(async (env) => suggestionsFor(env, await loadEntries(env, [id])), counter.clerk);
  return (found.get(id) ?? []).map(({ level, invoices, reasons }) => ({
    ...{ level, invoices: invoices.map(({ name }) => name) },
    words: reasons.map((each) => String(each.english)),
  }));
};
const best = async (line: Line) => {
  const [id = 0] = await entriesOf(counter, line);
  return { id, found: (await suggested(id))[0] ?? null };
};
const confirm = (id: number, invoices: readonly number[] = [], more: object = {}, actor = counter.clerk) =>
  counter.run((env) => env.model('bank.entry').call([id], 'confirm', { invoice_ids: [...invoices], ...more }), actor);
const newCustomer = (name: string) =>
  counter.run((env) => env.model('core.partner').create({ name, is_company: true }));

describe('suggestions', () => {
  it('BNK-10 an invoice that the text names, however it is written, with exactly what is due is certain', async () => {
    const { name } = await owed(counter, '119.00');
    const [word = '', year = '', number = ''] = name.split('-');
    for (const text of [
      `Rechnung ${name}`,
      name.toLowerCase(),
      `${word} ${year}/${number}`,
      `${word}-${year}-${number.slice(0, 2)} ${number.slice(2)} danke`,
    ]) {
      expect((await best({ amount: '119.00', text })).found, text).toMatchObject({
        level: 'certain',
        invoices: [name],
      });
    }
    const { found } = await best({ amount: '119.00', text: name });
    expect(found?.words).toEqual(['The text names {numbers}.', 'The amount is exactly what is due.']);
    expect((await best({ amount: '119.00', text: `Invoice${year}${number}` })).found?.invoices).toEqual([name]);
  });

  it('BNK-10 a creditor reference with right check digits names an invoice', async () => {
    const { name } = await owed(counter, '61.00');
    const body = name.replaceAll('-', '');
    const digits = [...`${body}RF00`].map((sign) => Number.parseInt(sign, 36)).join('');
    const check = String(98n - (BigInt(digits) % 97n)).padStart(2, '0');
    expect((await best({ amount: '61.00', reference: `RF${check}${body}` })).found).toMatchObject({
      level: 'certain',
      invoices: [name],
    });
    const wrong = check === '11' ? '12' : '11';
    const { found } = await best({ amount: '60.99', reference: `RF${wrong}${body}` });
    expect(found?.words ?? []).not.toContain('The creditor reference names {numbers}.');
  });

  it('BNK-11 several invoices by one payment, less a credit note, in part, and too much', async () => {
    const customer = await newCustomer('Several AG');
    const [one, two, three] = [
      await owed(counter, '100.00', { partner_id: customer }),
      await owed(counter, '23.00', { partner_id: customer }),
      await owed(counter, '40.00', { partner_id: customer }),
    ];
    const both = `${one.name} ${two.name}`;
    expect((await best({ amount: '123.00', text: both })).found).toMatchObject({
      level: 'certain',
      invoices: [one.name, two.name],
    });
    expect((await best({ amount: '60.00', text: one.name })).found).toMatchObject({
      level: 'likely',
      invoices: [one.name],
    });
    expect((await best({ amount: '110.00', text: one.name })).found).toMatchObject({
      level: 'likely',
      invoices: [one.name],
    });
    // The rest is exactly another invoice of the customer.
    expect((await best({ amount: '140.00', text: one.name })).found).toMatchObject({
      level: 'likely',
      invoices: [one.name, three.name],
    });
  });

  long(
    'BNK-11 a credit note that is left over is taken off the next invoice, and comes back when the entry is reopened',
    async () => {
      const customer = await newCustomer('Credited AG');
      const paid = await owed(counter, '50.00', { partner_id: customer });
      const open = await owed(counter, '123.00', { partner_id: customer });
      const [first = 0] = await entriesOf(counter, { amount: '50.00', text: paid.name });
      await confirm(first, [paid.id]);
      const note = await counter.run(async (env) => {
        const invoices = env.model('invoice.invoice');
        await invoices.call([paid.id], 'credit', { reason: 'Broken' });
        const [id = 0] = await invoices.search([['reversed_id', '=', paid.id]]);
        await invoices.call([id], 'post');
        const [row] = await invoices.read([id], ['name']);
        return { id, name: row?.name ?? '' };
      }, counter.clerk);
      expect(await due(counter, note.id)).toBe('50');
      const { id, found } = await best({ amount: '73.00', text: `${open.name} ${note.name}` });
      expect(found?.invoices).toEqual([open.name, note.name]);
      await confirm(id, [open.id, note.id]);
      expect([await due(counter, open.id), await due(counter, note.id)]).toEqual(['0', '0']);
      await counter.run((env) => env.model('bank.entry').call([id], 'reopen'), counter.clerk);
      expect([await due(counter, open.id), await due(counter, note.id)]).toEqual(['123', '50']);
    },
  );

  it('BNK-12 a known account or name with exactly what is due; equal amounts and strangers are not certain', async () => {
    const customer = await newCustomer('Müller & Söhne GmbH');
    const { id: first, name } = await owed(counter, '77.10', { partner_id: customer });
    const named = await best({ amount: '77.10', party: 'MUELLER UND SOEHNE', iban: payer });
    expect(named.found).toMatchObject({ level: 'likely', invoices: [name] });
    await confirm(named.id, [first]);
    const again = await owed(counter, '78.20', { partner_id: customer });
    expect((await best({ amount: '78.20', party: 'Somebody', iban: payer })).found).toMatchObject({
      level: 'certain',
      invoices: [again.name],
    });
    const same = await owed(counter, '78.20', { partner_id: customer });
    expect((await best({ amount: '78.20', iban: payer })).found).toMatchObject({
      level: 'likely',
      invoices: [again.name],
    });
    // Somebody else's account pays: a person looks at it.
    const other = await owed(counter, '79.30');
    expect((await best({ amount: '79.30', text: other.name, iban: payer })).found?.level).toBe('likely');
    expect((await best({ amount: '156.40', iban: payer })).found).toMatchObject({
      level: 'likely',
      invoices: [again.name, same.name],
    });
    expect((await best({ amount: '4711.11' })).found).toBeNull();
  });

  it('BNK-13 two entries for one invoice are not both certain', async () => {
    const { id: invoice, name } = await owed(counter, '55.00');
    const ids = await entriesOf(
      counter,
      { amount: '55.00', text: name },
      { amount: '55.00', text: name, party: 'Again' },
    );
    const found = await counter.run(async (env) => suggestionsFor(env, await loadEntries(env, ids)));
    expect(ids.map((id) => found.get(id)?.[0]?.level)).toEqual(['certain', 'possible']);
    const done = await counter.run((env) => confirmCertain(env, ids), counter.clerk);
    expect(done).toEqual({ confirmed: [ids[0]], problems: [] });
    expect(await due(counter, invoice)).toBe('0');
  });

  it('BNK-14 money that goes out settles credit notes, and a returned payment is nobody’s', async () => {
    const customer = await newCustomer('Credit SA');
    const { id, name } = await owed(counter, '30.00', { partner_id: customer });
    const [entryId = 0] = await entriesOf(counter, { amount: '30.00', text: name });
    await confirm(entryId);
    const note = await counter.run(async (env) => {
      await env.model('invoice.invoice').call([id], 'credit', { reason: 'Broken' });
      const [found = 0] = await env.model('invoice.invoice').search([['reversed_id', '=', id]]);
      await env.model('invoice.invoice').call([found], 'post');
      const [row] = await env.model('invoice.invoice').read([found], ['name']);
      return { id: found, name: row?.name ?? '' };
    }, counter.clerk);
    const refund = await best({ amount: '-30.00', text: note.name });
    expect(refund.found).toMatchObject({ level: 'certain', invoices: [note.name] });
    await confirm(refund.id);
    expect(await due(counter, note.id)).toBe('0');
    const back = await best({ amount: '-30.00', text: name, more: '<RvslInd>true</RvslInd>' });
    expect(back.found).toBeNull();
  });
});

describe('confirming', () => {
  it('BNK-15 makes the payment and settles the invoices in their order; what is left over is credit', async () => {
    const [first, second] = [await owed(counter, '20.00'), await owed(counter, '30.00')];
    const [id = 0] = await entriesOf(counter, { amount: '45.00', text: 'Both' });
    await confirm(id, [second.id, first.id]);
    expect([await due(counter, second.id), await due(counter, first.id)]).toEqual(['0', '5']);
    const { state, partner_id, payment_ids } = await entry(counter, id);
    expect([state, partner_id, payment_ids.length]).toEqual(['matched', counter.ids.ada, 1]);
    const [over = 0] = await entriesOf(counter, { amount: '9.00', text: 'Over' });
    await confirm(over, [first.id]);
    const [payment] = await counter.run(async (env) =>
      env
        .model('invoice.payment')
        .searchRead([['bank_entry_id', '=', over]], ['amount', 'amount_left', 'date', 'reference']),
    );
    expect(payment).toMatchObject({ date: '2026-11-05', reference: 'Over' });
    expect([payment?.amount.toFixed(), payment?.amount_left.toFixed()]).toEqual(['9', '4']);
    // It is matched already: nothing more is paid.
    await confirm(id, [first.id]);
    expect((await entry(counter, id)).payment_ids).toHaveLength(1);
    const [advance = 0] = await entriesOf(counter, { amount: '12.00' });
    await confirm(advance, [], { partner_id: counter.ids.bob });
    expect((await entry(counter, advance)).partner_id).toBe(counter.ids.bob);
  });

  it('BNK-15 for several customers makes a payment for each', async () => {
    const [hers, his] = [await owed(counter, '10.00'), await owed(counter, '15.00', { partner_id: counter.ids.bob })];
    const [id = 0] = await entriesOf(counter, { amount: '25.00', party: 'Group', iban: 'DE12500105170648489890' });
    await confirm(id, [hers.id, his.id]);
    expect([await due(counter, hers.id), await due(counter, his.id)]).toEqual(['0', '0']);
    expect((await entry(counter, id)).payment_ids).toHaveLength(2);
    const learned = await counter.run((env) => env.model('bank.payer').count([['entry_id', '=', id]]));
    expect(learned).toBe(0);
  });

  it('BNK-16 in another currency settles what the amount comes to', async () => {
    const { id: invoice, name } = await owed(counter, '110.00', { currency_id: counter.ids.dollar });
    const near = await best({ amount: '99.20', text: name });
    expect(near.found).toMatchObject({ level: 'likely', invoices: [name] });
    await confirm(near.id, [invoice]);
    expect(await due(counter, invoice)).toBe('0');
    const part = await owed(counter, '110.00', { currency_id: counter.ids.dollar });
    const [id = 0] = await entriesOf(counter, { amount: '50.00' });
    await confirm(id, [part.id]);
    expect(await due(counter, part.id)).toBe('55');
  });

  it('BNK-17 is undone whole: the entry is open, payments are undone, what was learned is forgotten', async () => {
    const { id: invoice, name } = await owed(counter, '33.00', { partner_id: counter.ids.bob });
    const line = { amount: '33.00', text: name, iban: 'DE75512108001245126199' };
    const [id = 0] = await entriesOf(counter, line);
    await confirm(id);
    const learned = () => counter.run((env) => env.model('bank.payer').count([['iban', '=', line.iban]]));
    expect([await due(counter, invoice), await learned()]).toEqual(['0', 1]);
    await counter.run((env) => env.model('bank.entry').call([id], 'reopen'), counter.clerk);
    expect([await due(counter, invoice), await learned(), (await entry(counter, id)).state]).toEqual(['33', 0, 'open']);
    await confirm(id);
    // Whoever undoes the payment opens the entry too.
    const [payment = 0] = await counter.run((env) =>
      env.model('invoice.payment').search([
        ['bank_entry_id', '=', id],
        ['state', '=', 'posted'],
      ]),
    );
    await counter.run((env) => env.model('invoice.payment').call([payment], 'undo'), counter.clerk);
    expect([await due(counter, invoice), (await entry(counter, id)).state]).toEqual(['33', 'open']);
  });

  it('BNK-18 an entry is set aside with a reason and comes back', async () => {
    const ids = await entriesOf(counter, { amount: '-3.50' }, { amount: '-4.50' });
    const call = (name: 'set_aside' | 'reopen', answers: object = {}) =>
      counter.run((env) => env.model('bank.entry').call(ids, name as 'set_aside', answers as never), counter.clerk);
    expect((await refusal(call('set_aside'))).code).toBe('VALIDATION_ERROR');
    await call('set_aside', { reason: 'fee', note: 'November' });
    expect(await entry(counter, ids[1] as number)).toMatchObject({ state: 'aside', reason: 'fee', note: 'November' });
    await call('reopen');
    expect(await entry(counter, ids[1] as number)).toMatchObject({ state: 'open', reason: null, note: null });
  });

  it('BNK-19 by two people at once counts once', async () => {
    const { id: invoice, name } = await owed(counter, '64.00');
    const [id = 0] = await entriesOf(counter, { amount: '64.00', text: name });
    const outcomes = await Promise.all(
      [1, 2, 3].map(() =>
        confirm(id, [invoice]).then(
          () => 'ok',
          () => 'no',
        ),
      ),
    );
    expect(outcomes).toContain('ok');
    expect(await due(counter, invoice)).toBe('0');
    const payments = await counter.run((env) => env.model('invoice.payment').count([['bank_entry_id', '=', id]]));
    expect(payments).toBe(1);
  });

  it('BNK-19 refuses what is paid, of another kind, of another company or no certain match', async () => {
    const { id: paid, name } = await owed(counter, '5.00');
    const [first = 0, second = 0, out = 0] = await entriesOf(
      counter,
      { amount: '5.00', text: name },
      { amount: '5.00' },
      { amount: '-5.00' },
    );
    await confirm(first);
    expect((await refusal(confirm(second, [paid]))).message).toContain('paid already');
    const { id: open } = await owed(counter, '6.00');
    expect((await refusal(confirm(out, [open]))).message).toContain('credit notes');
    expect((await refusal(confirm(second))).message).toContain('no certain match');
    expect((await refusal(confirm(second, [open], {}, counter.seller))).code).toBe('ACCESS_DENIED');
    expect(await due(counter, open)).toBe('6');
  });

  it('BNK-20 never settles more than is due or was paid, for any payments', async () => {
    let seed = 20_261_105;
    const random = (most: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      return seed % most;
    };
    const invoices: { id: number; amount: Decimal }[] = [];
    for (let at = 0; at < 8; at++) {
      const amount = new Decimal(100 + random(20_000)).div(100);
      const values = at % 3 === 0 ? { currency_id: counter.ids.dollar } : {};
      invoices.push({ id: (await owed(counter, amount.toFixed(2), values)).id, amount });
    }
    const ids = await entriesOf(
      counter,
      ...Array.from({ length: 12 }, (_, at) => ({ amount: (1 + random(25_000) / 100).toFixed(2), party: `P${at}` })),
    );
    for (const id of ids) {
      const chosen = invoices.filter(() => random(3) === 0).map((each) => each.id);
      await confirm(id, chosen).catch((error: { code?: string }) => {
        expect(error.code).toBe('USER_ERROR');
      });
    }
    for (const { id, amount } of invoices) {
      const left = new Decimal(await due(counter, id));
      expect(left.gte(0) && left.lte(amount), `${left.toFixed()} of ${amount.toFixed()}`).toBe(true);
    }
    const payments = await counter.run((env) =>
      env
        .model('invoice.payment')
        .searchRead([['bank_entry_id', 'in', ids]], ['amount', 'amount_left', 'bank_entry_id']),
    );
    expect(payments.length).toBeGreaterThan(3);
    for (const { amount, amount_left: left, bank_entry_id: from } of payments) {
      expect(left.gte(0) && left.lte(amount)).toBe(true);
      const sum = payments
        .filter((each) => each.bank_entry_id === from)
        .reduce((total, each) => total.plus(each.amount), new Decimal(0));
      expect(sum.toFixed()).toBe((await entry(counter, from as number)).amount.toFixed());
    }
  });
});
