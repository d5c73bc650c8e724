import { describe, expect, it } from 'vitest';
import { ibanText, isInFormat } from '../text-format.ts';

describe('TYP-4 a text with a format', () => {
  it.each([
    ['email', 'ada@example.com'],
    ['email', 'ada.lovelace+work@mail.example.co.uk'],
    ['email', 'müller@bücher.example'],
    ['email', 'root@localhost'],
    ['phone', '112'],
    ['phone', '+49 (0)30 / 123-456'],
    ['phone', '030 1234 ext. 12'],
    ['phone', '*100#'],
    ['url', 'example.org'],
    ['url', 'https://example.org/a?b=c#d'],
    ['url', 'http://localhost:8069/web'],
    ['url', 'bücher.example:8443/x'],
    ['url', 'HTTPS://EXAMPLE.ORG'],
    ['iban', 'DE89 3704 0044 0532 0130 00'],
    ['iban', 'at611904300234573201'],
    ['iban', '12-345678/0800'],
  ] as const)('can hold: %s, %s', (format, text) => {
    expect(isInFormat(format, text)).toBe(true);
  });

  it.each([
    ['email', 'ada'],
    ['email', 'ada@'],
    ['email', '@example.com'],
    ['email', 'ada@example..com'],
    ['email', 'ada@example.com, bob@example.com'],
    ['email', 'Ada <ada@example.com>'],
    ['email', 'ada @example.com'],
    ['phone', 'call me'],
    ['phone', '+'],
    ['phone', '(-) ext. 12'],
    ['phone', '030 12E4'],
    ['url', 'javascript:alert(1)'],
    ['url', 'JavaScript:alert(1)'],
    ['url', 'data:text/html,x'],
    ['url', 'file:///etc/passwd'],
    ['url', 'mailto:ada@example.com'],
    ['url', 'not a page'],
    ['url', 'https://'],
    ['iban', 'DE89 3704 0044 0532 0130 01'],
    ['iban', 'AT61 1904 3002 3457 3202'],
  ] as const)('cannot hold: %s, %s', (format, text) => {
    expect(isInFormat(format, text)).toBe(false);
  });

  it('that is an IBAN is shown in groups of four, and any other account as it is', () => {
    expect(ibanText('de89370400440532013000')).toBe('DE89 3704 0044 0532 0130 00');
    expect(ibanText('DE89370400440532013001')).toBe('DE89370400440532013001');
    expect(ibanText('12-345678/0800')).toBe('12-345678/0800');
  });

  it('is checked in time that grows with its length alone: by one that grows faster these texts would take hours', () => {
    for (const format of ['email', 'phone', 'url', 'iban'] as const) {
      for (const part of ['a.', '1 ', 'x', '.', '(', '1ext'])
        expect(isInFormat(format, `${part.repeat(1_000_000)}@`)).toBe(false);
    }
  });
});
