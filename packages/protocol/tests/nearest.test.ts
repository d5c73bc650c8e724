import { describe, expect, it } from 'vitest';
import { didYouMean, nearest } from '../nearest.ts';

describe('MOD-6 the nearest valid name', () => {
  const names = ['amount_total', 'partner_id', 'state', 'name'];
  it.each([
    ['amont_total', 'amount_total'],
    ['amount_totla', 'amount_total'],
    ['parnter_id', 'partner_id'],
    ['stat', 'state'],
    ['Name', 'name'],
    ['nmae', 'name'],
  ])('%s → %s', (given, expected) => {
    expect(nearest(given, names)).toBe(expected);
  });
  it.each(['zzz', 'x', '', 'customer_reference'])('suggests nothing for %j', (given) => {
    expect(nearest(given, names)).toBeNull();
    expect(didYouMean(given, names)).toBe('');
  });
  it('ends a message', () => {
    expect(didYouMean('stte', names)).toBe(' Did you mean "state"?');
  });
});
