import { Decimal } from '../fields/decimal.ts';

/**
 * An exact sum; null counts as zero.
 * ```ts
 * const lines = [{ subtotal: new Decimal('1.10') }, { subtotal: null }];
 * const total = sum(lines, (line) => line.subtotal);
 * ```
 */
export function sum<Row>(
  rows: readonly Row[],
  pick: (row: Row) => Decimal | number | string | null | undefined,
): Decimal {
  let total = new Decimal(0);
  for (const row of rows) {
    const value = pick(row);
    if (value !== null && value !== undefined) total = total.plus(value);
  }
  return total;
}
