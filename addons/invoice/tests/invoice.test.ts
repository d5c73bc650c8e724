import type { Env } from '@kontor/addon';
import { createDatabase, sql } from '@kontor/database';
import { readUpload, stageImport } from '@kontor/exchange';
import { long } from '@kontor/testing/long';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Desk, look, makeInvoice, openDesk, postInvoice, refusal } from './desk.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk.close());

const [inv, cn] = ['INV', 'CN'];
const invoices = (env: Env) => env.model('invoice.invoice');
const linesOf = async (id: number) => (await look(desk, 'invoice.invoice', id, 'line_ids')).line_ids as number[];
const credit = async (id: number, reason = 'Broken') => {
  const answer = await desk.run((env) => invoices(env).call([id], 'credit', { reason }), desk.clerk);
  return Number(new URL((answer as { redirect: string }).redirect, 'http://x').searchParams.get('id'));
};
const post = (id: number, actor = desk.clerk) => desk.run((env) => invoices(env).call([id], 'post'), actor);

describe('a draft', () => {
  it('INV-1 takes address, terms, prices and taxes from customer, company and product', async () => {
    await desk.run((env) => env.model('core.partner').write([desk.ids.customer], { payment_days: 30 }));
    const id = await makeInvoice(desk, { invoice_date: '2026-10-26' });
    expect(
      await look(desk, 'invoice.invoice', id, 'name', 'state', 'due_date', 'address', 'vat', 'tax_treatment'),
    ).toMatchObject({
      name: null,
      state: 'draft',
      due_date: '2026-11-25',
      address: 'Hôtel du Lac SARL\nQuai 1\n74000 Annecy',
      vat: 'FR26481554209',
      tax_treatment: 'normal',
    });
  });

  it('INV-2 adds up lines and taxes as an order does, and says what each tax comes to', async () => {
    const id = await makeInvoice(desk);
    expect(
      await look(desk, 'invoice.invoice', id, 'amount_untaxed', 'amount_tax', 'amount_total', 'tax_sums'),
    ).toMatchObject({
      amount_untaxed: '508.9',
      amount_tax: '75.1',
      amount_total: '584',
      tax_sums: 'VAT 19 %: $329.00 → $62.51\nVAT 7 %: $179.90 → $12.59',
    });
    const [german] = await desk.work((env) =>
      env.sudo().inLanguage('de_DE').model('invoice.invoice').read([id], ['tax_sums']),
    );
    expect(german?.tax_sums).toContain('329,00\u00a0$ → 62,51\u00a0$');
  });

  it('INV-3 says why no tax is charged', async () => {
    const exempt = await desk.run(async (env) => {
      const [fr] = await env.model('core.country').search([['code', '=', 'FR']]);
      const [de] = await env.model('core.country').search([['code', '=', 'DE']]);
      await env.model('core.company').write([desk.admin.companyId as number], { country_id: de as number });
      return env
        .model('core.partner')
        .create({ name: 'Lac SA', tax_exempt: true, vat: 'FR40303265045', country_id: fr as number });
    });
    const id = await makeInvoice(desk, { partner_id: exempt });
    expect(await look(desk, 'invoice.invoice', id, 'tax_treatment', 'amount_tax')).toMatchObject({
      tax_treatment: 'reverse',
      amount_tax: '0',
    });
  });

  it('INV-4 is posted only with lines, and with a total that is not negative', async () => {
    const empty = await makeInvoice(desk, { line_ids: [] });
    expect((await refusal(post(empty))).message).toContain('Add a line first.');
    const negative = await makeInvoice(desk, { line_ids: [['create', { name: 'Back', quantity: -1, price_unit: 5 }]] });
    expect((await refusal(post(negative))).message).toContain('Create a credit note instead.');
    await desk.run((env) => invoices(env).call([empty], 'cancel'), desk.clerk);
    await desk.run((env) => invoices(env).unlink([empty]), desk.clerk);
  });
});

describe('a posted invoice', () => {
  it('INV-5 LAN-18 has a number of its company and the year of its date, whoever posts and however', async () => {
    const dated = (invoice_date: string) => postInvoice(desk, { invoice_date });
    const ids = [await dated('2024-05-01'), await dated('2025-01-01'), await dated('2024-12-31')];
    const written = await makeInvoice(desk, { invoice_date: '2025-06-01' });
    await desk.run((env) => invoices(env).write([written], { state: 'posted' }), desk.clerk);
    const names = await Promise.all([...ids, written].map((id) => look(desk, 'invoice.invoice', id, 'name')));
    expect(names.map(({ name }) => String(name).slice(4))).toEqual([
      '2024-0001',
      '2025-0001',
      '2024-0002',
      '2025-0002',
    ]);
    expect(await look(desk, 'invoice.invoice', written, 'posted_by_id')).toMatchObject({
      posted_by_id: desk.clerk.uid,
    });
  });

  long('INV-6 numbers have no gaps under twenty parallel posters, also when some fail', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => makeInvoice(desk, { invoice_date: '2023-03-03' })));
    const tries = ids.map((id, at) =>
      desk
        .run(async (env) => {
          await invoices(env).call([id], 'post');
          if (at % 4 === 0) throw new Error('The process died.');
        }, desk.clerk)
        .catch(() => null),
    );
    await Promise.all(tries);
    const read = () =>
      desk.run((env) => invoices(env).searchRead([['name', '=like', '%-2023-%']], ['name'], { order: 'name' }));
    expect((await read()).map(({ name }) => name)).toEqual(
      Array.from({ length: 15 }, (_, at) => `${inv}-2023-${String(at + 1).padStart(4, '0')}`),
    );
    const left = ids.filter((_, at) => at % 4 === 0);
    await desk.run((env) => invoices(env).call(left, 'post'), desk.clerk);
    expect((await read()).at(-1)).toMatchObject({ name: `${inv}-2023-0020` });
  });

  it('INV-6 a poster that is killed in the middle takes no number along', async () => {
    const watcher = createDatabase({ dsn: desk.dsn, maxConnections: 1 });
    try {
      const dated = () => makeInvoice(desk, { invoice_date: '2019-01-01' });
      const [first, killed, next] = [await dated(), await dated(), await dated()];
      await post(first);
      const died = desk.work(async (env) => {
        await env.model('invoice.invoice').call([killed], 'post');
        const [row] = await env.db.query<{ pid: number }>(sql`select pg_backend_pid() as pid`);
        await watcher.execute(sql`select pg_terminate_backend(${row?.pid ?? 0}::int4)`);
        await env.db.query(sql`select 1`);
      }, desk.clerk);
      await refusal(died);
      expect(await look(desk, 'invoice.invoice', killed, 'state', 'name')).toMatchObject({
        state: 'draft',
        name: null,
      });
      await post(next);
      expect(await look(desk, 'invoice.invoice', next, 'name')).toMatchObject({ name: `${inv}-2019-0002` });
    } finally {
      await watcher.close();
    }
  });

  it('INV-7 is locked with its lines on every way in, and cannot be deleted', async () => {
    const id = await postInvoice(desk, { invoice_date: '2022-02-02' });
    const [line = 0] = await linesOf(id);
    const locked = [
      { partner_id: desk.ids.customer + 1 },
      { invoice_date: '2022-02-03' },
      { due_date: '2030-01-01' },
      { note: 'Else' },
      { address: 'Elsewhere' },
      { currency_id: 1 },
      { type: 'credit' },
      { line_ids: [['update', line, { price_unit: '1' }]] },
      { line_ids: [['delete', line]] },
      { line_ids: [['create', { name: 'More', price_unit: '1' }]] },
      { state: 'draft' },
      { state: 'cancel' },
    ];
    for (const values of locked) {
      const change = (env: Env) => invoices(env).write([id], values as never);
      expect([values, (await refusal(desk.run(change, desk.manager))).code]).toEqual([values, 'USER_ERROR']);
    }
    const ways = [
      (env: Env) => env.model('invoice.line').write([line], { price_unit: '1' }),
      (env: Env) => env.model('invoice.line').unlink([line]),
      (env: Env) => env.model('invoice.line').create({ invoice_id: id, name: 'x', price_unit: 1 }),
      (env: Env) => invoices(env).unlink([id]),
    ];
    for (const way of ways) expect((await refusal(desk.run<unknown>(way, desk.manager))).code).toBe('USER_ERROR');
    const number = desk.work(
      (env) =>
        env
          .outside(true)
          .model('invoice.invoice')
          .write([id], { name: `${inv}-2022-9999` }),
      desk.manager,
    );
    expect((await refusal(number)).code).toBe('ACCESS_DENIED');
    const customer = desk.run((env) => env.model('core.partner').unlink([desk.ids.customer]));
    expect((await refusal(customer)).code).toBe('VALIDATION_ERROR');
    await desk.run((env) => invoices(env).write([id], { user_id: desk.manager.uid }), desk.clerk);
  });

  it('INV-7 refuses imported lines, and says why', async () => {
    const id = await postInvoice(desk);
    const file = await readUpload(Buffer.from(`invoice_id,name,price_unit\n${id},More,5\n`));
    const upload = {
      model: 'invoice.line',
      fileName: 'new.csv',
      fields: [],
      mode: 'create',
      next: null,
      file,
    } as const;
    const mapping = { invoice_id: 'invoice_id', name: 'name', price_unit: 'price_unit' };
    const column_mapping = JSON.stringify(mapping);
    const imported = desk.work(async (env) => {
      const batch = await stageImport(env, upload, () => []);
      await env.model('sys.bulk.import').call([batch], 'confirm_import', { column_mapping });
    }, desk.admin);
    expect((await refusal(imported)).message).toContain('cannot be imported');
    expect(await linesOf(id)).toHaveLength(2);
  });

  it('INV-8 LAN-20 is changed by no undo: not of its posting, nor of what was done before', async () => {
    const id = await makeInvoice(desk, { invoice_date: '2021-02-02' });
    const [line = 0] = await linesOf(id);
    const change = async (work: Parameters<Desk['kernel']['transact']>[1]) =>
      (await desk.kernel.transact(desk.clerk, work)).changeSet as number;
    const sets = [
      await change((env) => env.model('invoice.line').write([line], { price_unit: '300' })),
      await change((env) => env.model('invoice.line').create({ invoice_id: id, name: 'Extra', price_unit: '5' })),
      await change((env) => env.model('invoice.line').unlink([line])),
      await change((env) => env.model('invoice.invoice').write([id], { note: 'Thanks' })),
      await change((env) => env.model('invoice.invoice').call([id], 'post')),
    ];
    const before = await look(desk, 'invoice.invoice', id, 'amount_total', 'note', 'state', 'line_ids');
    for (const set of sets) {
      const undo = desk.work((env) => env.model('sys.change.set').call([set], 'revert'), desk.clerk);
      expect((await refusal(undo)).code).toMatch(/USER_ERROR|CONFLICT/);
    }
    expect(await look(desk, 'invoice.invoice', id, 'amount_total', 'note', 'state', 'line_ids')).toEqual(before);
  });

  it('INV-54 takes the rates of the day of delivery, and is not posted with others', async () => {
    const old = await desk.run(async (env) => {
      const next = await env.model('sale.tax').create({ name: 'VAT 21 %', percent: 21, date_start: '2026-07-01' });
      const ended = { name: 'VAT 18 %', percent: 18, date_end: '2026-06-30', next_id: next };
      const tax = await env.model('sale.tax').create(ended);
      await env.model('product.product').write([desk.ids.lamp], { sale_tax_ids: [['set', [tax]]] });
      return tax;
    });
    const line_ids = [['create', { product_id: desk.ids.lamp }]];
    const rates = async (invoice_date: string, delivery_date: string | null) => {
      const id = await postInvoice(desk, { line_ids, invoice_date, delivery_date });
      return (await look(desk, 'invoice.invoice', id, 'tax_sums')).tax_sums;
    };
    expect(await rates('2026-06-30', null)).toContain('VAT 18 %');
    expect(await rates('2026-07-01', null)).toContain('VAT 21 %');
    expect(await rates('2026-07-01', '2026-06-15')).toContain('VAT 18 %');
    const wrong = [['create', { name: 'Work', price_unit: '10', tax_ids: [['set', [old]]] }]];
    const posting = postInvoice(desk, { line_ids: wrong, invoice_date: '2026-07-01' });
    expect((await refusal(posting)).message).toContain('not valid on the day of the delivery');
    const order = await desk.run((env) =>
      env.model('sale.order').create({
        partner_id: desk.ids.customer,
        date_order: '2026-08-01T09:00:00Z',
        line_ids: [['create', { product_id: desk.ids.lamp }]],
      }),
    );
    const [made] = await desk.run((env) => env.model('sale.order').load([order], ['line_ids.tax_ids.name']));
    expect(made?.line_ids.flatMap((each) => each.tax_ids.map((tax) => tax.name))).toEqual(['VAT 21 %']);
    await desk.run((env) =>
      env.model('product.product').write([desk.ids.lamp], { sale_tax_ids: [['set', [desk.ids.reduced]]] }),
    );
  });

  it('INV-9 keeps its words when customer, product and tax change', async () => {
    const id = await postInvoice(desk);
    const before = await look(desk, 'invoice.invoice', id, 'address', 'amount_total', 'due_date');
    await desk.run(async (env) => {
      await env.model('core.partner').write([desk.ids.customer], { street: 'Quai 2', payment_days: 60 });
      await env.model('product.product').write([desk.ids.desk], { name: 'Table' });
    });
    expect(await look(desk, 'invoice.invoice', id, 'address', 'amount_total', 'due_date')).toEqual(before);
  });
});

describe('a credit note', () => {
  it('INV-10 corrects an invoice whole, with a number of its own', async () => {
    const id = await postInvoice(desk, { invoice_date: '2020-02-02' });
    const note = await credit(id);
    await desk.run((env) => invoices(env).write([note], { invoice_date: '2020-03-02' }), desk.clerk);
    await post(note);
    expect(await look(desk, 'invoice.invoice', note, 'name', 'type', 'amount_total', 'reversed_id')).toMatchObject({
      name: `${cn}-2020-0001`,
      type: 'credit',
      amount_total: '584',
      reversed_id: id,
    });
    expect(await look(desk, 'invoice.invoice', id, 'amount_credited')).toMatchObject({ amount_credited: '584' });
    expect((await refusal(credit(id))).message).toContain('has been credited already');
  });

  it('INV-11 or in part, and never more than is left, also when two are posted at once', async () => {
    const id = await postInvoice(desk);
    const [first, second] = [await credit(id), await makeInvoice(desk, { type: 'credit', reversed_id: id })];
    const [, lamps = 0] = await linesOf(first);
    await desk.run((env) => invoices(env).write([first], { line_ids: [['delete', lamps]] }), desk.clerk);
    const posted = await Promise.all(
      [first, second].map((note) =>
        post(note).then(
          () => true,
          (error: Error) => error.message,
        ),
      ),
    );
    expect(posted.filter((each) => each === true)).toHaveLength(1);
    expect(posted.find((each) => each !== true)).toContain('would exceed the invoice');
  });

  it('INV-12 names a posted invoice of the same customer', async () => {
    const draft = await makeInvoice(desk);
    const other = await desk.run((env) => env.model('core.partner').create({ name: 'Other' }));
    const posted = await postInvoice(desk);
    const make = (values: object) => refusal(makeInvoice(desk, { type: 'credit', ...values }));
    expect((await make({ reversed_id: draft })).message).toContain('cannot be chosen here');
    expect((await make({ reversed_id: posted, partner_id: other })).message).toContain('of the same customer');
    const none = await makeInvoice(desk, { type: 'credit' });
    expect((await refusal(post(none))).message).toContain('Choose the invoice');
  });
});

describe('rights', () => {
  it('INV-13 invoices are for people who invoice, and stay in their company', async () => {
    const id = await postInvoice(desk);
    const ask = (actor: Desk['admin']) => desk.run((env) => invoices(env).read([id], ['name']), actor);
    expect((await refusal(ask(desk.seller))).code).toBe('ACCESS_DENIED');
    const settings = desk.run((env) => env.model('invoice.settings').create({ payment_days: 7 }), desk.clerk);
    expect((await refusal(settings)).code).toBe('ACCESS_DENIED');
    const away = await desk.run(async (env) => {
      const [company] = await env.model('core.company').read([desk.admin.companyId as number], ['currency_id']);
      return env.model('core.company').create({ name: 'Away', currency_id: company?.currency_id as never });
    });
    const stranger = await desk.person('Stella Stranger', ['invoice.group_manager'], { company_id: away });
    expect((await refusal(ask(stranger))).code).toBe('ACCESS_DENIED');
    const own = await makeInvoice(
      desk,
      { invoice_date: '2024-07-01', company_id: away, line_ids: [['create', { name: 'x', price_unit: 1 }]] },
      stranger,
    );
    await post(own, stranger);
    expect(await look(desk, 'invoice.invoice', own, 'name')).toMatchObject({ name: `${inv}-2024-0001` });
    await desk.run((env) => env.model('invoice.settings').create({ payment_days: 7 }), desk.manager);
  });
});
