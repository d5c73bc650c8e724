import { defineModel, type FieldsOf, fields } from '@kontor/orm/author';

const presenceFields = {
  user_id: fields.many2one('core.user', { required: true, ondelete: 'cascade' }),
  model: fields.char({ required: true, size: 128 }),
  res_id: fields.integer({ required: true, label: 'Record' }),
  process: fields.char({ required: true, size: 64, index: true }),
  socket: fields.integer({ required: true, help: 'One connection of the process.' }),
  seen_at: fields.datetime({ required: true, index: true }),
};
export interface SysPresence extends FieldsOf<typeof presenceFields> {}
declare module '@kontor/orm' {
  interface Models {
    'sys.presence': SysPresence;
  }
}

/** Who has which record open, in all processes. Rows that their process no longer refreshes count for nothing. */
export const sysPresence = defineModel('sys.presence', {
  label: 'Presence',
  order: 'id',
  displayName: '{user_id.name}, {model} {res_id}',
  quiet: true,
  fields: presenceFields,
  indexes: ['model, res_id'],
});
