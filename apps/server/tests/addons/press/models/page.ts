import { defineModel, type FieldsOf, fields, queueFields, queueIndexes } from '@kontor/addon';

const pageFields = {
  story: fields.char({ required: true }),
  printer: fields.char({ required: true, default: 'A' }),
  kills: fields.boolean({ help: 'Printing it kills the process.' }),
  ...queueFields,
};
export interface PressPage extends FieldsOf<typeof pageFields> {}
declare module '@kontor/addon' {
  interface Models {
    'press.page': PressPage;
  }
}

export const pressPage = defineModel('press.page', {
  label: 'Page',
  displayName: '{story} {id}',
  fields: pageFields,
  indexes: [...queueIndexes, 'story, id'],
});
