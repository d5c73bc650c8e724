import { defineModel, type FieldsOf, fields } from '@kontor/orm/author';

const parameterFields = {
  name: fields.char({ required: true, unique: true, size: 200, label: 'Key' }),
  value: fields.text({}),
};
export interface SysConfigParameter extends FieldsOf<typeof parameterFields> {}
declare module '@kontor/orm' {
  interface Models {
    'sys.config.parameter': SysConfigParameter;
  }
}

export const sysConfigParameter = defineModel('sys.config.parameter', {
  label: 'System parameter',
  order: 'name',
  fields: parameterFields,
});
