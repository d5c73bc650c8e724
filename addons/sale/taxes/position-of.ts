import type { Draft } from '@kontor/addon';
import { isTaxId } from './tax-id.ts';
import { union } from './treatment.ts';

/** The paths that decide which taxes a customer pays, from an order or an invoice. */
export const positionPaths = [
  'partner_id.tax_exempt',
  'partner_id.vat',
  'partner_id.country_id.code',
  'partner_id.tax_position_id.company_id',
  'company_id.country_id.code',
  'company_id.tax_position_ids.sequence',
  'company_id.tax_position_ids.active',
  'company_id.tax_position_ids.area',
  'company_id.tax_position_ids.needs_tax_id',
  'company_id.tax_position_ids.country_ids.code',
] as const;

type Documents = Draft<'sale.order', (typeof positionPaths)[number]>;
type Position = NonNullable<Documents['company_id']>['tax_position_ids'][number];

/** The position of the customer, or the first of the company that fits their country and tax id. */
export function positionOf({
  partner_id: customer,
  company_id: company,
}: Pick<Documents, 'partner_id' | 'company_id'>): { readonly id: number } | null {
  if (!customer || !company || customer.tax_exempt) return null;
  const own = customer.tax_position_id;
  if (own && own.company_id?.id === company.id) return own;
  const from = company.country_id?.code ?? null;
  const to = customer.country_id?.code ?? null;
  if (from === null || to === null) return null;
  const hasTaxId = isTaxId(customer.vat, to);
  const fitting = company.tax_position_ids.filter(
    (position) => position.active && (hasTaxId || !position.needs_tax_id) && isIn(position, from, to),
  );
  return fitting.toSorted((a, b) => (a.sequence ?? 0) - (b.sequence ?? 0) || a.id - b.id)[0] ?? null;
}

function isIn({ area, country_ids: countries }: Position, from: string, to: string): boolean {
  if (area === 'countries') return countries.some(({ code }) => code === to);
  if (area === 'domestic') return from === to;
  const isUnion = union.has(from) && union.has(to);
  if (area === 'union') return isUnion && from !== to;
  return area === 'abroad' && from !== to && !isUnion;
}

/** The paths of the position of a document, from its lines. */
export const mappingPaths = [
  'tax_position_id.treatment',
  'tax_position_id.line_ids.tax_id',
  'tax_position_id.line_ids.replacement_id',
] as const;

export interface Mapping {
  readonly treatment: string | null;
  readonly line_ids: readonly {
    readonly tax_id: { readonly id: number } | null;
    readonly replacement_id: { readonly id: number } | null;
  }[];
}

/** The taxes that apply in a position instead of the usual ones: none, or those that replace them. */
export function mapTaxes(ids: readonly number[], position: Mapping | null): number[] {
  if (!position) return [...ids];
  if (position.treatment !== 'normal') return [];
  const mapped = ids.flatMap((id) => {
    const lines = position.line_ids.filter(({ tax_id: tax }) => tax?.id === id);
    return lines.length === 0 ? [id] : lines.flatMap(({ replacement_id: tax }) => tax?.id ?? []);
  });
  return [...new Set(mapped)];
}
