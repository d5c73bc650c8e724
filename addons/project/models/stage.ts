import { defineModel, type FieldsOf, fields } from '@kontor/addon';

const stageFields = {
  name: fields.char({ required: true, size: 100, translated: true }),
  sequence: fields.integer({ required: true, default: 10 }),
  fold: fields.boolean({ label: 'Collapsed on the board' }),
  is_done: fields.boolean({ label: 'Done', help: 'Tasks in this stage are done.' }),
  project_ids: fields.many2many('project.project', {
    label: 'Projects',
    inverse: 'stage_ids',
    help: 'If empty, the stage applies to every project.',
  }),
};

export interface ProjectStage extends FieldsOf<typeof stageFields> {}
declare module '@kontor/addon' {
  interface Models {
    'project.stage': ProjectStage;
  }
}

export const projectStage = defineModel('project.stage', {
  label: 'Task stage',
  cached: true,
  noCompany: 'Stages are shared; a stage of some projects is seen with them.',
  order: 'sequence, id',
  fields: stageFields,
});
