import '@addons/team';
import { Decimal, defineModel, editable, type FieldsOf, fields } from '@kontor/addon';

const share = { precision: [5, 2], required: true, min: 0, max: 100, aggregate: 'average' } as const;
/** The default of a stage, which its leads can override. */
export const probability = { label: 'Probability (%)', ...share, ...editable } as const;

const stageFields = {
  name: fields.char({ required: true, size: 100, translated: true }),
  sequence: fields.integer({ required: true, default: 10 }),
  fold: fields.boolean({ label: 'Collapsed on the board', ...editable }),
  is_won: fields.boolean({ label: 'Won', help: 'Opportunities in this stage are won.' }),
  probability: fields.decimal(probability),
  team_id: fields.many2one('sale.team', {
    label: 'Team',
    ondelete: 'cascade',
    help: 'If empty, the stage applies to every team.',
  }),
  requirements: fields.text({ help: 'What must be known before an opportunity enters this stage.', translated: true }),
};

export interface CrmStage extends FieldsOf<typeof stageFields> {}
declare module '@kontor/addon' {
  interface Models {
    'crm.stage': CrmStage;
  }
}

export const crmStage = defineModel('crm.stage', {
  label: 'Stage',
  cached: true,
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
      message: 'Won opportunities have a probability of 100 %.',
      field: 'probability',
    },
  },
});
