import { type Env, type Loaded, withPrefix } from '@kontor/addon';
import { addressPaths, placePaths } from '../document/address-lines.ts';
import { senderPaths } from '../document/draw-document.ts';
import { amountPaths, isOption, type TaxSum, taxSums } from '../lines/line-amounts.ts';

const paths = [
  'name',
  'state',
  'date_order',
  'validity_date',
  'client_reference',
  'payment_days',
  'note',
  'amount_untaxed',
  'amount_total',
  'currency_id.symbol',
  'currency_id.decimal_places',
  'user_id.name',
  'user_id.email',
  ...withPrefix('company_id', senderPaths),
  ...withPrefix('partner_id', addressPaths),
  ...withPrefix('delivery_id', placePaths),
  ...withPrefix('line_ids', amountPaths),
  'line_ids.name',
  'line_ids.option_subtotal',
  'line_ids.uom_id.name',
  'line_ids.price_subtotal',
  'line_ids.tax_ids.name',
] as const;

export type Quotation = Loaded<'sale.order', (typeof paths)[number]> & {
  readonly taxes: readonly TaxSum[];
  /** The units of lines as they are stored, for comparing versions: the language of the customer may change. */
  readonly units: ReadonlyMap<number, string>;
};

/** The content of a printed quotation, read with the rights of the user who prints it. */
export async function loadQuotation(env: Env, id: number): Promise<Quotation> {
  const [stored] = await env.model('sale.order').load([id], ['partner_id.lang', 'line_ids.uom_id.name']);
  const printing = env.inLanguage(stored?.partner_id.lang ?? 'en_US');
  const [order] = await printing.model('sale.order').load([id], [...paths], { inWords: true });
  if (order === undefined || stored === undefined) throw new Error(`Order ${id} was not loaded.`);
  return {
    ...order,
    units: new Map(stored.line_ids.map((line) => [line.id, line.uom_id?.name ?? ''])),
    taxes: taxSums(
      order.line_ids.filter((line) => !isOption(line)),
      order.currency_id,
    ),
  };
}

/** The name of the file. */
export function pdfName(number: string): string {
  return `${number.replaceAll(/[^\w.-]+/g, '_')}.pdf`;
}
