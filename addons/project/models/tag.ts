import { defineModel, type FieldsOf, fields } from '@kontor/addon';

const tagFields = {
  name: fields.char({ required: true, unique: true, size: 100, translated: true }),
  color: fields.integer({ label: 'Colour', required: true, default: 0, min: 0, max: 11 }),
};

export interface ProjectTag extends FieldsOf<typeof tagFields> {}
declare module '@kontor/addon' {
  interface Models {
    'project.tag': ProjectTag;
  }
}

export const projectTag = defineModel('project.tag', {
  label: 'Project tag',
  noCompany: 'Tags are shared; tasks are not.',
  order: 'name',
  fields: tagFields,
});
