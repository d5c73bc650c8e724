import { isLong } from '@kontor/testing';
import { long } from '@kontor/testing/long';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import type { PrintedInvoice } from '../document/load-invoice.ts';
import { crossIndustryInvoice } from '../electronic/cross-industry-invoice.ts';
import { missingFacts } from '../electronic/missing-facts.ts';
import { openChecker, printed } from './electronic-checks.ts';

const checker = openChecker();
afterAll(() => checker.close());
const { check } = checker;

describe('the data of an invoice', () => {
  long(
    'INV-50 INV-52 whatever is known of both sides: either it says what is missing, or it agrees with every rule',
    () => {
      const oneOf = <T>(...values: readonly T[]) => fc.constantFrom<T | null>(null, ...values);
      const side = fc.record({
        ...{ street: oneOf('Kai 3'), street2: oneOf(' '), zip: oneOf('20457'), city: oneOf('Hamburg') },
        ...{ vat: oneOf('DE 123456789', '22/123/45678', 'FR26481554209'), email: oneOf('a@b.example') },
        country_id: oneOf({ code: 'DE', name: 'Germany' }, { code: 'FR', name: 'France' }),
      });
      const more = {
        phone: oneOf('+49 40 1234'),
        tax_number: oneOf('22/123/45678'),
        iban: oneOf('DE02120300000000202051'),
      };
      const facts = fc.record({
        ...{
          seller: fc.tuple(side, fc.record(more)),
          buyer: side,
          treatment: fc.constantFrom('normal', 'reverse', 'export', 'exempt'),
        },
        ...{
          buyer_reference: oneOf('04011000-1234512345-06'),
          note: oneOf('Thanks', ' '),
          delivery_date: oneOf('2026-11-01'),
        },
        ...{
          type: fc.constantFrom('invoice', 'credit'),
          places: fc.constantFrom(0, 2, 2, 3),
          profile: fc.constantFrom('factur-x', 'xrechnung'),
        },
      });
      const lines = [
        { name: 'Desk', quantity: 1500, price: 123_456, discount: 0, percent: null, isInside: false },
      ] as const;
      let valid = 0;
      const made = ({ seller: [place, company], buyer, places, treatment, ...own }: Facts) => {
        const base = printed(lines, treatment, 'line', places);
        const currency_id = { ...base.currency_id, decimal_places: places };
        return {
          ...base,
          ...own,
          currency_id,
          vat: buyer.vat,
          address_id: buyer,
          company_id: { ...base.company_id, ...place, ...company },
        };
      };
      type Facts = typeof facts extends fc.Arbitrary<infer Value> ? Value : never;
      fc.assert(
        fc.property(facts, (given) => {
          const invoice = made(given) as unknown as PrintedInvoice;
          if (missingFacts(invoice, given.profile).length > 0) return;
          valid++;
          const broken = check(crossIndustryInvoice(invoice, given.profile));
          // Without cents a line is further from price times quantity than Peppol expects.
          expect(broken.filter((rule) => given.places > 0 || rule !== 'PEPPOL-R120')).toEqual([]);
        }),
        { numRuns: isLong ? 20_000 : 1_000 },
      );
      expect(valid).toBeGreaterThan(0);
    },
  );

  it('INV-52 a document that breaks a rule of XRechnung is found', () => {
    const lines = [
      { name: 'Desk', quantity: 1000, price: 1_000_000, discount: 0, percent: 19, isInside: false },
    ] as const;
    const good = crossIndustryInvoice(printed(lines, 'normal'), 'xrechnung');
    expect(check(good)).toEqual([]);
    for (const [part, id] of [
      [/<ram:BuyerReference>.*?<\/ram:BuyerReference>/, 'DE 15'],
      [/<ram:TelephoneUniversalCommunication>.*?<\/ram:TelephoneUniversalCommunication>/, 'DE 6'],
      [/<ram:CityName>Hamburg<\/ram:CityName>/, 'DE 3'],
      [/<ram:PayeePartyCreditorFinancialAccount>.*?<\/ram:PayeePartyCreditorFinancialAccount>/, 'DE 23'],
      [/(?<=<ram:Content>)[^<]+/, 'R008'],
      [/<ram:BusinessProcess.*?<\/ram:BusinessProcess[^>]*>/, 'R007'],
    ] as const) {
      expect(check(good.replace(part, '')), id).toContain(id);
    }
  });
});
