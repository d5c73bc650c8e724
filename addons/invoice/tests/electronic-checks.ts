import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { amountsIn, type TaxRounding, taxSums } from '@addons/sale';
import { Decimal } from '@kontor/addon';
import fc from 'fast-check';
import { XmlDocument, XsdValidator } from 'libxml2-wasm';
import { xmlRegisterFsInputProviders } from 'libxml2-wasm/lib/nodejs.mjs';
import type { PrintedInvoice } from '../document/load-invoice.ts';
import { brokenRules } from './business-rules.ts';
import { brokenGermanRules } from './german-rules.ts';

const schemaFile = fileURLToPath(new URL('schema/Factur-X_1.07.3_EN16931.xsd', import.meta.url));

export interface Checker {
  /** Throws what the schema objects to, and returns the rules that are broken. */
  check(xml: string): string[];
  close(): void;
}

/** The published schema, and the rules of EN 16931 and of XRechnung. */
export function openChecker(): Checker {
  xmlRegisterFsInputProviders();
  const schema = XsdValidator.fromDoc(XmlDocument.fromBuffer(readFileSync(schemaFile), { url: schemaFile }));
  return {
    check(xml) {
      const document = XmlDocument.fromString(xml);
      try {
        schema.validate(document);
        return [...brokenRules(document), ...(xml.includes('xrechnung_') ? brokenGermanRules(document) : [])];
      } finally {
        document.dispose();
      }
    },
    close: () => schema.dispose(),
  };
}

const place = {
  street: 'Kai 3 & 4',
  street2: null,
  zip: '20457',
  city: 'Hamburg',
  vat: 'DE123456789',
  email: 'a@b.example',
};
const units = (value: number, scale: number) => new Decimal(value).div(10 ** scale);
/** A line of an invoice, with anything that people type. */
export const line = fc.record({
  name: fc.constantFrom('Desk', 'Lamp\nwith a "shade" <red> & more', '', 'Control \u0007', '\u0007', 'Lamp\n'),
  quantity: fc.integer({ min: -9000, max: 90_000 }).filter((value) => value !== 0),
  price: fc.integer({ min: -50_000, max: 9_000_000 }),
  discount: fc.integer({ min: 0, max: 10_000 }),
  percent: fc.constantFrom(null, 0, 7, 19, 5.5),
  isInside: fc.boolean(),
});

/** An invoice as it is loaded to be printed. */
export function printed(
  lines: readonly (typeof line extends fc.Arbitrary<infer Value> ? Value : never)[],
  treatment: string,
  rounding: TaxRounding = 'line',
  decimal_places = 2,
) {
  const currency = { name: 'EUR', symbol: '€', decimal_places };
  const line_ids = lines.map(({ name, quantity, price, discount, percent, isInside }) => ({
    ...{
      line_type: 'product',
      name,
      quantity: units(quantity, 3),
      price_unit: units(price, 4),
      discount: units(discount, 2),
    },
    uom_id: { name: 'h', unece_code: 'HUR' },
    tax_ids:
      percent === null
        ? []
        : [
            {
              id: percent + (isInside ? 100 : 0),
              name: 'Tax',
              percent: new Decimal(percent),
              price_included: isInside,
            },
          ],
  }));
  const amounts = line_ids.map((each) => amountsIn(each, currency));
  const untaxed = amounts.reduce((total, each) => total.plus(each.untaxed), new Decimal(0));
  const taxed = taxSums(line_ids, currency, rounding).reduce((total, each) => total.plus(each.amount), untaxed);
  return {
    ...{ name: '2026/0001', type: 'invoice', state: 'posted', invoice_date: '2026-11-18', due_date: '2026-12-02' },
    ...{ delivery_date: '2026-11-01', delivery_end: '2026-11-15', note: 'Thanks & regards', reason: null },
    ...{
      tax_treatment: treatment,
      currency_id: currency,
      client_reference: 'PO 7',
      buyer_reference: '04011000-1234512345-06',
    },
    ...{ vat: 'FR26481554209', user_id: { name: 'Clara' }, reversed_id: null, line_ids },
    ...{ amount_untaxed: untaxed, amount_total: taxed, tax_rounding: rounding, tax_note: null, homeTax: null },
    company_id: {
      ...{
        ...place,
        name: 'Nordlicht',
        country_id: { code: 'DE', name: 'Germany' },
        phone: '+49 40 1',
        tax_number: null,
      },
      ...{ iban: 'DE02 1203 0000 0000 2020 51', bic: null },
    },
    partner_id: { name: 'Hôtel', lang: 'fr_FR', email: 'c@d.example' },
    address_id: { ...place, country_id: { code: 'FR', name: 'France' } },
  } as unknown as PrintedInvoice;
}
