import { describe, expect, it } from 'vitest';
import { assembleRegistry, defineModel, type FieldSpec, fields, type ModelSpec, tableSpecs } from '../../index.ts';

const value = () => null;
const editable = { computed: true, stored: true, editable: true } as const;

const tag = defineModel('test.tag', { fields: { name: fields.char() } });

function assemble(spec: ModelSpec) {
  return assembleRegistry([{ module: 'test', definitions: [tag, defineModel('test.it', spec)] }]);
}
const withField = (it: FieldSpec, depends: readonly string[] = []) => {
  const base = { name: fields.char(), total: fields.integer({ computed: true, stored: true }) };
  return () =>
    assemble({ fields: { ...base, it }, computes: { total: { depends: [], value }, it: { depends, value } } });
};

describe('CMP-10 an editable compute', () => {
  it('is an ordinary field to everyone but the one who fills it in', () => {
    const registry = assemble({
      fields: {
        name: fields.char(),
        days: fields.integer({ ...editable, required: true }),
        is_late: fields.boolean(editable),
        tag_ids: fields.many2many('test.tag', editable),
      },
      computes: {
        days: { depends: ['name'], value },
        is_late: { depends: ['days'], value },
        tag_ids: { depends: ['is_late'], value },
      },
    });
    const model = registry.model('test.it');
    expect(model.fields.get('days')).toMatchObject({
      ...{ isEditable: true, isReadonly: false, isStored: true, required: true, compute: null },
      editableCompute: { depends: ['name'] },
    });
    expect(model.fields.get('name')).toMatchObject({ isEditable: false, editableCompute: null });
    expect(model.fields.get('is_late')?.spec.default).toBeUndefined();
    expect(model.fields.get('tag_ids')?.through).not.toBeNull();
    expect(registry.storedComputes('test.it')).toEqual([]);
    expect(registry.triggers('test.it', 'name')).toEqual([]);
    expect(tableSpecs(registry).map((table) => table.name)).toContain(model.fields.get('tag_ids')?.through?.table);
  });

  it('comes after those it is made from, whatever the order of declaration', () => {
    const registry = assemble({
      fields: { c: fields.char(editable), b: fields.char(editable), a: fields.char(editable), name: fields.char() },
      computes: {
        c: { depends: ['b', 'name'], value },
        b: { depends: ['a'], value },
        a: { depends: ['name'], value },
      },
    });
    expect(registry.editableComputes('test.it').map((field) => field.name)).toEqual(['a', 'b', 'c']);
    expect(registry.editableComputes('test.tag')).toEqual([]);
  });

  it('is refused in a circle', () => {
    const circle = () =>
      assemble({
        fields: { a: fields.char(editable), b: fields.char(editable) },
        computes: { a: { depends: ['b'], value }, b: { depends: ['a'], value } },
      });
    expect(circle).toThrow('it depends on itself: a → b → a.');
  });

  it.each<[string, FieldSpec, string]>([
    ['not computed', fields.char({ editable: true }), 'editable goes with computed: true and stored: true.'],
    [
      'not stored',
      fields.char({ computed: true, editable: true }),
      'editable goes with computed: true and stored: true.',
    ],
    ['with a default', fields.char({ ...editable, default: 'x' }), 'a computed field cannot have a default.'],
    [
      'a list of lines',
      { ...fields.one2many('test.tag', 'it_id'), ...editable },
      'a one2many cannot be editable and computed',
    ],
  ])('is refused when it is %s', (_case, spec, message) => {
    expect(withField(spec)).toThrow(message);
  });

  it('is refused when it starts from what only the server sets', () => {
    for (const name of ['total', 'create_date', 'display_name', 'id']) {
      expect(withField(fields.char(editable), [name])).toThrow(`it is editable and depends on "${name}"`);
    }
    expect(withField(fields.char(editable), ['nme'])).toThrow('test.it has no field "nme". Did you mean "name"?');
    expect(() =>
      assemble({ fields: { it: fields.integer(editable) }, computes: { it: { count: 'tag_ids' } } }),
    ).toThrow('not by an aggregate');
    expect(() => assemble({ fields: { it: fields.integer(editable) } })).toThrow('it is computed but has no compute.');
  });
});
