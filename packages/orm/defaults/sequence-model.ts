import { fields } from '../author/author.ts';
import type { FieldsOf } from '../author/field.ts';
import { defineModel } from '../model/define-model.ts';
import { sequenceHooks } from './sequence-hooks.ts';

const sequenceFields = {
  name: fields.char({ required: true, size: 200 }),
  code: fields.char({ required: true, size: 128, index: true }),
  prefix: fields.char({ size: 64 }),
  suffix: fields.char({ size: 64 }),
  padding: fields.integer({ default: 0, min: 0, max: 20, required: true }),
  number_next: fields.integer({ default: 1, required: true }),
  number_increment: fields.integer({ default: 1, required: true, min: 1 }),
  gapless: fields.boolean({ help: 'No gaps in the numbering, at the price of one writer at a time.' }),
  company_id: fields.many2one('core.company', { ondelete: 'cascade' }),
};
export interface SysSequence extends FieldsOf<typeof sequenceFields> {}
declare module '@kontor/orm' {
  interface Models {
    'sys.sequence': SysSequence;
  }
}

export const sysSequence = defineModel('sys.sequence', {
  label: 'Sequence',
  order: 'name, id',
  fields: sequenceFields,
  hooks: sequenceHooks,
});
