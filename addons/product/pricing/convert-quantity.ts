import type { Decimal } from '@kontor/addon';

export interface Unit {
  readonly factor: Decimal;
}
export interface RoundedUnit extends Unit {
  readonly rounding: Decimal;
}

/** A quantity in another unit of the same kind, rounded half up to that unit's precision. */
export function convertQuantity(quantity: Decimal, from: Unit, to: RoundedUnit): Decimal {
  return toMultiple(quantity.times(from.factor).div(to.factor), to.rounding);
}

/** The price of one `to`, if one `from` costs this much. */
export function convertPrice(price: Decimal, from: Unit, to: Unit): Decimal {
  return price.times(to.factor).div(from.factor);
}

export function toMultiple(value: Decimal, step: Decimal): Decimal {
  return step.gt(0) ? value.div(step).round(0).times(step) : value;
}
