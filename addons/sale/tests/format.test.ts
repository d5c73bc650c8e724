import { Decimal } from '@kontor/addon';
import { expect, it } from 'vitest';
import { formatAmount } from '../quotation/format.ts';

it('writes an amount as the reader of a language does, with the sign of the currency', () => {
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
