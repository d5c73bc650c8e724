import { type Env, type FieldsOf, fields, inheritModel, languageTag, text, wordsIn } from '@kontor/addon';
import { givePositions } from '../taxes/give-positions.ts';

/** Standard rate first. Countries are missing if their taxes differ by state; users enter those themselves. */
const vat: Readonly<Record<string, readonly number[]>> = {
  ...{ AT: [20, 13, 10], BE: [21, 12, 6], BG: [20, 9], CH: [8.1, 3.8, 2.6], CY: [19, 9, 5], CZ: [21, 12] },
  ...{ DE: [19, 7], DK: [25], EE: [24, 13, 9], ES: [21, 10, 4], FI: [25.5, 13.5, 10], FR: [20, 10, 5.5, 2.1] },
  ...{ GB: [20, 5], GR: [24, 13, 6], HR: [25, 13, 5], HU: [27, 18, 5], IE: [23, 13.5, 9], IS: [24, 11] },
  ...{ IT: [22, 10, 5, 4], LI: [8.1, 3.8, 2.6], LT: [21, 12, 5], LU: [17, 14, 8, 3], LV: [21, 12, 5] },
  ...{ MC: [20, 10, 5.5, 2.1], MT: [18, 12, 7, 5], NL: [21, 9], NO: [25, 15, 12], PL: [23, 8, 5], PT: [23, 13, 6] },
  ...{ RO: [21, 11], RS: [20, 10], SE: [25, 12, 6], SI: [22, 9.5, 5], SK: [23, 19, 5], TR: [20, 10, 1] },
  ...{ UA: [20, 14, 7], AE: [5], EG: [14], IL: [18], KE: [16], MA: [20, 10], NG: [7.5], SA: [15] },
  ...{ TN: [19, 13, 7], ZA: [15], AR: [21, 10.5], CL: [19], CO: [19, 5], MX: [16], PE: [18] },
  ...{ CN: [13, 9, 6], JP: [10, 8], KR: [10], PH: [12], TH: [7], VN: [10] },
};
const goodsAndServices: Readonly<Record<string, readonly number[]>> = {
  ...{ AU: [10], CA: [5], IN: [18, 5], NZ: [15], SG: [9] },
};

/**
 * Creates the taxes and tax positions of a company's country, named in the company's language, and sets the standard one as default. A tax with the
 * same name stays as it is. A company that moves to another country charges the standard rate there.
 */
export async function giveCountryTaxes(
  env: Env,
  companyIds?: readonly number[],
  { isMoved = false } = {},
): Promise<void> {
  const companies = env.model('core.company');
  const ids = companyIds ?? (await companies.searchRead([], ['id'])).map(({ id }) => id);
  const loaded = await companies.load(ids, ['country_id.code', 'lang', 'sale_tax_id.id']);
  for (const company of loaded) {
    const code = company.country_id?.code ?? '';
    const rates = vat[code] ?? goodsAndServices[code];
    if (rates === undefined) continue;
    const { say } = wordsIn(env, company.lang, 'sale');
    const names = rates.concat(0).map((rate) => {
      const percent = new Intl.NumberFormat(languageTag(company.lang)).format(rate);
      return say(code in vat ? text('VAT {percent} %', { percent }) : text('GST {percent} %', { percent }));
    });
    const usual = await addTaxes(env, company.id, rates.concat(0), names);
    if (company.sale_tax_id === null || isMoved) await companies.write([company.id], { sale_tax_id: usual });
    await givePositions(env, company.id, { code, lang: company.lang });
  }
}

/** The id of the first. */
async function addTaxes(
  env: Env,
  company: number,
  rates: readonly number[],
  names: readonly string[],
): Promise<number | null> {
  const taxes = env.model('sale.tax');
  const known = await taxes.searchRead(
    [
      ['company_id', '=', company],
      ['name', 'in', [...names]],
    ],
    ['name'],
  );
  const idOf = new Map(known.map(({ id, name }) => [name, id]));
  for (const [index, percent] of rates.entries()) {
    const name = names[index] as string;
    if (idOf.has(name)) continue;
    const sequence = 10 * (index + 1);
    idOf.set(name, await taxes.create({ name, percent, sequence, company_id: company }));
  }
  return idOf.get(names[0] as string) ?? null;
}

const companyFields = {
  tax_position_ids: fields.one2many('sale.tax.position', 'company_id', { label: 'Tax positions' }),
};

declare module '@kontor/addon' {
  interface CoreCompany extends FieldsOf<typeof companyFields> {}
}

/** As the server: a user who creates a company need not be allowed to manage taxes. */
export const saleCompany = inheritModel('core.company', {
  fields: companyFields,
  hooks: {
    on: ['country_id'],
    afterCreate: ({ env, ids }) => giveCountryTaxes(env.sudo(), ids),
    afterWrite: ({ env, ids }) => giveCountryTaxes(env.sudo(), ids, { isMoved: true }),
  },
});
