import { assembleRegistry, defineModel, fields } from '@kontor/orm';
import { growthOf, linearGrowth } from '@kontor/testing/growth';
import { expect, it } from 'vitest';
import { personalPage } from '../personal/export-personal.ts';

const model = defineModel('test.note', { fields: { plain: fields.text(), rich: fields.html() } });
const registry = assembleRegistry([{ module: 'test', definitions: [model] }]);
const pageOf = (plain: string, rich: string) => {
  const values = { plain: { label: 'Plain', value: plain }, rich: { label: 'Rich', value: rich } };
  return personalPage(registry, [{ model: 'test.note', label: 'Note', id: 1, name: 'One', values }]);
};

it('PRS-2 the page for people has plain texts whole, and rich text without its tags', () => {
  const page = pageOf('a < b and c > d', '<p>e &lt; <b>f</b></p>');
  expect(page).toContain('<td>a &lt; b and c &gt; d</td>');
  expect(page).toContain('<td>e &lt;  f</td>');
});

it('CST-8 four times as many signs of tags cost about four times as much', async () => {
  expect(await growthOf((n) => pageOf('<'.repeat(n), '<'.repeat(n)), 100_000)).toBeLessThan(linearGrowth);
});
