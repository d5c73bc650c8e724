import type { Decimal } from '@kontor/addon';

interface Unit {
  readonly category_id: { readonly id: number };
}

/** What holds for the lines of orders and invoices. */
export const pricedLine = {
  unit_of_the_product: {
    on: ['product_id', 'uom_id'],
    reads: ['product_id.uom_id.category_id', 'uom_id.category_id'],
    holds: ({
      product_id: product,
      uom_id: unit,
    }: {
      readonly product_id: { readonly uom_id: Unit } | null;
      readonly uom_id: Unit | null;
    }) => product === null || unit === null || product.uom_id.category_id.id === unit.category_id.id,
    message: 'The product is not measured in this kind of unit.',
    field: 'uom_id',
  },
  words_cost_nothing: {
    on: ['line_type', 'product_id', 'price_unit'],
    holds: ({
      line_type: kind,
      product_id: product,
      price_unit: price,
    }: {
      readonly line_type: string;
      readonly product_id: object | null;
      readonly price_unit: Decimal;
    }) => kind === 'product' || kind === 'option' || (product === null && price.eq(0)),
    message: 'Sections and notes have no product and no price.',
    field: 'line_type',
  },
  quantity_counts: {
    on: ['quantity'],
    holds: ({ quantity }: { readonly quantity: Decimal }) => !quantity.eq(0),
    message: 'Enter a quantity other than 0, or remove the line.',
  },
} as const;
