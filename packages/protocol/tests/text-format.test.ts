import { describe, expect, it } from 'vitest';
import { isInFormat } from '../text-format.ts';

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
  ] as const)('cannot hold: %s, %s', (format, text) => {
    expect(isInFormat(format, text)).toBe(false);
  });

  it('is checked in time that grows with its length alone: by one that grows faster these texts would take hours', () => {
    for (const format of ['email', 'phone', 'url'] as const) {
      for (const part of ['a.', '1 ', 'x', '.', '(', '1ext'])
        expect(isInFormat(format, `${part.repeat(1_000_000)}@`)).toBe(false);
    }
  });
});
