import { Decimal } from '@kontor/addon';
import { describe, expect, it } from 'vitest';
import { hasCheckDigit } from '../models/product.ts';
import { convertPrice, convertQuantity } from '../pricing/convert-quantity.ts';
import { type PricedProduct, type PriceRule, priceOf, ruleFor } from '../pricing/price-of.ts';

const d = (value: string | number) => new Decimal(value);
const piece = { factor: d(1), rounding: d(1) };
const dozen = { factor: d(12), rounding: d('0.01') };

const product: PricedProduct = {
  id: 7,
  list_price: d('10.00'),
  cost: d('4.00'),
  category_id: { path: '/1/4/' },
  uom_id: piece,
};
let ids = 0;
const rule = (values: Partial<PriceRule>): PriceRule => ({
  id: ++ids,
  applies_to: 'all',
  category_id: null,
  product_id: null,
  min_quantity: d(0),
  date_start: null,
  date_end: null,
  method: 'discount',
  fixed_price: null,
  percent: d(0),
  surcharge: d(0),
  round_to: null,
  ...values,
});
const question = (items: readonly PriceRule[], values = {}) => ({
  product,
  pricelist: { rate: d(1), item_ids: items },
  quantity: d(1),
  unit: piece,
  date: '2026-06-15',
  ...values,
});
const price = (items: readonly PriceRule[], values = {}) => priceOf(question(items, values))?.toFixed();

describe('units', () => {
  it('PRD-1 quantities convert between units of a kind, exactly and rounded as the unit says', () => {
    expect(convertQuantity(d(30), piece, dozen).toFixed()).toBe('2.5');
    expect(convertQuantity(d('2.5'), dozen, piece).toFixed()).toBe('30');
    expect(convertQuantity(d(1), { factor: d('0.45359237') }, { factor: d(1), rounding: d('0.001') }).toFixed()).toBe(
      '0.454',
    );
  });

  it('PRD-1 prices convert the other way', () => {
    expect(convertPrice(d('1.20'), piece, dozen).toFixed()).toBe('14.4');
    expect(convertPrice(d('14.40'), dozen, piece).toFixed()).toBe('1.2');
  });
});

describe('prices', () => {
  it('PRD-2 without a list or a rule the sales price counts, at the rate of the list', () => {
    expect(price([], { pricelist: null })).toBe('10');
    expect(price([], { pricelist: { rate: d('1.0825'), item_ids: [] } })).toBe('10.825');
  });

  it('PRD-2 a rule gives a fixed price, a discount or a markup, rounded, with a surcharge', () => {
    expect(price([rule({ method: 'fixed', fixed_price: d('8.5') })])).toBe('8.5');
    expect(price([rule({ percent: d('12.5') })])).toBe('8.75');
    expect(price([rule({ method: 'markup', percent: d(60) })])).toBe('6.4');
    expect(price([rule({ percent: d('12.5'), round_to: d('0.5'), surcharge: d('-0.01') })])).toBe('8.99');
  });

  it('PRD-3 the narrowest rule counts, then that of the largest quantity', () => {
    const all = rule({ percent: d(50) });
    const category = rule({ applies_to: 'category', category_id: { id: 1 }, percent: d(20) });
    const own = rule({ applies_to: 'product', product_id: { id: 7 }, percent: d(5) });
    const many = rule({ applies_to: 'product', product_id: { id: 7 }, percent: d(10), min_quantity: d(10) });
    expect(price([all, category, own, many])).toBe('9.5');
    expect(price([all, category])).toBe('8');
    expect(price([all, own, many], { quantity: d(10) })).toBe('9');
  });

  it('PRD-3 a category counts for those below it and for no other', () => {
    const about = (id: number) => rule({ applies_to: 'category', category_id: { id }, percent: d(20) });
    expect(price([about(4)])).toBe('8');
    expect(price([about(14)])).toBe('10');
    expect(price([about(1)], { product: { ...product, category_id: null } })).toBe('10');
  });

  it('PRD-3 quantities are compared in the unit of the product', () => {
    const many = rule({ percent: d(10), min_quantity: d(12) });
    expect(ruleFor(question([many], { unit: dozen }))).toBe(many);
    expect(price([many], { unit: dozen })).toBe('108');
    expect(ruleFor(question([many], { quantity: d(11) }))).toBeNull();
  });

  it('PRD-3 a rule counts from its first day to its last', () => {
    const june = rule({ percent: d(10), date_start: '2026-06-01', date_end: '2026-06-15' });
    expect(price([june])).toBe('9');
    expect(price([june], { date: '2026-06-16' })).toBe('10');
    expect(price([june], { date: '2026-05-31' })).toBe('10');
  });
});

describe('barcodes', () => {
  it('PRD-4 the check digit of EAN and UPC must fit; other codes are free', () => {
    for (const good of ['4006381333931', '96385074', '036000291452', 'KX 77', '12345'])
      expect(hasCheckDigit(good)).toBe(true);
    for (const bad of ['4006381333932', '96385075', '036000291453']) expect(hasCheckDigit(bad)).toBe(false);
  });
});
