import { Decimal } from '../decimal.ts';

/** Adds up exactly; nothing counts as zero. */
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
