import { describe, expect, it } from 'vitest';
import { isAllowedAddress } from '../html-policy.ts';

describe('REC-10 addresses that rich text may lead to', () => {
  it.each(['https://example.com/a', 'HTTP://example.com', 'mailto:ada@example.com', 'tel:+49', '/web?id=1', '#part'])(
    'allows %s',
    (href) => expect(isAllowedAddress(href)).toBe(true),
  );

  it.each([
    'javascript:alert(1)',
    ' java\tscript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,x',
    '//evil.example',
    '\\\\evil.example',
    '/\\evil.example',
    'file:///etc',
  ])('refuses %s', (href) => expect(isAllowedAddress(href)).toBe(false));
});
