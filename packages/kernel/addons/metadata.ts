import { defineModel, type FieldsOf, fields } from '@kontor/orm/author';

const modelFields = {
  name: fields.char({ required: true, unique: true, size: 128, label: 'Technical name' }),
  label: fields.char({ required: true, size: 200 }),
  module: fields.char({ required: true, size: 64 }),
  table_name: fields.char({ label: 'Table', size: 63 }),
  default_order: fields.char({ size: 500 }),
  field_ids: fields.one2many('sys.field', 'model_id', { label: 'Fields' }),
};
export interface SysModel extends FieldsOf<typeof modelFields> {}

const fieldFields = {
  model_id: fields.many2one('sys.model', { required: true, ondelete: 'cascade' }),
  model: fields.char({ required: true, size: 128, index: true }),
  name: fields.char({ required: true, size: 128, label: 'Technical name' }),
  label: fields.char({ required: true, size: 200 }),
  title: fields.char({ computed: true, help: 'The label in the language of whoever reads it.' }),
  help: fields.text({}),
  type: fields.char({ required: true, size: 32 }),
  relation: fields.char({ size: 128 }),
  inverse: fields.char({ size: 128 }),
  required: fields.boolean({}),
  readonly: fields.boolean({}),
  stored: fields.boolean({}),
  computed: fields.boolean({}),
  unique: fields.boolean({}),
  tracking: fields.boolean({}),
  size: fields.integer({}),
  selection: fields.json({}),
  choices: fields.json({ computed: true, help: 'The selection in the language of whoever reads it.' }),
  groups: fields.json({}),
  module: fields.char({ required: true, size: 64 }),
};
export interface SysField extends FieldsOf<typeof fieldFields> {}

const dataFields = {
  module: fields.char({ required: true, size: 64 }),
  name: fields.char({ required: true, size: 128 }),
  model: fields.char({ required: true, size: 128 }),
  res_id: fields.integer({ required: true, label: 'Record' }),
  noupdate: fields.boolean({}),
  checksum: fields.char({ size: 64 }),
};
export interface SysModelData extends FieldsOf<typeof dataFields> {}

declare module '@kontor/orm' {
  interface Models {
    'sys.model': SysModel;
    'sys.field': SysField;
    'sys.model.data': SysModelData;
  }
}

export const sysModel = defineModel('sys.model', {
  label: 'Model',
  order: 'name',
  displayName: '{label} ({name})',
  quiet: true,
  fields: modelFields,
});

export const sysField = defineModel('sys.field', {
  label: 'Field',
  order: 'model, name',
  displayName: '{label} ({model}.{name})',
  quiet: true,
  fields: fieldFields,
  computes: {
    title: {
      depends: ['model', 'name', 'label'],
      value: ({ model, name, label }, { registry }) =>
        registry.models.get(model ?? '')?.fields.get(name ?? '')?.label ?? label ?? '',
    },
    choices: {
      depends: ['model', 'name', 'selection'],
      value: ({ model, name, selection }, { registry }) => {
        const said = registry.models.get(model ?? '')?.fields.get(name ?? '')?.selection;
        return said ? [...said] : selection;
      },
    },
  },
  uniques: { model_and_name: { fields: ['model', 'name'] } },
});

export const sysModelData = defineModel('sys.model.data', {
  label: 'External id',
  order: 'module, name',
  displayName: '{module}.{name}',
  quiet: true,
  fields: dataFields,
  uniques: { module_and_name: { fields: ['module', 'name'] } },
  indexes: ['model, res_id'],
});
