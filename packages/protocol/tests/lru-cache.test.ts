import { expect, it } from 'vitest';
import { lruCache } from '../index.ts';

it('keeps what was used last, and says what had to go', () => {
  const gone: number[] = [];
  const cache = lruCache<string, number>(2, (value) => gone.push(value));
  cache.set('a', 1);
  cache.set('b', 2);
  cache.get('a');
  cache.set('c', 3);
  expect([cache.get('a'), cache.get('b'), cache.get('c'), cache.size]).toEqual([1, undefined, 3, 2]);
  cache.set('a', 10);
  cache.set('d', 4);
  expect([gone, [...cache.values()]]).toEqual([
    [2, 3],
    [10, 4],
  ]);
  cache.delete('a');
  cache.clear();
  expect([gone, cache.size]).toEqual([[2, 3], 0]);
});
