export type AccountKind = 'receivable' | 'bank' | 'cash' | 'revenue' | 'tax' | 'exchange' | 'other';
export type Untaxed = 'reverse' | 'export' | 'exempt';

/** Codes of the accounts that invoices and payments need. */
export interface Chart {
  readonly receivable: string;
  readonly bank: string;
  readonly cash: string;
  readonly revenue: string;
  readonly tax: string;
  readonly exchange: string;
  /** Rate in per cent: accounts for its revenue and its tax. */
  readonly rates: Readonly<Record<string, readonly [revenue: string, tax: string]>>;
  readonly untaxed: Readonly<Record<Untaxed, string>>;
  /** DATEV calculates the tax at the accounts of the rates, unless a key says that it is posted. */
  readonly datevKey?: string;
}

const general: Chart = {
  ...{ receivable: '1100', bank: '1000', cash: '1010', revenue: '4000', tax: '2200', exchange: '7900' },
  rates: {},
  untaxed: { reverse: '4020', export: '4030', exempt: '4040' },
};
/** SKR03. */
const german: Chart = {
  ...{ receivable: '1400', bank: '1200', cash: '1000', revenue: '8200', tax: '1770', exchange: '2660' },
  rates: { 19: ['8400', '1776'], 7: ['8300', '1771'] },
  untaxed: { reverse: '8336', export: '8120', exempt: '8100' },
  datevKey: '40',
};
/** Einheitskontenrahmen. */
const austrian: Chart = {
  ...{ receivable: '2000', bank: '2800', cash: '2700', revenue: '4000', tax: '3500', exchange: '4860' },
  rates: { 20: ['4020', '3502'], 13: ['4013', '3503'], 10: ['4010', '3501'] },
  untaxed: { reverse: '4110', export: '4100', exempt: '4150' },
};
/** Kontenrahmen KMU. */
const swiss: Chart = {
  ...{ receivable: '1100', bank: '1020', cash: '1000', revenue: '3200', tax: '2200', exchange: '6999' },
  rates: {},
  untaxed: { reverse: '3201', export: '3202', exempt: '3203' },
};
/** Plan comptable général. */
const french: Chart = {
  ...{ receivable: '411000', bank: '512000', cash: '530000', revenue: '707000', tax: '445710', exchange: '766000' },
  rates: { 20: ['707020', '445712'], 10: ['707010', '445711'], 5.5: ['707055', '445713'], 2.1: ['707021', '445714'] },
  untaxed: { reverse: '707910', export: '707920', exempt: '707930' },
};

const byCountry: Readonly<Record<string, Chart>> = {
  ...{ DE: german, AT: austrian, CH: swiss, LI: swiss, FR: french, MC: french },
};

export function chartOf(country: string | null): Chart {
  return byCountry[country ?? ''] ?? general;
}
