import { defineModel as defineUntyped, sequenceHooks } from '@kontor/orm';
import { defineModel, fields, now, type RecordOf } from '@kontor/orm/author';

const cronFields = {
  name: fields.char({ required: true, size: 200 }),
  handler: fields.char({ required: true, size: 200, help: 'A job of an installed module: module.job.' }),
  interval_number: fields.integer({ default: 1, min: 1 }),
  interval_unit: fields.selection(
    { minutes: 'Minutes', hours: 'Hours', days: 'Days', weeks: 'Weeks', months: 'Months' },
    { default: 'days' },
  ),
  expression: fields.char({ size: 120, help: 'A cron expression; used instead of the interval when given.' }),
  timezone: fields.char({ size: 64, default: 'UTC' }),
  priority: fields.integer({ default: 10, required: true }),
  active: fields.boolean({ default: true }),
  next_call: fields.datetime({ required: true, default: now, index: true }),
  last_call: fields.datetime({ readonly: true }),
  last_error: fields.text({ readonly: true }),
  failures: fields.integer({ readonly: true, default: 0 }),
};
export interface SysCron extends RecordOf<typeof cronFields> {}

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
export interface SysSequence extends RecordOf<typeof sequenceFields> {}

const parameterFields = {
  name: fields.char({ required: true, unique: true, size: 200, label: 'Key' }),
  value: fields.text({}),
};
export interface SysConfigParameter extends RecordOf<typeof parameterFields> {}

declare module '@kontor/orm' {
  interface Models {
    'sys.cron': SysCron;
    'sys.sequence': SysSequence;
    'sys.config.parameter': SysConfigParameter;
  }
}

export const sysCron = defineModel('sys.cron', { label: 'Scheduled job', order: 'priority, id', fields: cronFields });
export const sysSequence = defineUntyped('sys.sequence', {
  label: 'Sequence',
  order: 'name, id',
  fields: sequenceFields,
  hooks: sequenceHooks,
});
export const sysConfigParameter = defineModel('sys.config.parameter', {
  label: 'System parameter',
  order: 'name',
  fields: parameterFields,
});
