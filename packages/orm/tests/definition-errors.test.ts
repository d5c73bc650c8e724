import { describe, expect, it } from 'vitest';
import {
  assembleRegistry,
  currentUser,
  DefinitionError,
  defineModel,
  type FieldSpec,
  fields,
  type InheritSpec,
  inheritModel,
  type ModelDefinition,
  now,
  sequence,
} from '../index.ts';

const partner = defineModel('test.partner', {
  fields: { name: fields.char(), order_ids: fields.one2many('test.order', 'partner_id') },
});
const order = defineModel('test.order', {
  fields: { name: fields.char(), amount: fields.monetary(), partner_id: fields.many2one('test.partner') },
});

function problems(...definitions: ModelDefinition[]): string[] {
  try {
    assembleRegistry([{ module: 'shop', definitions: [partner, order, ...definitions] }]);
  } catch (error) {
    if (error instanceof DefinitionError) return error.message.split('\n');
    throw error;
  }
  throw new Error('It was taken.');
}
function extended(spec: InheritSpec): string[] {
  return problems(inheritModel('test.order', spec));
}
function withField(spec: FieldSpec): string[] {
  return extended({ fields: { it: spec } });
}
const at = (field: string) => `Module shop, model test.order, field ${field}: `;

describe('MOD-6 names', () => {
  it.each(['order', 'Sale.order', 'sale.', 'sale..order', '__proto__', '1a.b', `a.${'b'.repeat(70)}`])(
    'model %s',
    (name) => {
      expect(problems(defineModel(name, { fields: {} }))[0]).toContain(`Module shop, model ${name}: a model name`);
    },
  );
  it.each(['Name', 'a-b', '_x', '1a', 'constructor', 'prototype', 'a.b', 'x'.repeat(64)])('field %s', (name) => {
    expect(extended({ fields: { [name]: fields.char() } })[0]).toContain(at(name));
  });
  it.each(['id', 'create_date', 'write_uid', 'display_name'])('field %s belongs to the system', (name) => {
    expect(extended({ fields: { [name]: fields.char() } })).toEqual([
      `${at(name)}every model has this field by itself.`,
    ]);
  });
  it('actions and constraints', () => {
    expect(extended({ actions: { 'Do it': async () => undefined } })[0]).toContain('action "Do it"');
    expect(extended({ actions: { action_go: async () => undefined } })[0]).toContain('leave out "action_"');
    expect(extended({ constraints: { 'a b': { on: ['name'], holds: () => true, message: '' } } })[0]).toContain(
      'constraint "a b"',
    );
  });
});

describe('MOD-6 models', () => {
  it('defined twice', () => {
    expect(problems(defineModel('test.order', { fields: {} }))).toEqual([
      'Module shop, model test.order: the model is already defined by module shop; extend it with inheritModel.',
    ]);
  });
  it('extended but unknown', () => {
    expect(problems(inheritModel('test.ordr', {}))).toEqual([
      'Module shop, model test.ordr: it extends a model that does not exist. Did you mean "test.order"?',
    ]);
  });
  it('extended before the module that defines it', () => {
    const modules = [
      { module: 'first', definitions: [inheritModel('test.order', {})] },
      { module: 'second', definitions: [partner, order] },
    ];
    expect(() => assembleRegistry(modules)).toThrow('Module second defines it: add it to the depends of first.');
  });
  it('that would share a table', () => {
    const found = problems(defineModel('test.a_b', { fields: {} }), defineModel('test_a.b', { fields: {} }));
    expect(found).toEqual(['Module shop, model test_a.b: its table test_a_b is already that of test.a_b.']);
  });
});

describe('MOD-6 fields', () => {
  it.each<[string, FieldSpec, string]>([
    ['unknown relation', fields.many2one('test.partnr'), 'there is no model test.partnr. Did you mean "test.partner"?'],
    [
      'unknown inverse',
      fields.one2many('test.partner', 'ordr_ids'),
      'its inverse: test.partner has no field "ordr_ids". Did you mean "order_ids"?',
    ],
    [
      'an inverse that does not point back',
      fields.one2many('test.partner', 'name'),
      'its inverse test.partner.name is not a stored many2one to test.order.',
    ],
    [
      'a many2many inverse that is none',
      fields.many2many('test.partner', { inverse: 'name' }),
      'its inverse test.partner.name is not a many2many to test.order.',
    ],
    [
      'a default out of the selection',
      fields.selection({ draft: 'D' }, { default: 'drft' as 'draft' }),
      'its default does not fit',
    ],
    [
      'a default of the wrong type',
      fields.integer({ default: 1.5 }),
      'its default does not fit: Must be a whole number.',
    ],
    [
      'a default that is too long',
      fields.char({ size: 2, default: 'abc' }),
      'its default does not fit: At most 2 characters',
    ],
    ['no options', fields.selection({}), 'a selection needs at least one value.'],
    [
      'a source of another type',
      { type: 'integer', default: sequence('x') },
      'the default "sequence" is for char or text fields.',
    ],
    [
      'a source of another model',
      { type: 'many2one', relation: 'test.partner', default: currentUser },
      'is a record of core.user',
    ],
    ['an instant for a day', { type: 'date', default: now }, 'the default "now" is for datetime fields.'],
    [
      'required but emptied',
      fields.many2one('test.partner', { required: true, ondelete: 'set null' }),
      'cannot be emptied',
    ],
    ['unique but not stored', fields.char({ related: 'partner_id.name', unique: true }), 'cannot be unique'],
    ['bad precision', fields.decimal({ precision: [2, 4] }), 'its precision is [digits in all'],
    ['bad size', fields.char({ size: 0 }), 'its size must be'],
    ['min above max', fields.integer({ min: 5, max: 1 }), 'its min 5 is above its max 1.'],
    [
      'unknown currency',
      fields.monetary({ currency: 'currncy_id' }),
      'its currency "currncy_id": test.order has no field',
    ],
    ['a currency that is none', fields.monetary({ currency: 'partner_id' }), 'is not a many2one to core.currency.'],
    [
      'a domain with an unknown path',
      fields.many2one('test.partner', { domain: [['nme', '=', 'x']] }),
      'its domain "nme": test.partner has no field "nme". Did you mean "name"?',
    ],
    [
      'a domain that is none',
      fields.many2one('test.partner', { domain: [['name', '=', 'x'], '|'] }),
      'its domain is none. Domain item 1: "|" needs two conditions after it.',
    ],
    ['a reference to an unknown model', fields.reference({ models: ['test.ordr'] }), 'Did you mean "test.order"?'],
    ['no compute', fields.char({ computed: true }), 'it is computed but has no compute.'],
  ])('%s', (_case, spec, message) => {
    const found = withField(spec);
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(at('it'));
    expect(found[0]).toContain(message);
  });
  it('whose type an extension changes', () => {
    expect(extended({ fields: { name: fields.integer() } })).toEqual([
      `${at('name')}its type is char in module shop and cannot become integer.`,
    ]);
    expect(extended({ fields: { partner_id: fields.many2one('test.order') } })[0]).toContain(
      'its relation is test.partner',
    );
  });
  it('all at once', () => {
    expect(extended({ fields: { a: fields.many2one('x.y'), b: fields.many2one('x.z') } })).toHaveLength(2);
  });
});

describe('MOD-6 related fields', () => {
  it.each<[string, FieldSpec, string]>([
    [
      'unknown path',
      fields.char({ related: 'partner_id.nme' }),
      'related "partner_id.nme": test.partner has no field "nme". Did you mean "name"?',
    ],
    [
      'another type',
      fields.integer({ related: 'partner_id.name' }),
      'related "partner_id.name" is of type char, not integer.',
    ],
    ['through many', fields.char({ related: 'partner_id.order_ids.name' }), '"order_ids" has many values'],
    ['of its own model', fields.char({ related: 'name' }), 'must go through a many2one'],
    ['past a value', fields.char({ related: 'name.x' }), '"name" is not a relation'],
  ])('%s', (_case, spec, message) => {
    expect(withField(spec)[0]).toContain(message);
  });
  it('in a circle', () => {
    const found = problems(
      inheritModel('test.order', {
        fields: { a: fields.char({ related: 'next_id.a' }), next_id: fields.many2one('test.order') },
      }),
    );
    expect(found[0]).toContain('related fields go round in a circle: test.order.a → test.order.a.');
  });
});

describe('MOD-6 paths', () => {
  const value = () => undefined;
  it.each<[string, InheritSpec, string]>([
    ['order', { order: 'nme' }, 'order "nme": test.order has no field "nme". Did you mean "name"?'],
    ['order by many', { order: 'partner_id.order_ids' }, 'it cannot be sorted by.'],
    ['displayName', { displayName: '{nme}' }, 'displayName "nme": test.order has no field "nme".'],
    ['an open brace', { displayName: '{name' }, 'is not a template'],
    ['unique', { uniques: { u: { fields: ['nme'] } } }, 'unique "u" has no field "nme" to use. Did you mean "name"?'],
    ['index', { indexes: ['name, nme'] }, 'index "name, nme" has no field "nme"'],
    ['index of a path', { indexes: ['partner_id.name'] }, 'has no field "partner_id.name"'],
    ['onchange', { onchange: { nme: { value } } }, 'an onchange for a field that does not exist. Did you mean "name"?'],
    ['onchange reads', { onchange: { name: { reads: ['partner_id.nme'], value } } }, 'onchange reads "partner_id.nme"'],
    [
      'constraint on',
      { constraints: { c: { on: ['nme'], holds: () => true, message: '' } } },
      'constraint "c" is on "nme"',
    ],
    [
      'constraint on a path',
      { constraints: { c: { on: ['partner_id.name'], holds: () => true, message: '' } } },
      'and paths in "reads"',
    ],
    ['hooks on', { hooks: { on: ['nme'], afterWrite: async () => {} } }, 'hooks are on "nme": there is no such field'],
    ['hooks on nothing', { hooks: { on: [], afterWrite: async () => {} } }, 'hooks have nothing in "on"'],
    ['hooks on, and none of a write', { hooks: { on: ['name'], afterCreate: async () => {} } }, 'neither of them'],
    [
      'constraint reads',
      { constraints: { c: { on: ['name'], reads: ['x'], holds: () => true, message: '' } } },
      'constraint "c" reads "x"',
    ],
    ['acyclic over nothing', { acyclic: { a: { over: [], message: '' } } }, 'acyclic "a" names no relation in "over".'],
    ['acyclic', { acyclic: { a: { over: ['nme'], message: '' } } }, 'is over "nme": there is no such field.'],
    [
      'acyclic over a relation to others',
      { acyclic: { a: { over: ['partner_id'], message: '' } } },
      'acyclic "a" is over "partner_id", which leads to no test.order.',
    ],
    [
      'acyclic over what is not stored',
      {
        fields: { near: fields.many2many('test.order', { computed: true }) },
        computes: { near: { depends: [], value } },
        acyclic: { a: { over: ['near'], message: '' } },
      },
      'acyclic "a" is over "near", which is not stored.',
    ],
    [
      'acyclic shown nowhere',
      {
        fields: { after_id: fields.many2one('test.order') },
        acyclic: { a: { over: ['after_id'], message: '', field: 'aftr_id' } },
      },
      'is shown at "aftr_id": there is no such field. Did you mean "after_id"?',
    ],
    [
      'compute',
      { computes: { nme: { depends: [], value } } },
      'a compute for a field that does not exist. Did you mean "name"?',
    ],
    [
      'compute without depends',
      {
        fields: { twice: fields.integer({ computed: true }) },
        computes: { twice: { value, depends: undefined as unknown as string[] } },
      },
      'its compute has no "depends"',
    ],
    [
      'compute that is a function alone',
      {
        fields: { twice: fields.integer({ computed: true, stored: true, editable: true }) },
        computes: { twice: (() => 2) as unknown as { count: string } },
      },
      'an editable compute gives its value by a function, not by an aggregate',
    ],
    [
      'compute without anything',
      { fields: { twice: fields.integer({ computed: true }) }, computes: { twice: {} as { count: string } } },
      'its compute says nothing. Give depends and value',
    ],
    ['compute of a plain field', { computes: { name: { depends: [], value } } }, 'is not declared with computed: true'],
  ])('%s', (_case, spec, message) => {
    const found = extended(spec);
    expect(found).toHaveLength(1);
    expect(found[0]).toContain('Module shop, model test.order');
    expect(found[0]).toContain(message);
  });
});

describe('MOD-6 aggregates', () => {
  const spec = (
    compute: { sum: string; below?: boolean } | { count: string; below?: boolean } | { max: string },
    it: FieldSpec = fields.monetary({ computed: true }),
  ) => problems(inheritModel('test.partner', { fields: { it }, computes: { it: compute } }))[0];
  it('need lines and a stored number', () => {
    expect(spec({ sum: 'order_ids.amont' })).toContain(
      'sum "order_ids.amont": test.order has no field "amont". Did you mean "amount"?',
    );
    expect(spec({ sum: 'order_ids' })).toContain('give a field of an x2many');
    expect(spec({ sum: 'order_ids.name' })).toContain('a char has no sum');
    expect(spec({ sum: 'order_ids.partner_id.name' })).toContain('give a field of an x2many');
    expect(spec({ count: 'order_ids' })).toContain('a count is an integer field.');
    expect(spec({ count: 'name' }, fields.integer({ computed: true }))).toContain('give an x2many');
    expect(spec({ max: 'order_ids.create_date' })).toContain('gives a datetime, not a monetary');
    const below = '"below" is for a count that is not stored.';
    expect(spec({ sum: 'order_ids.amount', below: true })).toContain(below);
    expect(spec({ count: 'order_ids', below: true }, fields.integer({ computed: true, stored: true }))).toContain(
      below,
    );
    expect(spec({ count: 'order_ids', below: true }, fields.integer({ computed: true }))).toContain(
      '"below" needs a tree: test.partner has no field parent_id that points at it.',
    );
  });
});

describe('TRL-14 translated', () => {
  it.each([
    ['a number', fields.integer({ translated: true } as never), 'only a char or a text can be translated.'],
    ['rich text', fields.html({ translated: true } as never), 'only a char or a text can be translated.'],
    ['a secret', fields.char({ translated: true, secret: true }), 'only a text that is stored as given'],
    ['a related text', fields.char({ translated: true, related: 'partner_id.name' } as never), 'stored as given'],
  ])('%s is none', (_case, it, message) => {
    expect(problems(inheritModel('test.order', { fields: { it } }))[0]).toContain(message);
  });

  it('its column is no field', () => {
    const clash = { it: fields.char({ translated: true }), it_words: fields.json() };
    expect(problems(inheritModel('test.order', { fields: clash }))[0]).toContain(
      'its translations are stored in "it_words", which is a field.',
    );
  });
});

describe('DAY-12 due', () => {
  const user = defineModel('core.user', { fields: { name: fields.char() } });
  const own = { day: fields.date(), owner_id: fields.many2one('core.user') };
  const due = { label: 'Orders', icon: 'box', date: 'day', by: 'owner_id', open: [['name', '!=', null] as const] };

  it('is taken where it leads to what there is', () => {
    const definitions = [user, partner, order, inheritModel('test.order', { fields: own, due })];
    const { models } = assembleRegistry([{ module: 'shop', definitions }]);
    expect(models.get('test.order')?.due).toEqual(due);
  });

  it.each<[string, Partial<InheritSpec['due']>, string]>([
    ['a date', { date: 'name' }, 'due date "name" is no stored date.'],
    ['people', { by: 'partner_id' }, 'due by "partner_id" is no stored relation to core.user.'],
    ['its own fields', { open: [['nme', '=', 'x']] }, 'due open does not fit: "nme"'],
    ['what is shown', { about: ['nme'] }, 'due shows "nme"'],
    ['one value', { about: ['partner_id.order_ids'] }, 'which has many values.'],
    ['an action', { done: 'finish' }, 'due runs "finish": there is no such action.'],
    ['a moment as its end', { until: 'name' }, 'due until "name" is no stored moment.'],
    ['a boolean for whole days', { allDay: 'name' }, 'due allDay "name" is no stored boolean.'],
    [
      'lines',
      { unless: [{ lines: 'partner_id', by: 'owner_id', where: [] }] },
      'due unless: "partner_id" are no lines.',
    ],
  ])('DAY-12 needs %s', (_what, wrong, message) => {
    const found = problems(user, inheritModel('test.order', { fields: own, due: { ...due, ...wrong } }));
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(message);
  });
});

describe('CON-13 a timeline', () => {
  const own = { day: fields.date(), is_long: fields.boolean(), text: fields.char() };
  const orders = { label: 'Orders', icon: 'box', date: 'day', of: 'partner_id' };

  it('CON-13 is taken where it leads to what there is, and an extension replaces a kind', () => {
    const first = inheritModel('test.order', { fields: own, timeline: { orders, other: orders } });
    const then = inheritModel('test.order', { timeline: { orders: { ...orders, where: [['name', '!=', null]] } } });
    const { models } = assembleRegistry([{ module: 'shop', definitions: [partner, order, first, then] }]);
    const kinds = models.get('test.order')?.timeline;
    expect([...(kinds?.keys() ?? [])]).toEqual(['orders', 'other']);
    expect(kinds?.get('orders')).toMatchObject({ where: [['name', '!=', null]] });
  });

  it.each<[string, object, string]>([
    ['a date', { date: 'text' }, 'timeline orders: date "text" is no stored date.'],
    ['a relation', { of: 'text' }, 'timeline orders: of "text" is no relation.'],
    ['a path', { of: 'nowhere_id' }, 'has no field "nowhere_id"'],
    ['one way to its record', { about: { model: 'text', id: 'id' } }, 'has both of and about'],
    ['known fields', { shows: ['nme'] }, 'shows "nme", which is no field.'],
    ['a domain of known fields', { where: [['nme', '=', 'x']] }, 'has no field "nme"'],
    ['a known title', { title: 'partner_id.nme' }, 'has no field "nme"'],
    ['a boolean for whole days', { allDay: 'text' }, 'allDay "text" is no stored boolean.'],
  ])('CON-13 needs %s', (_what, wrong, message) => {
    const found = problems(inheritModel('test.order', { fields: own, timeline: { orders: { ...orders, ...wrong } } }));
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(message);
  });
});
