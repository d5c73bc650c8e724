import { defineModel, type FieldsOf, fields } from '@kontor/addon';

const teamFields = { name: fields.char({ required: true }) };
export interface WorkshopTeam extends FieldsOf<typeof teamFields> {}

const stageFields = {
  name: fields.char({ required: true, translated: true }),
  sequence: fields.integer({ default: 10 }),
  state: fields.selection({ asked: 'Asked for', work: 'In work', done: 'Done', off: 'Called off' }, { required: true }),
  team_id: fields.many2one('workshop.team'),
};
export interface WorkshopStage extends FieldsOf<typeof stageFields> {}

declare module '@kontor/addon' {
  interface Models {
    'workshop.team': WorkshopTeam;
    'workshop.stage': WorkshopStage;
  }
}

export const workshopTeam = defineModel('workshop.team', { label: 'Team', fields: teamFields });
export const workshopStage = defineModel('workshop.stage', {
  label: 'Stage',
  cached: true,
  order: 'sequence, id',
  fields: stageFields,
});
