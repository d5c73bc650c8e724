import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { guardCell, unguardCell } from '../csv/guard-cell.ts';

describe('The guard against formulas', () => {
  it.each(['=1+1', '+49 30', '-5', '@here', '\tx', '\rx'])('EXP-4: puts a quote before %j', (text) => {
    expect(guardCell(text)).toBe(`'${text}`);
  });

  it.each(['', 'a=1', '5', "it's", "'quoted'", ' =1', '\n='])('EXP-4: leaves %j as it is', (text) => {
    expect(guardCell(text)).toBe(text);
    expect(unguardCell(text)).toBe(text);
  });

  it('EXP-4: takes the quote off only where one of these characters follows', () => {
    expect(unguardCell("'=1+1")).toBe('=1+1');
    expect(unguardCell("'tis")).toBe("'tis");
  });

  it('EXP-4: gives back every text, also one that began with a quote', () => {
    const texts = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom("'", '=', '-', '\t', '\r', 'x') }));
    fc.assert(fc.property(texts, (text) => unguardCell(guardCell(text)) === text));
  });
});
