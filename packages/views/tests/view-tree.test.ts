import type { DevViewNode } from '@kontor/protocol';
import { describe, expect, it } from 'vitest';
import { composeView, originOf, type StoredView, viewTree } from '../index.ts';
import { view } from './example-world.ts';

const base = view(`<form id="order_form" model="sale.order">
  <title><field name="name"/></title>
  <group label="Customer's data"><field name="partner_id"/><field name="payment_days"/></group>
  <group><field name="color"/></group>
  <notebook><page label="Notes"><field name="notes"/></page></notebook>
</form>`);
const more = view(
  `<inherit view="sale.order_form">
  <xpath expr="//field[@name='notes']" position="after"><field name="color" label="Colour"/></xpath>
  <xpath expr="//field[@name='notes']" position="attributes"><attribute name="help">All</attribute></xpath>
</inherit>`,
  'views/more.xml',
  'more',
);
const stored = (id: number, key: string, module: string, file: string): StoredView => ({
  ...{ id, key, module, file, line: 1, arch: '', priority: 16 },
  inheritId: id === 1 ? null : 1,
});
const views = [
  stored(1, 'sale.order_form', 'sale', 'views/order.xml'),
  stored(2, 'more.order_form', 'more', 'views/more.xml'),
];
const composed = composeView(base, [more]);
const tree = viewTree(composed, composed, (place) => originOf(views, views[0] as StoredView, place));

function* walk(node: DevViewNode): Generator<DevViewNode> {
  yield node;
  for (const child of node.children) yield* walk(child);
}
const found = (written: string) => [...walk(tree)].filter((node) => node.written.includes(written));

describe('DEV-8 the tree of a view', () => {
  it('names the origin of each element and of each changed attribute', () => {
    expect(found('partner_id')[0]).toMatchObject({
      xpath: "//field[@name='partner_id']",
      origin: 'sale: views/order.xml:3',
      changes: [],
    });
    expect(found('label="Colour"')[0]?.origin).toBe('more: views/more.xml:2 (more.order_form)');
    expect(found('name="notes"')[0]?.changes).toEqual([
      { attribute: 'help', origin: 'more: views/more.xml:3 (more.order_form)' },
    ]);
  });

  it('has an expression for every element that finds it alone', () => {
    for (const node of walk(tree)) {
      if (node === tree) continue;
      const marked = view(
        `<inherit view="sale.order_form"><xpath expr="${node.xpath.replaceAll('"', '&quot;')}" position="attributes"><attribute name="groups">x</attribute></xpath></inherit>`,
      );
      const changed = viewTree(composeView(composed, [marked]), composed, () => '');
      const hit = [...walk(changed)].filter(({ written }) => written.includes('groups='));
      expect(hit.map(({ xpath }) => xpath)).toEqual([node.xpath]);
    }
  });
});
