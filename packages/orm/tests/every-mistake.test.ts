import { describe, expect, it } from 'vitest';
import { defineModel, fields, inheritModel, inspectDefinitions } from '../index.ts';

const partner = defineModel('shop.partner', {
  fields: {
    name: fields.char(),
    Ref: fields.char(), // its name
    country_id: fields.many2one('shop.country'), // no such model
    country: fields.char({ related: 'country_id.name' }),
    region: fields.char({ related: 'country_id.region_id.name', stored: true }),
  },
  order: 'country_id.name, nmae', // no such field
  displayName: '{name} ({country_id.code})',
});
const order = defineModel('shop.order', {
  fields: {
    name: fields.char({ default: 5 as unknown as string }), // its default
    state: fields.selection({ draft: 'Draft', sale: 'Sale' }, { default: 'drft' as 'draft' }), // its default
    partner_id: fields.many2one('shop.partner'),
    partner_name: fields.char({ related: 'partner_id.nam' }), // no such field
    shout: fields.char({ related: 'partner_name.upper' }),
    region: fields.char({ computed: true, stored: true }),
    line_ids: fields.one2many('shop.line', 'ordr_id'), // its inverse
    tag_ids: fields.many2many('shop.tag'), // no such model
    total: fields.float({ computed: true }),
    count: fields.integer({ computed: true, stored: true }),
    first: fields.integer({ computed: true, stored: true }),
    second: fields.integer({ computed: true, stored: true }),
    left: fields.integer({ computed: true, stored: true, editable: true }),
    right: fields.integer({ computed: true, stored: true, editable: true }),
    user_id: fields.many2one('core.usr'), // no such model
    parent_ids: fields.many2many('shop.oder'), // no such model
  },
  due: { date: 'dat', by: 'user_id', open: [], label: 'Due', icon: 'box' }, // no such field
  acyclic: { parents: { over: ['parent_ids'], message: 'No.' } },
  computes: {
    region: { depends: ['partner_id.region', 'partner_name'], value: () => '' },
    total: { sum: 'line_ids.price' },
    count: { depends: ['tag_ids.nothing', 'nothing'], value: () => 1 }, // no such field
    first: { depends: ['second'], value: () => 1 },
    second: { depends: ['first'], value: () => 1 }, // a circle
    left: { depends: ['right'], value: () => 1 },
    right: { depends: ['left'], value: () => 1 }, // a circle
  },
  constraints: { fits: { on: ['totl'], holds: () => true, message: 'No.' } }, // no such field
  states: { field: 'state', initial: 'draft', locks: { done: ['name'] } }, // no such value
  moves: { confirm: { from: 'draft', to: 'sold', label: 'Confirm', needs: ['lines'] } }, // no such value, no such condition
  actions: { 'do it': async () => undefined }, // its name
});
const line = defineModel('shop.line', {
  fields: {
    order_id: fields.many2one('shop.order'),
    price: fields.decimal({ precision: [2, 5] }), // its precision
    customer: fields.char({ related: 'order_id.partner_name' }),
  },
  uniques: { once: { fields: ['order'], message: 'Once.' } }, // no such field
});
const other = inheritModel('shop.lien', { fields: { note: fields.text() } }); // no such model
const wrongly = inheritModel('shop.order', { fields: { name: fields.integer() } }); // its type

describe('CHK-9 definitions with mistakes of every step', () => {
  it('are reported together, each mistake once, without what only follows from another', () => {
    const { registry, problems } = inspectDefinitions([
      { module: 'shop', definitions: [partner, order, line, other, wrongly] },
    ]);
    const said = problems.map(({ model, field, message }) => `${model}${field ? `.${field}` : ''}: ${message}`).sort();
    expect(said).toEqual([
      'shop.lien: it extends a model that does not exist. Did you mean "shop.line"?',
      'shop.line.price: its precision is [digits in all, digits after the point], such as [16, 2].',
      'shop.line: unique "once" has no field "order" to use. Choose one of: order_id, price, customer.',
      'shop.order.count: depends on "nothing": shop.order has no field "nothing". Choose one of: name, state, partner_id, partner_name, shout, region, line_ids, tag_ids, total, count, first, second, …',
      'shop.order.first: it depends on itself: shop.order.first → shop.order.second → shop.order.first.',
      'shop.order.left: it depends on itself: left → right → left.',
      'shop.order.line_ids: its inverse: shop.line has no field "ordr_id". Did you mean "order_id"?',
      "shop.order.name: its default does not fit: Must be text. Give a text such as 'New', or leave the default out.",
      'shop.order.name: its type is char in module shop and cannot become integer.',
      'shop.order.parent_ids: there is no model shop.oder. Did you mean "shop.order"?',
      'shop.order.partner_name: related "partner_id.nam": shop.partner has no field "nam". Did you mean "name"?',
      'shop.order.state: its default does not fit: "drft" is not one of the choices. Did you mean "draft"?',
      'shop.order.tag_ids: there is no model shop.tag.',
      'shop.order.user_id: there is no model core.usr. Add the addon that defines it to "depends" in manifest.json.',
      'shop.order: action "do it": a name is lower-case letters, digits and underscores, a letter first.',
      'shop.order: constraint "fits" is on "totl": there is no such field. Did you mean "total"?',
      'shop.order: due date "dat" is no stored date.',
      'shop.order: move "confirm" has "sold" in "to", which is no value. Choose one of: draft, sale.',
      'shop.order: move "confirm" needs "lines": no such condition. Name it in "conditions" of the states.',
      'shop.order: states have "done" in "locks", which is no value. Choose one of: draft, sale.',
      'shop.partner.Ref: a name is lower-case letters, digits and underscores, a letter first.',
      'shop.partner.country_id: there is no model shop.country.',
      'shop.partner: order "nmae": shop.partner has no field "nmae". Did you mean "name"?',
    ]);
    expect([...registry.models.keys()]).toEqual(['shop.partner', 'shop.order', 'shop.line']);
  });
});
