import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Desk, look, makeInvoice, openDesk } from './desk.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk.close());

const state = async (id: number) => {
  const { e_invoice, shortcomings } = await look(desk, 'invoice.invoice', id, 'e_invoice', 'shortcomings');
  return { e_invoice, words: String(shortcomings ?? '') };
};

describe('an invoice', () => {
  it('INV-64 says what the law and the electronic invoice still need, in plain words, and that it is complete', async () => {
    const id = await makeInvoice(desk);
    const before = await state(id);
    expect(before.e_invoice).toBe('missing');
    for (const words of [
      ...['The law asks for more on an invoice: the tax id of your company', 'the address of your company'],
      ...['the day of the delivery', 'carries no electronic invoice: the country of', `id=${desk.ids.customer}`],
    ])
      expect(before.words).toContain(words);
    expect(before.words).not.toContain('the address of the customer');
    await desk.run(async (env) => {
      const countries = await env.model('core.country').searchRead([['code', 'in', ['DE', 'FR']]], ['code']);
      const [germany, france] = ['DE', 'FR'].map((code) => countries.find((each) => each.code === code)?.id as number);
      const place = {
        street: 'Kai 3',
        zip: '20457',
        city: 'Hamburg',
        vat: 'DE123456789',
        country_id: germany as number,
      };
      await env.model('core.company').write([desk.admin.companyId as number], place);
      await env.model('core.partner').write([desk.ids.customer], { country_id: france as number });
      await env.model('invoice.invoice').write([id], { delivery_date: '2026-11-01' });
    });
    expect(await state(id)).toEqual({ e_invoice: 'ready', words: '' });
  });

  it('INV-64 nothing was delivered yet for a down payment', async () => {
    const line = { name: 'Down payment', price_unit: '100', is_down_payment: true };
    const id = await desk.run((env) =>
      env
        .sudo()
        .model('invoice.invoice')
        .create({ partner_id: desk.ids.customer, line_ids: [['create', line]] }),
    );
    expect((await state(id)).words).not.toContain('delivery');
  });
});
