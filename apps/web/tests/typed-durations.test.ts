import { describe, expect, it } from 'vitest';
import { durationField } from '../fields/duration.tsx';
import { formatHours, parseHours } from '../i18n/numbers.ts';
import { testBootstrap } from './bootstrap.ts';

describe('TYP-3 a duration that somebody types', () => {
  it.each([
    ['1:30', 1.5],
    ['-0:45', -0.75],
    ['1h30', 1.5],
    ['1 h 30 min', 1.5],
    ['1h', 1],
    ['90m', 1.5],
    ['90 Minuten', 1.5],
    ['1,5h', 1.5],
    ['2 Std. 15', 2.25],
    ['1.5', 1.5],
    ['7,5', 7.5],
    ['٩٠m', 1.5],
  ])('is read as hours: %s', (text, hours) => {
    for (const lang of ['en_US', 'de_DE']) {
      testBootstrap({ lang });
      expect(parseHours(text), lang).toBe(hours);
    }
  });

  it.each(['1:75', 'h', '1h90', 'soon', '1:30:00'])('is none, and stays as it was typed: %s', (text) => {
    testBootstrap({ lang: 'en_US' });
    expect(parseHours(text)).toBeUndefined();
    expect(durationField.toText({ value: text } as never)).toBe(text);
  });

  it('has the decimals that its field has room for', () => {
    testBootstrap({ lang: 'en_US' });
    expect([parseHours('1:20', 2), parseHours('20m', 2), parseHours('1:20')]).toEqual([1.33, 0.33, 1.3333]);
  });

  it('is written as hours and minutes', () => {
    expect(formatHours(1.5)).toBe('1:30');
    expect(formatHours(-0.75)).toBe('-0:45');
  });
});
