import { writeDate, writeNumber } from '@kontor/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dateFormOf, numberFormOf } from '../bootstrap/written-forms.ts';

const locales = [
  ...['en-US', 'en-GB', 'en-IN', 'de-DE', 'de-AT', 'de-CH', 'fr-FR', 'es-ES', 'pt-PT', 'pl-PL', 'sv-SE', 'nb-NO'],
  ...['ar', 'ar-EG', 'fa-IR', 'hi-IN', 'bn-BD', 'ja-JP', 'zh-CN', 'th-TH', 'he-IL', 'tr-TR', 'ru-RU'],
];
const locale = fc.constantFrom(...locales);
const decimal = fc
  .tuple(fc.boolean(), fc.bigInt({ min: 0n, max: 10n ** 18n }), fc.nat(9))
  .map(([isNegative, digits, scale]) => {
    const text = String(digits).padStart(scale + 1, '0');
    const end = text.length - scale;
    return `${isNegative ? '-' : ''}${text.slice(0, end)}${scale > 0 ? `.${text.slice(end)}` : ''}`;
  });
const number = fc.oneof(fc.double(), fc.integer(), decimal);
const asIntl = (value: number | string) => value as number;

describe('SCN-71 what a page is told of a language', () => {
  it('writes numbers as a browser does, or not at all', () => {
    const digits = fc.tuple(fc.nat(6), fc.nat(6)).map(([one, other]) => [Math.min(one, other), Math.max(one, other)]);
    fc.assert(
      fc.property(locale, number, digits, (tag, value, [least = 0, most = 0]) => {
        const form = numberFormOf(tag);
        const text = form && writeNumber(form, value, least, most);
        const options = { minimumFractionDigits: least, maximumFractionDigits: most };
        if (text !== null) expect(text).toBe(new Intl.NumberFormat(tag, options).format(asIntl(value)));
      }),
      { numRuns: 500 },
    );
    expect(locales.filter((tag) => numberFormOf(tag) === null)).toEqual([]);
  });

  it('writes amounts as a browser does, or not at all', () => {
    const currency = fc.constantFrom('EUR', 'USD', 'JPY', 'CHF', 'KWD', 'INR', 'SEK');
    fc.assert(
      fc.property(locale, currency, number, (tag, code, value) => {
        const form = numberFormOf(tag, code);
        const text = form && writeNumber(form, value, form.scale, form.scale);
        const options = { style: 'currency', currency: code, currencyDisplay: 'narrowSymbol' } as const;
        if (text !== null) expect(text).toBe(new Intl.NumberFormat(tag, options).format(asIntl(value)));
      }),
      { numRuns: 500 },
    );
    expect(numberFormOf('de-DE', 'EUR')?.negative).toEqual(['-', '\u00a0€']);
  });

  it('writes days as a browser does, or not at all', () => {
    const day = fc.date({ min: new Date('0900-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });
    fc.assert(
      fc.property(locale, day, (tag, date) => {
        const form = dateFormOf(tag);
        const text = form && writeDate(form, date);
        const options = { year: 'numeric', month: 'short', day: 'numeric', timeZone: 'UTC' } as const;
        if (text !== null) expect(text).toBe(new Intl.DateTimeFormat(tag, options).format(date));
      }),
      { numRuns: 500 },
    );
    // Years of another count.
    expect(['fa-IR', 'th-TH'].map(dateFormOf)).toEqual([null, null]);
    expect(['en-US', 'de-DE', 'fr-FR', 'ar'].filter((tag) => dateFormOf(tag) === null)).toEqual([]);
  });
});
