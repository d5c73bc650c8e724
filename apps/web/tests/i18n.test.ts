import { describe, expect, it } from 'vitest';
import { bareText } from '../fields/plain.tsx';
import { formatBucket, formatDate, formatDateTime, formatRelative } from '../i18n/dates.ts';
import { fromLocalInput, toLocalInput } from '../i18n/local-time.ts';
import { t, tn } from '../i18n/messages.ts';
import { editNumber, formatDecimal, formatMoney, parseNumber } from '../i18n/numbers.ts';
import { archField } from './arch-field.ts';
import { testBootstrap } from './bootstrap.ts';

describe('words', () => {
  it('are the person’s, with their gaps filled', () => {
    const records = { '{n} record\none': '{n} Datensatz', '{n} record\nother': '{n} Datensätze' };
    testBootstrap({ lang: 'de_DE', messages: { 'New {label}': '{label} anlegen', ...records } });
    expect(t('New {label}', { label: 'Auftrag' })).toBe('Auftrag anlegen');
    expect(t('Close')).toBe('Close');
    expect(tn('{n} record', '{n} records', 1284)).toBe('1.284 Datensätze');
    expect(tn('{n} record', '{n} records', 1)).toBe('1 Datensatz');
    expect(tn('{n} line', '{n} lines', 2)).toBe('2 lines');
    testBootstrap({
      lang: 'pl_PL',
      messages: { '{n} record\nfew': '{n} rekordy', '{n} record\nmany': '{n} rekordów' },
    });
    expect([2, 5].map((n) => tn('{n} record', '{n} records', n))).toEqual(['2 rekordy', '5 rekordów']);
  });
});

describe('numbers', () => {
  it('SCN-111 amounts in messages and filters have all their digits, without a currency as well', () => {
    testBootstrap({ lang: 'en_US' });
    const amount = archField('amount_total', 'monetary');
    expect([1820.7, 1713, 0.125].map((value) => bareText(amount, value))).toEqual(['1,820.70', '1,713', '0.125']);
    expect(bareText(archField('quantity', 'decimal'), 1.5)).toBe('1.5');
  });

  it('are written and read in the person’s notation', () => {
    testBootstrap({ lang: 'de_DE' });
    expect(formatDecimal(1234.5, 2)).toBe('1.234,50');
    expect(parseNumber('1.234,50')).toBe(1234.5);
    expect(editNumber(0.5)).toBe('0,5');
    testBootstrap({ lang: 'en_US' });
    expect(parseNumber('1,234.5')).toBe(1234.5);
    expect(parseNumber('')).toBeNull();
    expect(parseNumber('12x')).toBeUndefined();
  });

  it('keep the digits of a decimal text', () => {
    testBootstrap({ lang: 'en_US' });
    expect(formatDecimal('12345678901234567.89', 2)).toBe('12,345,678,901,234,567.89');
    expect(formatMoney(9082.94, 'EUR')).toBe('€9,082.94');
    expect(formatMoney(5, 'JPY')).toBe('¥5');
    expect(formatMoney(5)).toBe('5.00');
  });
});

describe('times', () => {
  it('are shown in the person’s zone, dates in none', () => {
    testBootstrap({ user: { ...testBootstrap().user, tz: 'Asia/Tokyo' } });
    expect(formatDate('2026-11-14')).toBe('Nov 14, 2026');
    expect(formatDateTime('2026-11-14T23:30:00Z')).toBe('Nov 15, 2026, 08:30 AM');
  });

  it('go to an input and come back, over a change of the clock as well', () => {
    const berlin = 'Europe/Berlin';
    for (const instant of [
      '2026-03-29T00:59:00.000Z',
      '2026-03-29T01:01:00.000Z',
      '2026-10-25T02:30:00.000Z',
      '2026-07-01T12:00:00.000Z',
    ]) {
      expect(fromLocalInput(toLocalInput(instant, berlin), berlin)).toBe(instant);
    }
    expect(toLocalInput('2026-07-01T12:00:00.000Z', berlin)).toBe('2026-07-01T14:00');
  });

  it('name the buckets of groups', () => {
    testBootstrap();
    expect(formatBucket('2026-11')).toBe('November 2026');
    expect(formatBucket('2026-Q4')).toBe('Q4 2026');
    expect(formatBucket('2026-W46')).toBe('W46 2026');
    expect(formatBucket('2026')).toBe('2026');
    expect(formatRelative('2026-11-14T10:00:00Z', Date.parse('2026-11-14T12:00:00Z'))).toBe('2 hours ago');
  });
});
