import { Decimal } from '@kontor/orm';
import { expect, it } from 'vitest';
import { formatAmount, formatDate, formatNumber } from '../document/format.ts';

it('EXP-14 writes an amount as the reader of a language does, with the sign of the currency', () => {
  const amount = new Decimal('5149.2');
  const dollar = { symbol: '$', decimal_places: 2 };
  expect(formatAmount(amount, dollar, 'en_US')).toBe('$5,149.20');
  expect(formatAmount(amount, dollar, 'de_DE')).toBe('5.149,20\u00a0$');
  expect(formatAmount(amount, dollar, 'fr_FR')).toBe('5\u202f149,20\u00a0$');
  expect(formatAmount(amount, { symbol: 'CHF', decimal_places: 2 }, 'en_US')).toBe('CHF\u00a05,149.20');
  expect(formatAmount(amount, { symbol: 'kr', decimal_places: 0 }, 'de_DE')).toBe('5.149\u00a0kr');
  expect(formatAmount(new Decimal('123456789012345.6789'), { symbol: '€', decimal_places: 4 }, 'en_US')).toBe(
    '€123,456,789,012,345.6789',
  );
  expect(formatAmount(amount, null, 'xx_nonsense')).toBe('5,149.20');
});

it('EXP-14 writes numbers and days as the reader of a language does', () => {
  expect(formatNumber(new Decimal('1234.500'), 'de_DE')).toBe('1.234,5');
  expect(formatNumber(new Decimal('12345678901234567890.25'), null)).toBe('12,345,678,901,234,567,890.25');
  expect(formatDate('2026-10-25', 'de_DE')).toBe('25.10.2026');
  expect(formatDate('2026-10-25T23:30:00Z', 'en_US')).toBe('Oct 25, 2026');
  expect(formatDate(null, 'fr_FR')).toBe('');
});
