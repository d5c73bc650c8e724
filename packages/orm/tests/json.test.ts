import { Decimal, toJson } from '@kontor/orm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

describe('toJson', () => {
  it('REC-5 writes decimals as numbers, digit by digit', () => {
    const long = '12345678901234567890.123456789012345678';
    expect(toJson({ total: new Decimal(long) })).toBe(`{"total":${long}}`);
    expect(toJson(new Decimal('1e30'))).toBe('1000000000000000000000000000000');
    expect(toJson(new Decimal('-0.10'))).toBe('-0.1');
  });

  it('drops keys without a value and keeps places in arrays', () => {
    expect(toJson({ a: undefined, b: [undefined, 1], c: () => 1 })).toBe('{"b":[null,1]}');
    expect(toJson(undefined)).toBe('null');
    expect(toJson(Number.NaN)).toBe('null');
  });

  it('writes dates, bytes and big integers', () => {
    expect(toJson(new Date('2026-11-14T09:00:00Z'))).toBe('"2026-11-14T09:00:00.000Z"');
    expect(toJson(Buffer.from('hi'))).toBe('"aGk="');
    expect(toJson(12345678901234567890n)).toBe('12345678901234567890');
  });

  it('writes what JSON.stringify writes for plain values, whatever the characters', () => {
    const text = fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) });
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.dictionary(text, text)), (value) => {
        expect(toJson(value)).toBe(JSON.stringify(value));
      }),
    );
  });
});
