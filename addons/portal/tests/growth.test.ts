import { fromHtml } from '@kontor/addon';
import { growthOf, linearGrowth } from '@kontor/testing/growth';
import { expect, it } from 'vitest';

/** What a customer and colleagues can write, with a size at which work that grows with its square takes seconds. */
const texts: Readonly<Record<string, readonly [size: number, text: (n: number) => string]>> = {
  'signs of tags': [100_000, (n) => '<'.repeat(n)],
  'tags that stay open': [50_000, (n) => '<p '.repeat(n)],
  'spaces in a tag': [200_000, (n) => `<br${' '.repeat(n)}`],
  entities: [50_000, (n) => '&lt;'.repeat(n)],
};

it.each(Object.entries(texts))('CST-8 four times as much costs about four times as much: %s', async (_, [n, text]) => {
  expect(await growthOf((size) => fromHtml(text(size)), n)).toBeLessThan(linearGrowth);
});
