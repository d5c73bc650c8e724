import { defineModel, type FieldsOf, fields } from '@kontor/orm/author';

const outboxFields = {
  channel: fields.char({ required: true, size: 128 }),
  payload: fields.json({ required: true }),
  model: fields.char({ size: 128, help: 'Only people who may read it are told.' }),
  company_id: fields.many2one('core.company', { ondelete: 'cascade' }),
  user_id: fields.many2one('core.user', { ondelete: 'cascade', help: 'Only this person is told.' }),
  xact: fields.decimal({ precision: [20, 0], required: true, index: true, help: 'The transaction that wrote it.' }),
};
export interface SysOutbox extends FieldsOf<typeof outboxFields> {}

const signalFields = {
  name: fields.char({ required: true, unique: true, size: 64 }),
  generation: fields.integer({ required: true, default: 0 }),
};
export interface SysSignal extends FieldsOf<typeof signalFields> {}

declare module '@kontor/orm' {
  interface Models {
    'sys.outbox': SysOutbox;
    'sys.signal': SysSignal;
  }
}

export const sysOutbox = defineModel('sys.outbox', {
  label: 'Event',
  order: '-id',
  displayName: '{channel} {id}',
  quiet: true,
  companyRule: false,
  fields: outboxFields,
});

export const sysSignal = defineModel('sys.signal', {
  label: 'Signal',
  order: 'name',
  quiet: true,
  fields: signalFields,
});
