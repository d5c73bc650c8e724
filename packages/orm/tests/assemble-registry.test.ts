import { KontorError } from '@kontor/protocol';
import { describe, expect, it } from 'vitest';
import { computeContext } from '../graph/compute-of.ts';
import {
  type ActionCall,
  assembleRegistry,
  defineModel,
  type Field,
  fields,
  inheritModel,
  type LoadedRecord,
  type ModelDefinition,
  type Registry,
} from '../index.ts';
import { bareEnv } from './domain/bare-env.ts';

function assemble(...definitions: ModelDefinition[]): Registry {
  return assembleRegistry([{ module: 'test', definitions }]);
}
function get(registry: Registry, model: string, field: string): Field {
  return registry.model(model).fields.get(field) as Field;
}

const user = defineModel('core.user', { fields: { name: fields.char(), group_ids: fields.many2many('core.group') } });
const group = defineModel('core.group', {
  fields: { key: fields.char(), user_ids: fields.many2many('core.user', { inverse: 'group_ids' }) },
});
const partner = defineModel('test.partner', {
  fields: {
    name: fields.char({ required: true }),
    secret_note: fields.text({ groups: ['base.group_system'] }),
    country_id: fields.many2one('test.country'),
    order_ids: fields.one2many('test.order', 'partner_id'),
  },
});
const country = defineModel('test.country', {
  displayName: '{name} ({code})',
  fields: { name: fields.char(), code: fields.char({ unique: true }), kind: fields.selection({ a: 'A', b: 'B' }) },
});
const order = defineModel('test.order', {
  label: 'Order',
  order: '-date, name',
  fields: {
    name: fields.char(),
    date: fields.date(),
    partner_id: fields.many2one('test.partner', { required: true }),
    line_ids: fields.one2many('test.order.line', 'order_id'),
    active: fields.boolean({ default: true }),
  },
  uniques: { one_a_day: { fields: ['name', 'date'] } },
  indexes: ['date, -name'],
});
const line = defineModel('test.order.line', {
  fields: { order_id: fields.many2one('test.order', { required: true, ondelete: 'cascade' }), qty: fields.integer() },
});
const all = [user, group, partner, country, order, line];

describe('MOD-6 every model has the system fields', () => {
  it('with users', () => {
    const registry = assemble(...all);
    for (const name of ['id', 'create_date', 'create_uid', 'write_date', 'write_uid']) {
      const field = get(registry, 'test.order', name);
      expect(field).toMatchObject({ isStored: true, isReadonly: true, column: name });
    }
    expect(get(registry, 'test.order', 'create_uid').spec).toMatchObject({ type: 'many2one', relation: 'core.user' });
    expect(get(registry, 'test.order', 'display_name')).toMatchObject({ isStored: false, column: null });
  });
  it('without users', () => {
    const registry = assemble(country);
    expect(get(registry, 'test.country', 'create_uid').spec.type).toBe('integer');
  });
});

describe('MOD-6 defaults of a definition', () => {
  const registry = assemble(...all);
  it('makes labels from names', () => {
    expect(get(registry, 'test.order', 'partner_id').label).toBe('Partner');
    expect(get(registry, 'test.order', 'line_ids').label).toBe('Lines');
    expect(registry.model('test.order.line').label).toBe('Test order line');
    expect(registry.model('test.order').label).toBe('Order');
  });
  it('makes display names', () => {
    expect(registry.model('test.partner').displayName).toEqual([{ path: ['name'] }]);
    expect(registry.model('test.order.line').displayName).toEqual([{ text: 'Test order line #' }, { path: ['id'] }]);
    expect(registry.model('test.country').displayName).toEqual([
      { path: ['name'] },
      { text: ' (' },
      { path: ['code'] },
      { text: ')' },
    ]);
  });
  it('names a record of a display name by its own name', () => {
    const tag = defineModel('test.tag', {
      displayName: '{country_id}',
      fields: { country_id: fields.many2one('test.country') },
    });
    expect(assemble(country, tag).model('test.tag').displayName).toEqual([{ path: ['country_id', 'display_name'] }]);
  });
  it('chooses what happens when a related record goes', () => {
    expect(get(registry, 'test.order', 'partner_id').spec.ondelete).toBe('restrict');
    expect(get(registry, 'test.partner', 'country_id').spec.ondelete).toBe('set null');
    expect(get(registry, 'test.order.line', 'order_id').spec.ondelete).toBe('cascade');
  });
  it('parses order, indexes and uniques', () => {
    const model = registry.model('test.order');
    expect(model.order).toEqual([
      { path: ['date'], descending: true },
      { path: ['name'], descending: false },
    ]);
    expect(registry.model('test.partner').order).toEqual([{ path: ['id'], descending: false }]);
    expect(model.indexes[0]).toHaveLength(2);
    expect(model.uniques).toEqual([
      { name: 'one_a_day', fields: ['name', 'date'], index: 'test_order_one_a_day_unique' },
    ]);
    expect(registry.model('test.country').uniques).toMatchObject([{ name: 'code', fields: ['code'] }]);
    expect(model).toMatchObject({ table: 'test_order', hasActive: true, hasCompany: false });
  });
});

describe('MOD-6 inheritance', () => {
  it('adds fields, overrides attributes and adds options, module by module', () => {
    const registry = assembleRegistry([
      { module: 'one', definitions: [country] },
      {
        module: 'two',
        definitions: [
          inheritModel('test.country', {
            label: 'Land',
            fields: {
              name: fields.char({ required: true, label: 'Title' }),
              kind: fields.selection({ c: 'C' }, { default: 'c' }),
              phone: fields.char(),
            },
          }),
        ],
      },
    ]);
    const name = get(registry, 'test.country', 'name');
    expect(name).toMatchObject({ module: 'one', label: 'Title', required: true });
    expect([...(get(registry, 'test.country', 'kind').selection?.keys() ?? [])]).toEqual(['a', 'b', 'c']);
    expect(get(registry, 'test.country', 'phone').module).toBe('two');
    expect(registry.model('test.country')).toMatchObject({ module: 'one', label: 'Land' });
  });
  it('binds base to the handler before; the first gets one that does nothing', async () => {
    const trace: string[] = [];
    const step = (name: string) =>
      inheritModel('test.country', {
        actions: {
          async go(call, base) {
            trace.push(`${name} in`);
            const answer = await base(call);
            trace.push(`${name} out`);
            return answer ?? { redirect: `/web/${name}` };
          },
        },
      });
    const registry = assembleRegistry([
      { module: 'one', definitions: [country, step('one')] },
      { module: 'two', definitions: [step('two')] },
    ]);
    const action = registry.model('test.country').actions.get('action_go');
    expect(action?.kind === 'action' && (await action.run({} as ActionCall))).toEqual({ redirect: '/web/one' });
    expect(trace).toEqual(['two in', 'one in', 'one out', 'two out']);
    expect(action).toMatchObject({ needs: 'write', groups: null, module: 'two' });
  });
  it('keeps groups and needs of an action unless they are given again', () => {
    const run = async () => undefined;
    const registry = assemble(
      country,
      inheritModel('test.country', { actions: { go: { groups: ['a.b'], needs: 'read', run } } }),
      inheritModel('test.country', { actions: { go: run } }),
    );
    expect(registry.model('test.country').actions.get('action_go')).toMatchObject({ groups: ['a.b'], needs: 'read' });
  });
  it('appends onchange and hooks, and replaces computes and constraints of the same name', () => {
    const extension = (message: string) =>
      inheritModel('test.country', {
        onchange: { name: { value: () => undefined } },
        hooks: { afterUnlink: async () => undefined },
        constraints: { named: { on: ['name'], holds: () => true, message } },
      });
    const model = assemble(country, extension('one'), extension('two')).model('test.country');
    expect(model.onchange.get('name')).toHaveLength(2);
    expect(model.hooks).toHaveLength(2);
    expect(model.constraints.map(({ message }) => message)).toEqual(['two']);
  });
});

describe('GEN-6 what inherits leaves its parent as it is', () => {
  const base = defineModel('test.country', {
    label: 'Country',
    fields: {
      name: fields.char({ required: true, label: 'Name' }),
      kind: fields.selection({ a: 'A', b: 'B' }, { default: 'a' }),
      shout: fields.char({ computed: true }),
    },
    computes: { shout: { depends: ['name'], value: (country) => `${country.name}!` } },
    constraints: { named: { on: ['name'], holds: () => true, message: 'Name it.' } },
    actions: { go: async () => ({ redirect: '/web/base' }) },
  });
  const more = inheritModel('test.country', {
    label: 'Land',
    fields: { name: fields.char({ label: 'Title' }), kind: fields.selection({ c: 'C' }), area: fields.integer() },
    computes: { shout: { depends: ['name', 'area'], value: (country) => `${country.name}: ${country.area}` } },
    constraints: { named: { on: ['name', 'area'], holds: () => false, message: 'Name it well.' } },
    actions: { go: async () => ({ redirect: '/web/more' }), stay: async () => undefined },
  });
  const alone = () => assembleRegistry([{ module: 'one', definitions: [base] }]);
  const extended = () =>
    assembleRegistry([
      { module: 'one', definitions: [base] },
      { module: 'two', definitions: [more] },
    ]);
  const shown = async (registry: Registry) => {
    const model = registry.model('test.country');
    const go = model.actions.get('action_go');
    return {
      label: model.label,
      fields: [...model.fields.keys()],
      name: get(registry, 'test.country', 'name').label,
      isRequired: get(registry, 'test.country', 'name').required,
      kinds: [...(get(registry, 'test.country', 'kind').selection?.keys() ?? [])],
      first: get(registry, 'test.country', 'kind').spec.default,
      shout: get(registry, 'test.country', 'shout').compute,
      constraints: model.constraints.map(({ message }) => message),
      actions: [...model.actions.keys()],
      went: go?.kind === 'action' ? await go.run({} as ActionCall) : null,
    };
  };

  it('GEN-6 with the one that inherits it is more, and what is not said again stays', async () => {
    expect(await shown(extended())).toMatchObject({
      label: 'Land',
      fields: expect.arrayContaining(['name', 'kind', 'shout', 'area']),
      name: 'Title',
      isRequired: true,
      kinds: ['a', 'b', 'c'],
      first: 'a',
      shout: { depends: ['name', 'area'] },
      constraints: ['Name it well.'],
      actions: expect.arrayContaining(['action_go', 'action_stay', 'action_copy']),
      went: { redirect: '/web/more' },
    });
  });

  it('GEN-6 without it, before and after, it is what it was', async () => {
    const before = await shown(alone());
    expect(before).toMatchObject({ label: 'Country', name: 'Name', kinds: ['a', 'b'], shout: { depends: ['name'] } });
    expect(before).toMatchObject({ constraints: ['Name it.'], went: { redirect: '/web/base' } });
    expect(before.fields).not.toContain('area');
    expect(before.actions).not.toContain('action_stay');
    const text = JSON.stringify(base);
    const kept = alone();
    extended();
    expect(JSON.stringify(base)).toBe(text);
    expect(await shown(alone())).toEqual(before);
    expect(await shown(kept)).toEqual(before);
  });

  it('GEN-6 nobody can take the place of a model by defining it again', () => {
    const again = defineModel('test.country', { fields: { other: fields.char() } });
    expect(() =>
      assembleRegistry([
        { module: 'one', definitions: [base] },
        { module: 'two', definitions: [again] },
      ]),
    ).toThrow(/test\.country/);
  });
});

describe('MOD-6 related fields', () => {
  const related = inheritModel('test.order', {
    fields: {
      country_name: fields.char({ related: 'partner_id.country_id.name' }),
      country_kind: fields.selection({ a: 'A', b: 'B' }, { related: 'partner_id.country_id.kind' }),
      partner_note: fields.text({ related: 'partner_id.secret_note' }),
      kept: fields.char({ related: 'partner_id.name', stored: true }),
    },
  });
  const chained = inheritModel('test.order.line', {
    fields: { far: fields.char({ related: 'order_id.country_name' }) },
  });
  const registry = assemble(...all, related, chained);
  it('take their type, options and groups from the target', () => {
    expect(get(registry, 'test.order', 'country_kind').selection?.has('b')).toBe(true);
    expect(get(registry, 'test.order', 'partner_note').spec.groups).toEqual(['base.group_system']);
    expect(get(registry, 'test.order', 'country_name')).toMatchObject({
      isStored: false,
      isReadonly: true,
      compute: null,
    });
  });
  it('are followed to the end', () => {
    expect(get(registry, 'test.order.line', 'far').related).toEqual(['order_id', 'partner_id', 'country_id', 'name']);
  });
  it('become computes when stored', () => {
    const kept = get(registry, 'test.order', 'kept');
    expect(kept).toMatchObject({ isStored: true, column: 'kept' });
    const context = computeContext(bareEnv(registry, { policy: { access: new Map(), rules: new Map() } }));
    const computed = (record: LoadedRecord) =>
      kept.compute && 'value' in kept.compute ? kept.compute.value(record, context) : 'no compute';
    expect(computed({ id: 1, partner_id: { id: 2, name: 'Ada' } })).toBe('Ada');
    expect(computed({ id: 1, partner_id: null })).toBeNull();
    expect(registry.triggers('test.partner', 'name')).toContainEqual({
      model: 'test.order',
      field: 'kept',
      path: ['partner_id'],
    });
  });
});

describe('MOD-6 many2many tables', () => {
  it('are shared by a field and its inverse, with the columns turned round', () => {
    const registry = assemble(user, group);
    expect(get(registry, 'core.user', 'group_ids').through).toEqual({
      table: 'core_user_group_ids_rel',
      own: 'core_user_id',
      other: 'core_group_id',
    });
    expect(get(registry, 'core.group', 'user_ids').through).toEqual({
      table: 'core_user_group_ids_rel',
      own: 'core_group_id',
      other: 'core_user_id',
    });
  });
  it('have two columns for a model related to itself', () => {
    const tag = defineModel('test.tag', { fields: { implied_ids: fields.many2many('test.tag') } });
    expect(get(assemble(tag), 'test.tag', 'implied_ids').through).toMatchObject({
      own: 'test_tag_id',
      other: 'related_id',
    });
  });
});

describe('MOD-6 nothing of a registry can be changed', () => {
  const registry = assemble(...all);
  it('neither objects nor maps', () => {
    const model = registry.model('test.order');
    expect(() => Object.assign(model, { label: 'x' })).toThrow(TypeError);
    expect(() => Object.assign(get(registry, 'test.order', 'name'), { label: 'x' })).toThrow(TypeError);
    expect(() => (registry.models as Map<string, unknown>).set('x', 1)).toThrow(TypeError);
    expect(() => (model.fields as Map<string, unknown>).delete('name')).toThrow(TypeError);
    expect(() => (model.actions as Map<string, unknown>).clear()).toThrow(TypeError);
  });
  it('nor the definitions it is made from', () => {
    const spec = fields.char({ groups: ['base.group_user'] });
    const made = defineModel('test.frozen', {
      fields: { a: spec },
      indexes: ['a'],
      actions: { go: async () => undefined },
    });
    for (const part of [spec, spec.groups, made, made.fields, made.actions, made.actions.go, made.indexes]) {
      expect(Object.isFrozen(part)).toBe(true);
    }
  });
  it('each assembly has a version of its own', () => {
    expect(assemble(country).version).toBeGreaterThan(registry.version);
  });
  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'nope'])('has no model or field %s', (name) => {
    expect(() => registry.model(name)).toThrow(KontorError);
    expect(registry.model('test.order').fields.get(name)).toBeUndefined();
    expect(registry.model('test.order').actions.get(name)).toBeUndefined();
    expect(registry.triggers(name, name)).toEqual([]);
  });
  it('suggests the nearest model', () => {
    expect(() => registry.model('test.ordr')).toThrow(
      expect.objectContaining({
        code: 'MODEL_NOT_FOUND',
        details: { model: 'test.ordr', hint: 'Did you mean "test.order"?' },
      }),
    );
  });
});
