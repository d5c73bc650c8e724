import { describe, expect, it } from 'vitest';
import { assembleRegistry } from '../assemble/assemble-registry.ts';
import { fields } from '../author/builders.ts';
import type { FieldSpecs } from '../fields/spec.ts';
import { defineModel } from '../model/define-model.ts';

const order = defineModel('shop.order', {
  fields: {
    state: fields.selection({ draft: 'Draft', sale: 'Order' }, { sets: { open: ['draft'] }, help: 'Where it is.' }),
    partner_id: fields.many2one('shop.partner', { label: 'Customer' }),
    partner_code: fields.related('partner_id.code'),
    amount: fields.decimal({ precision: [9, 2] }),
  },
});
const partner = defineModel('shop.partner', { fields: { code: fields.char({ size: 12, label: 'Short name' }) } });

function line(own: FieldSpecs) {
  const model = defineModel('shop.line', { fields: { order_id: fields.many2one('shop.order'), ...own } });
  // The line comes first: types are inferred whatever the order of the models.
  return assembleRegistry([{ module: 'shop', definitions: [model, order, partner] }]).model('shop.line').fields;
}

describe('related fields', () => {
  it('LAN-7 have the type, choices, sets, relation, label and limits of the field at the end of their path', () => {
    const found = line({
      state: fields.related('order_id.state', { stored: true }),
      partner_id: fields.related('order_id.partner_id'),
      amount: fields.related('order_id.amount', { label: 'Amount of the order' }),
      made_by: fields.related('order_id.create_date'),
    });
    expect(found.get('state')).toMatchObject({
      label: 'State',
      isStored: true,
      spec: { type: 'selection', help: 'Where it is.' },
    });
    expect([...(found.get('state')?.selection?.keys() ?? [])]).toEqual(['draft', 'sale']);
    expect(found.get('state')?.sets.get('open')).toEqual(['draft']);
    expect(found.get('partner_id')).toMatchObject({
      label: 'Customer',
      spec: { type: 'many2one', relation: 'shop.partner' },
    });
    expect(found.get('amount')).toMatchObject({ label: 'Amount of the order', spec: { precision: [9, 2] } });
    expect(found.get('made_by')?.spec.type).toBe('datetime');
  });

  it('LAN-7 go through other related fields', () => {
    const found = line({
      partner_id: fields.related('order_id.partner_id', { stored: true }),
      code: fields.related('partner_id.code'),
      same: fields.related('order_id.partner_code'),
    });
    for (const name of ['code', 'same']) {
      expect(found.get(name)).toMatchObject({ label: 'Short name', spec: { type: 'char', size: 12 } });
    }
  });

  it('LAN-7 name the step of a path that does not exist, and circles', () => {
    expect(() => line({ state: fields.related('order_id.stat') })).toThrow(
      'has no field "stat". Did you mean "state"?',
    );
    expect(() => line({ state: fields.related('state') })).toThrow('must go through a many2one');
  });
});
