import { defineModel, type FieldsOf, fields } from '@kontor/orm/author';

const logFields = {
  at: fields.datetime({ required: true, index: true }),
  level: fields.selection({ warning: 'Warning', error: 'Error', fatal: 'Fatal' }, { required: true }),
  source: fields.char({ size: 128 }),
  message: fields.text({ required: true }),
  request_id: fields.char({ size: 128, index: true }),
  user_id: fields.integer({ label: 'User' }),
  process: fields.char({ size: 128 }),
};
export interface SysLog extends FieldsOf<typeof logFields> {}

const answerFields = {
  user_id: fields.many2one('core.user', { required: true, ondelete: 'cascade' }),
  key: fields.char({ required: true, size: 200 }),
  body_hash: fields.char({ required: true, size: 64 }),
  change_set: fields.integer({}),
  answer: fields.text({ secret: true }),
};
export interface SysIdempotency extends FieldsOf<typeof answerFields> {}

declare module '@kontor/orm' {
  interface Models {
    'sys.log': SysLog;
    'sys.idempotency': SysIdempotency;
  }
}

export const sysLog = defineModel('sys.log', {
  label: 'Log entry',
  order: '-id',
  displayName: '{level} {id}',
  quiet: true,
  fields: logFields,
});

/** Answers of changing calls that carried an Idempotency-Key, kept for a day. */
export const sysIdempotency = defineModel('sys.idempotency', {
  label: 'Kept answer',
  order: '-id',
  displayName: '{key}',
  quiet: true,
  fields: answerFields,
  uniques: { user_and_key: { fields: ['user_id', 'key'] } },
});
