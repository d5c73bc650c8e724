import { describe, expect, it } from 'vitest';
import { archOf, view } from './example-world.ts';

const running = [['state', 'in', ['draft', 'sale']]];

describe('sets of states in views', () => {
  it('LAN-2 reach the browser as their values, in conditions, decorations and options of widgets', () => {
    const { arch } = archOf(`<list id="l" model="sale.order" decoration-muted='[["state", "not in", "running"]]'>
      <field name="name" invisible='[["state", "in", "running"]]'/>
      <field name="date_end" widget="remaining_days" options='{"done": [["state", "in", "running"]], "x": 1}'/>
    </list>`);
    expect(arch.list).toMatchObject({
      decorations: [{ look: 'muted', when: [['state', 'not in', ['draft', 'sale']]] }],
      columns: [{ invisible: running }, { options: { done: running, x: 1 } }],
    });
  });

  it('LAN-2 reach the browser as their values in filters and in the domain of a relation', () => {
    const search = view(`<search id="s" model="sale.order">
      <filter name="a" label="A" domain='[["depends_on_ids.state", "in", "running"]]'/></search>`);
    const xml = `<form id="f" model="sale.order"><field name="depends_on_ids" domain='[["state", "in", "running"]]'/></form>`;
    const { arch } = archOf(xml, { search });
    expect(arch.search.filters).toMatchObject([{ domain: [['depends_on_ids.state', 'in', ['draft', 'sale']]] }]);
    expect(arch.form).toMatchObject({ children: [{ domain: running }] });
  });
});
