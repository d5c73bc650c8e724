import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hoursFromText, numberFromText, numberNotationOf, withoutUnit } from '../index.ts';

const locales = ['en-US', 'en-IN', 'de-DE', 'de-CH', 'fr-FR', 'es-ES', 'pt-BR', 'sv-SE', 'ar-EG', 'fa-IR', 'pl-PL'];

describe('TYP-3 a duration, in any language', () => {
  it.each(locales)('is hours and minutes, in all the ways to write them: %s', (locale) => {
    const notation = numberNotationOf(locale);
    const inDigits = (value: number) => new Intl.NumberFormat(locale, { useGrouping: false }).format(value);
    fc.assert(
      fc.property(fc.nat(200), fc.nat(59), (hours, minutes) => {
        const [h, m] = [inDigits(hours), inDigits(minutes).padStart(2, inDigits(0))];
        const expected = { digits: String(Number((hours + minutes / 60).toFixed(4))) };
        for (const text of [`${h}:${m}`, `${h}h${m}`, `${h} h ${m} min`])
          expect(hoursFromText(text, notation), text).toEqual(expected);
      }),
    );
  });

  it.each(locales)('a plain number is read as in any other field: %s', (locale) => {
    const notation = numberNotationOf(locale);
    fc.assert(
      fc.property(fc.integer({ min: -9_999_99, max: 9_999_99 }), fc.integer({ min: 0, max: 3 }), (number, scale) => {
        const text = new Intl.NumberFormat(locale, { minimumFractionDigits: scale }).format(number / 10 ** scale);
        expect(hoursFromText(text, notation), text).toEqual(numberFromText(text, notation));
      }),
    );
  });
});

describe('TYP-1 a number from a table that another program wrote', () => {
  it.each([
    ['3 kg', '3'],
    ['12,50 EUR', '12,50'],
    ['CHF 12.50', '12.50'],
    ['Fr. 8', '8'],
    ['€ 1,234.50', '1,234.50'],
    ['US$ 5', '5'],
    ['-7', '-7'],
    ['2.5 m²', '2.5'],
  ])('has a currency or a unit beside it: %s', (text, number) => {
    expect(withoutUnit(text)).toBe(number);
  });

  it.each(['AB12', 'AB 12 C', '1e5', '1h30', '90m', '1:30', '5k', '5 Mio', '3 T', 'A-12', '12 of 30'])(
    'is none where letters mean something else: %s',
    (text) => {
      for (const locale of locales)
        expect(numberFromText(withoutUnit(text), numberNotationOf(locale)), text).toBeNull();
    },
  );
});
