import { describe, expect, it } from 'vitest';
import { numberFromText } from '../typed-number.ts';

const english = { decimal: '.', group: ',' };
const german = { decimal: ',', group: '.' };
const french = { decimal: ',', group: '\u202f' };
const swiss = { decimal: '.', group: '’' };

const locales = [
  'en-US',
  'en-IN',
  'de-DE',
  'de-CH',
  'fr-FR',
  'es-ES',
  'pt-BR',
  'sv-SE',
  'ar-EG',
  'fa-IR',
  'hi-IN',
  'ja-JP',
  'pl-PL',
];

function notationOf(locale: string) {
  const parts = new Intl.NumberFormat(locale, { numberingSystem: 'latn' }).formatToParts(1234567.5);
  const part = (wanted: string) => parts.find(({ type }) => type === wanted)?.value ?? '';
  return { decimal: part('decimal'), group: part('group') };
}

describe('TYP-1 a number that somebody types', () => {
  it.each([
    ['249,90', english, '249.90'],
    ['7,5', english, '7.5'],
    ['249.90', german, '249.90'],
    ['0,125', english, '0.125'],
    ['1234,567', english, '1234.567'],
    ['1.2345', german, '1.2345'],
    ['1.234.567', english, '1234567'],
    ['1.234,50', english, '1234.50'],
    ['1,234.50', german, '1234.50'],
    ["1'234.50", swiss, '1234.50'],
    ['12,34,567.5', english, '1234567.5'],
    ['€ 1.234,50', english, '1234.50'],
    ['-7,5 %', english, '-7.5'],
    ['−12', english, '-12'],
    ['٣٫٥', english, '3.5'],
    ['.5', english, '0.5'],
  ])('means what the place of its marks says, in any language: %s', (text, notation, digits) => {
    expect(numberFromText(text, notation)).toEqual({ digits });
    expect(numberFromText(text, notation === german ? english : german)).toEqual({ digits });
  });

  it('is read in the notation of the person where the place says nothing', () => {
    expect(numberFromText('1,234', english)).toEqual({ digits: '1234' });
    expect(numberFromText('1.234', german)).toEqual({ digits: '1234' });
    expect(numberFromText('1.234', english)).toEqual({ digits: '1.234' });
  });

  it('is refused with both readings where the notation does not know the mark or the field has no room for decimals', () => {
    const either = { either: ['1234', '1.234'] };
    expect(numberFromText('1.234', french)).toEqual(either);
    expect(numberFromText('1,234', swiss)).toEqual(either);
    expect(numberFromText('1.234', english, 2)).toEqual(either);
    expect(numberFromText('1,234', german, 0)).toEqual(either);
    expect(numberFromText('1,234', german, 3)).toEqual({ digits: '1.234' });
  });

  it.each(['', '-', '12x', '1,2,3', '1,234.5,6', '1 00', '1..5', ',', '1e5'])('is none: %j', (text) => {
    expect(numberFromText(text, english)).toBeNull();
    expect(numberFromText(text, german)).toBeNull();
  });

  it.each(locales)('is the number that the language wrote: %s', (locale) => {
    const notation = notationOf(locale);
    for (const digits of [0, 1, 2, 4]) {
      const format = new Intl.NumberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits });
      for (let round = 0; round < 300; round++) {
        const value = Number(((Math.random() - 0.3) * 10 ** (1 + (round % 9))).toFixed(digits));
        const found = numberFromText(format.format(value), notation);
        expect(found && 'digits' in found ? Number(found.digits) + 0 : found, format.format(value)).toBe(value + 0);
      }
    }
  });

  it('never becomes a hundred times as much in another language', () => {
    for (const wrote of locales) {
      const format = new Intl.NumberFormat(wrote, {
        minimumFractionDigits: 2,
        maximumFractionDigits: 2,
        useGrouping: false,
      });
      for (const reads of locales) {
        for (const value of [0.05, 7.5, 249.9, 1234.56, 98765.43]) {
          expect(numberFromText(format.format(value), notationOf(reads), 2), `${wrote} ${reads}`).toEqual({
            digits: value.toFixed(2),
          });
        }
      }
    }
  });
});
