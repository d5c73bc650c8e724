import { Decimal, defineModel, editable, type FieldsOf, fields } from '@kontor/addon';

const share = { precision: [5, 2], required: true, min: 0, max: 100 } as const;
/** Of a stage, and of the leads in it unless somebody knows better. */
export const probability = { label: 'Probability (%)', ...share, ...editable } as const;

const stageFields = {
  name: fields.char({ required: true, size: 100 }),
  sequence: fields.integer({ required: true, default: 10 }),
  fold: fields.boolean({ label: 'Folded in the board', ...editable }),
  is_won: fields.boolean({ label: 'Won', help: 'Opportunities that come here are won.' }),
  probability: fields.decimal(probability),
  team_id: fields.many2one('crm.team', { label: 'Team', ondelete: 'cascade', help: 'Empty: a stage of every team.' }),
  requirements: fields.text({ help: 'What should be known before an opportunity comes here.' }),
};

export interface CrmStage extends FieldsOf<typeof stageFields> {}
declare module '@kontor/addon' {
  interface Models {
    'crm.stage': CrmStage;
  }
}

export const crmStage = defineModel('crm.stage', {
  label: 'Stage',
  order: 'sequence, id',
  partOf: 'team_id',
  fields: stageFields,
  computes: {
    fold: { depends: ['is_won'], value: ({ is_won: isWon }, { isNew }) => (isWon || isNew ? isWon : undefined) },
    probability: {
      depends: ['is_won'],
      value: ({ is_won: isWon }, { isNew }) => (isWon ? new Decimal(100) : isNew ? new Decimal(10) : undefined),
    },
  },
  constraints: {
    won_is_certain: {
      on: ['is_won', 'probability'],
      holds: (stage) => !stage.is_won || stage.probability.eq(100),
      message: 'What is won has a probability of 100 %.',
      field: 'probability',
    },
  },
});
