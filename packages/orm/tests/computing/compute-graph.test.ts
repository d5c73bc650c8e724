import { describe, expect, it } from 'vitest';
import {
  assembleRegistry,
  defineModel,
  fields,
  inheritModel,
  type ModelDefinition,
  type Registry,
} from '../../index.ts';

function assemble(...definitions: ModelDefinition[]): Registry {
  return assembleRegistry([{ module: 'test', definitions }]);
}
const value = () => null;
const stored = { computed: true, stored: true } as const;

const country = defineModel('test.country', {
  displayName: '{name} ({code})',
  fields: { name: fields.char(), code: fields.char() },
});
const partner = defineModel('test.partner', {
  fields: { name: fields.char(), country_id: fields.many2one('test.country'), tag_ids: fields.many2many('test.tag') },
});
const tag = defineModel('test.tag', {
  fields: { name: fields.char(), partner_ids: fields.many2many('test.partner', { inverse: 'tag_ids' }) },
});
const order = defineModel('test.order', {
  fields: {
    partner_id: fields.many2one('test.partner'),
    line_ids: fields.one2many('test.line', 'order_id'),
    country_id: fields.many2one('test.country', { related: 'partner_id.country_id' }),
    total: fields.monetary(stored),
    lines: fields.integer(stored),
    shout: fields.char({ computed: true }),
    tags: fields.char(stored),
    summary: fields.char(stored),
  },
  computes: {
    summary: { depends: ['shout', 'total', 'country_id.display_name'], value },
    tags: { depends: ['partner_id.tag_ids.name'], value },
    shout: { depends: ['partner_id.name'], value },
    total: { sum: 'line_ids.subtotal' },
    lines: { count: 'line_ids' },
  },
});
const line = defineModel('test.line', {
  fields: {
    order_id: fields.many2one('test.order'),
    qty: fields.integer(),
    subtotal: fields.monetary(stored),
    share: fields.float(stored),
  },
  computes: {
    share: { depends: ['subtotal', 'order_id.total'], value },
    subtotal: { depends: ['qty'], value },
  },
});

describe('CMP-2 a change makes stale what depends on it, through relations', () => {
  const registry = assemble(country, partner, tag, order, line);
  const stale = (model: string, field: string) =>
    registry
      .triggers(model, field)
      .map((trigger) => `${[...trigger.path, ''].join('.')}${trigger.model}.${trigger.field}`)
      .sort();

  it('on the record itself', () => {
    expect(stale('test.line', 'qty')).toEqual(['test.line.subtotal']);
    expect(stale('test.line', 'subtotal')).toEqual(['line_ids.test.order.total', 'test.line.share']);
  });
  it('when a line comes or goes', () => {
    expect(stale('test.line', 'order_id')).toEqual([
      'line_ids.test.order.lines',
      'line_ids.test.order.total',
      'test.line.share',
    ]);
    expect(stale('test.order', 'line_ids')).toEqual(['test.order.lines', 'test.order.total']);
  });
  it('at every step of a path', () => {
    expect(stale('test.order', 'partner_id')).toEqual(['test.order.summary', 'test.order.tags']);
    expect(stale('test.partner', 'country_id')).toEqual(['partner_id.test.order.summary']);
    expect(stale('test.order', 'total')).toEqual(['order_id.test.line.share', 'test.order.summary']);
  });
  it('from both sides of a many2many', () => {
    expect(stale('test.partner', 'tag_ids')).toEqual(['partner_id.test.order.tags']);
    expect(stale('test.tag', 'partner_ids')).toEqual(['partner_id.tag_ids.test.order.tags']);
    expect(stale('test.tag', 'name')).toEqual(['partner_id.tag_ids.test.order.tags']);
  });
  it('through computes that are not stored, related fields and display names', () => {
    expect(stale('test.partner', 'name')).toEqual(['partner_id.test.order.summary']);
    expect(stale('test.country', 'code')).toEqual(['partner_id.country_id.test.order.summary']);
    expect(stale('test.order', 'shout')).toEqual([]);
  });
  it('and nothing else', () => {
    expect(stale('test.order', 'summary')).toEqual([]);
    expect(stale('test.nope', 'name')).toEqual([]);
  });
});

describe('CMP-2 stored computes run after those they depend on', () => {
  const registry = assemble(country, partner, tag, order, line);
  it('across models', () => {
    const names = registry.computeOrder.map(({ name }) => name);
    expect(names).toHaveLength(6);
    const before = (a: string, b: string) => expect(names.indexOf(a)).toBeLessThan(names.indexOf(b));
    before('subtotal', 'total');
    before('total', 'summary');
    before('total', 'share');
    before('subtotal', 'share');
  });
  it('within a model', () => {
    expect(registry.storedComputes('test.line').map(({ name }) => name)).toEqual(['subtotal', 'share']);
    expect(registry.storedComputes('test.partner')).toEqual([]);
  });
});

describe('CMP-2 circles are refused with the chain', () => {
  const circle =
    (
      fields_: Parameters<typeof defineModel>[1]['fields'],
      computes: Record<string, { depends: string[]; value: () => null }>,
    ) =>
    () =>
      assemble(country, partner, tag, order, line, defineModel('test.loop', { fields: fields_, computes }));
  it('on one record', () => {
    const make = circle(
      { a: fields.char(stored), b: fields.char({ computed: true }), c: fields.char(stored) },
      { a: { depends: ['b'], value }, b: { depends: ['c'], value }, c: { depends: ['a'], value } },
    );
    expect(make).toThrow('it depends on itself: test.loop.a → test.loop.b → test.loop.c → test.loop.a.');
  });
  it('on itself', () => {
    expect(circle({ a: fields.char(stored) }, { a: { depends: ['a'], value } })).toThrow('test.loop.a → test.loop.a.');
  });
  it('between models', () => {
    const loop = inheritModel('test.line', { computes: { subtotal: { depends: ['order_id.total'], value } } });
    expect(() => assemble(country, partner, tag, order, line, loop)).toThrow(
      /test\.order\.total → test\.line\.subtotal → test\.order\.total/,
    );
  });
  it('of display names', () => {
    const one = defineModel('test.one', { displayName: '{two_id}', fields: { two_id: fields.many2one('test.two') } });
    const two = defineModel('test.two', { displayName: '{one_id}', fields: { one_id: fields.many2one('test.one') } });
    expect(() => assemble(one, two)).toThrow('test.one.display_name → test.two.display_name → test.one.display_name');
  });
  it('but a stored field may follow itself to another record', () => {
    const category = defineModel('test.category', {
      fields: { name: fields.char(), parent_id: fields.many2one('test.category'), full_name: fields.char(stored) },
      computes: { full_name: { depends: ['name', 'parent_id.full_name'], value } },
    });
    const registry = assemble(category);
    expect(registry.triggers('test.category', 'full_name')).toEqual([
      { model: 'test.category', field: 'full_name', path: ['parent_id'] },
    ]);
    expect(registry.computeOrder).toHaveLength(1);
  });
});

describe('CMP-2 a stored compute cannot look behind a computed relation', () => {
  it('that is not stored', () => {
    const extension = inheritModel('test.order', {
      fields: { guess_id: fields.many2one('test.partner', { computed: true }), x: fields.char(stored) },
      computes: { guess_id: { depends: ['partner_id'], value }, x: { depends: ['guess_id.name'], value } },
    });
    expect(() => assemble(country, partner, tag, order, line, extension)).toThrow(
      'field x: it is stored and depends on something behind test.order.guess_id, which is computed and not stored.',
    );
  });
});
