import { describe, expect, it } from 'vitest';
import { matchesPattern } from '../index.ts';

describe('DOM-3 patterns', () => {
  it('a pattern that would make a backtracking matcher explode is decided at once', () => {
    expect(matchesPattern('a'.repeat(20_000), `${'%a'.repeat(50)}%b`)).toBe(false);
  });

  it('one character is one code point, line breaks are characters', () => {
    expect(matchesPattern('😀', '_')).toBe(true);
    expect(matchesPattern('a\nb', 'a_b')).toBe(true);
    expect(matchesPattern('a%b', 'a\\%b')).toBe(true);
    expect(matchesPattern('axb', 'a\\%b')).toBe(false);
  });
});
