import { describe, expect, it } from 'vitest';
import { assembleRegistry, defineModel, fields, inheritModel, type ModelDefinition } from '../index.ts';

function assemble(...definitions: ModelDefinition[]) {
  return assembleRegistry([{ module: 'test', definitions }]);
}

const partner = defineModel('test.partner', {
  fields: { name: fields.char({ required: true }), country_id: fields.many2one('test.country') },
});
const country = defineModel('test.country', {
  fields: { name: fields.char(), code: fields.char() },
  displayName: '{name} ({code})',
});
const order = defineModel('test.order', {
  fields: {
    name: fields.char(),
    partner_id: fields.many2one('test.partner'),
    line_ids: fields.one2many('test.order.line', 'order_id'),
    country_name: fields.char({ related: 'partner_id.country_id.name' }),
    shout: fields.char({ computed: true }),
    amount_total: fields.monetary({ computed: true, stored: true }),
    label: fields.char({ computed: true, stored: true }),
  },
  computes: {
    shout: { depends: ['country_name'], value: (r) => String(r.country_name).toUpperCase() },
    label: { depends: ['shout', 'amount_total', 'partner_id.display_name'], value: () => '' },
    amount_total: { sum: 'line_ids.subtotal' },
  },
});
const line = defineModel('test.order.line', {
  fields: {
    order_id: fields.many2one('test.order', { required: true, ondelete: 'cascade' }),
    qty: fields.integer(),
    subtotal: fields.monetary({ computed: true, stored: true }),
  },
  computes: { subtotal: { depends: ['qty'], value: () => 1 } },
});
describe('smoke', () => {
  it('works', () => {
    const registry = assemble(partner, country, order, line);
    expect(registry.storedComputes('test.order').map((f) => f.name)).toEqual(['amount_total', 'label']);
    expect(registry.computeOrder.map((f) => f.name)).toEqual(['subtotal', 'amount_total', 'label']);
    expect(registry.triggers('test.order.line', 'order_id')).toEqual([
      { model: 'test.order', field: 'amount_total', path: ['line_ids'] },
    ]);
    expect(registry.triggers('test.country', 'name')).toEqual([
      { model: 'test.order', field: 'label', path: ['partner_id', 'country_id'] },
    ]);
    expect(registry.triggers('test.partner', 'name')).toEqual([
      { model: 'test.order', field: 'label', path: ['partner_id'] },
    ]);
    void inheritModel;
  });
});
