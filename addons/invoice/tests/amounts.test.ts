import { amountsIn, taxSums } from '@addons/sale';
import { Decimal } from '@kontor/addon';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { asLine, exactly, fraction, inUnits, line, rounded } from './exact.ts';

it('INV-2 lines, taxes and totals are those of exact arithmetic, in every currency', () => {
  fc.assert(
    fc.property(fc.array(line, { maxLength: 8 }), fc.constantFrom(0, 2, 3), (lines, places) => {
      const currency = { decimal_places: places };
      const expected = lines.map((each) => exactly(each, places));
      const found = lines.map((each) => amountsIn(asLine(each), currency));
      expect(found.map(({ untaxed }) => inUnits(untaxed, places))).toEqual(expected.map(({ untaxed }) => untaxed));
      const sums = taxSums(lines.map(asLine), currency);
      for (const { id, base, amount } of sums) {
        const charged = expected.filter(({ amounts }) => amounts.has(id));
        expect(inUnits(amount, places)).toBe(charged.reduce((sum, each) => sum + (each.amounts.get(id) ?? 0n), 0n));
        expect(inUnits(base, places)).toBe(charged.reduce((sum, each) => sum + each.untaxed, 0n));
      }
      const total = found.reduce((sum, each) => sum.plus(each.total), new Decimal(0));
      const parts = found.reduce((sum, each) => sum.plus(each.untaxed), new Decimal(0));
      expect(sums.reduce((sum, tax) => sum.plus(tax.amount), parts).eq(total)).toBe(true);
    }),
  );
});

it('INV-58 rounded once for each tax, the tax is that of the sum of the net amounts; an included one is what prices contain', () => {
  fc.assert(
    fc.property(fc.array(line, { maxLength: 8 }), fc.constantFrom(0, 2, 3), (given, places) => {
      const currency = { decimal_places: places };
      // A tax is included or not wherever it is charged.
      const inside = new Map(
        given.flatMap((each) => each.taxes.map(({ id, price_included: is }) => [id, is] as const)),
      );
      const percents = new Map(given.flatMap((each) => each.taxes.map(({ id, percent }) => [id, percent] as const)));
      const lines = given.map((each) => ({
        ...each,
        taxes: each.taxes.map(({ id }) => ({
          ...{ id, percent: percents.get(id) as number, price_included: inside.get(id) as boolean },
        })),
      }));
      const expected = lines.map((each) => exactly(each, places));
      for (const { id, base, amount } of taxSums(lines.map(asLine), currency, 'document')) {
        const charged = expected.filter(({ amounts }) => amounts.has(id));
        const net = charged.reduce((sum, each) => sum + each.untaxed, 0n);
        expect(inUnits(base, places)).toBe(net);
        const whole = rounded(
          fraction(net * BigInt(percents.get(id) as number), 1_000_000n * 10n ** BigInt(places)),
          places,
        );
        const parts = charged.reduce((sum, each) => sum + (each.amounts.get(id) ?? 0n), 0n);
        expect(inUnits(amount, places)).toBe(inside.get(id) ? parts : whole);
      }
    }),
  );
});
